"""Layouts that are under way: the newest that somebody asked for, and no other."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from hookviz.diagram.stopping import Stop, StoppedError
from hookviz.widget.drawing import lay_out

if TYPE_CHECKING:
    from hookviz.widget.drawing import Drawing, Plan


class LayoutJob:
    """One layout, made once, by whichever thread comes first."""

    def __init__(self, planned: Plan) -> None:
        self.plan = planned
        self.drawing: Drawing | None = None
        """What came of it; None until it is over, and if it was ended or failed."""
        self.error: Exception | None = None
        """What it failed with."""
        self.seconds = 0.0
        """How long it took."""
        self._stop = Stop()
        self._is_begun = threading.Lock()
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is done, failed or ended."""
        return self._is_over.is_set()

    def run(self) -> None:
        """Lay out in this thread; if another one does so, wait for it."""
        if not self._is_begun.acquire(blocking=False):
            self._is_over.wait()
            return
        began = time.perf_counter()
        try:
            self.drawing = lay_out(self.plan, self._stop)
        except StoppedError:
            # Whoever ended it knows.
            pass
        except Exception as error:  # noqa: BLE001  # told by who takes it
            self.error = error
        finally:
            self.seconds = time.perf_counter() - began
            self._is_over.set()

    def run_beside(self, grace_seconds: float) -> None:
        """Lay out in a thread of its own, and wait a moment for it: most pictures are small."""
        if self._is_begun.locked():
            return
        # At the end of the process, nobody waits for it.
        self._thread = threading.Thread(target=self.run, name="hookviz layout", daemon=True)
        self._thread.start()
        self._is_over.wait(grace_seconds)

    def stop(self) -> None:
        """End it; its process is gone at once, and its thread as soon as it notices."""
        self._stop()

    def wait(self) -> None:
        """Wait until its thread is gone."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()


class LayoutJobs:
    """Keeps the one layout that is wanted; an older one is ended for it.

    It knows no session, so that a session may hold it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: LayoutJob | None = None

    @property
    def newest(self) -> LayoutJob | None:
        """The layout that is under way, or over and not taken yet."""
        return self._newest

    def job_for(self, planned: Plan) -> LayoutJob:
        """The layout of this plan: the one that is under way, or a new one."""
        with self._lock:
            older = self._newest
            if older is not None and older.plan is planned:
                return older
            self._newest = newest = LayoutJob(planned)
        if older is not None:
            older.stop()
        return newest

    def take(self) -> LayoutJob | None:
        """The newest layout if it is over, which is handed out once."""
        with self._lock:
            newest = self._newest
            if newest is None or not newest.is_over:
                return None
            self._newest = None
            return newest

    def stop(self) -> None:
        """End what is under way; its process and its thread are gone afterwards."""
        with self._lock:
            newest, self._newest = self._newest, None
        if newest is not None:
            newest.stop()
            newest.wait()
