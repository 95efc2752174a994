"""Brings the newest values to the browser while a cell runs, and what is left at its end."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hookviz.capture.first_line import sentence
from hookviz.capture.store import quiet
from hookviz.widget.pump import pump_for

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation

logger = logging.getLogger("hookviz")

PUMP_INTERVAL_SECONDS = 0.05
"""A click is answered within this time and one step of the model."""

INTERVAL_SECONDS = 0.1
"""Never more often: ten times a second is live to the eye, and the number of messages is what costs."""

SHARE = 0.02
"""How much of a running cell may go into bringing values up to date; a large picture then comes less often."""

CREDIT_SECONDS = 0.25
"""So much may be spent before the share counts: a single slow update does not stop those after it."""

LAYOUT_SHARE = 0.05
"""As much for layouts, apart: of a thousand nodes one takes a second, beside the cell, and the values go on in the
old one."""


def updates_of(presentation: Presentation, kernel: Any) -> Updates:
    """The updates of this presentation; made, and tied to the kernel, for its first widget."""
    if presentation.updates is None:
        pump = None if kernel is None else pump_for(kernel)
        presentation.updates = Updates(presentation, pump)
        presentation.updates.follow_cells(getattr(getattr(kernel, "shell", None), "events", None))
        if runs_cell(kernel):
            presentation.updates.begin_cell()
    return presentation.updates


def runs_cell(kernel: Any) -> bool:
    """Whether this thread runs a cell, and not what a message of a widget asks for."""
    try:
        return bool(kernel.get_parent()["header"]["msg_type"] == "execute_request")
    except (AttributeError, KeyError, TypeError):
        return False


class Updates:
    """Hangs on a session's ``tick``, which comes from between two runs of the model.

    There, the last run has all its values and gradients. What came in between two updates is not shown:
    the newest counts.
    """

    def __init__(self, presentation: Presentation, pump: Callable[[], int] | None = None) -> None:
        self._presentation = presentation
        self._pump = pump
        self._next_tick = 0.0
        self._next_refresh = 0.0
        self._next_layout = 0.0
        self._credit = CREDIT_SECONDS
        self._counted_until = time.perf_counter()
        self.seconds = 0.0
        """What answering and showing took from the user's thread so far."""
        self._has_failed = False
        self._is_in_cell = False
        self._unregister: Callable[[], None] = lambda: None
        presentation.session.tick = self.tick

    def tick(self) -> float:
        """Answer clicks that wait, and show what is new if it is time; 0.2 µs if it is not.

        Returns:
            How many seconds of it went into a layout, which has a share of its own.
        """
        now = time.perf_counter()
        if now < self._next_tick:
            return 0.0
        # Only the main thread may send: ipykernel 7.0 raises in others.
        if self._has_failed or threading.current_thread() is not threading.main_thread():
            return 0.0
        self._next_tick = now + PUMP_INTERVAL_SECONDS
        try:
            with quiet(), self._presentation.beside_a_cell():
                if self._pump is not None:
                    self._pump()
                return self._refresh(now)
        except Exception as error:  # noqa: BLE001  # the user's run comes first
            self._has_failed = True
            self._tell(error, "Live updates stopped; the picture follows after each cell.")
        finally:
            self.seconds += time.perf_counter() - now
        return 0.0

    def begin_cell(self) -> None:
        """A cell begins."""
        self._is_in_cell = True
        self._presentation.session.cell_thread = threading.get_ident()

    def begin_execution(self) -> None:
        """A cell is about to begin, or a widget's message to be handled: the first run of it is captured."""
        session = self._presentation.session
        if session.is_open and not self._is_in_cell:
            session.capture_next()

    def end_execution(self) -> None:
        """It is over; of a message that came within a cell, what is new comes with the next update."""
        if not self._is_in_cell and self._presentation.is_stale:
            self.flush()

    def flush(self) -> None:
        """Show what is new, however little time has passed: a cell is done."""
        self._is_in_cell = False
        self._presentation.session.cell_thread = None
        try:
            if self._presentation.has_views:
                self._presentation.look_for_hooks()
                if self._presentation.is_stale or self._presentation.is_behind:
                    self._presentation.refresh()
        except Exception as error:  # noqa: BLE001  # a fault of the picture is not one of the user's cell
            self._tell(error, "The picture could not be brought up to date.")
        if not self._presentation.session.is_open:
            self._unregister()

    def _tell(self, error: Exception, consequence: str) -> None:
        """Say it in the picture and, the first time, in a warning."""
        text = f"Showing failed with {type(error).__name__}: {error}"
        logger.info("%s of %s", text, self._presentation, exc_info=error)
        has_warned = bool(self._presentation.problem)
        self._presentation.problem = f"{sentence(text)} {consequence}"
        if not has_warned:
            warnings.warn(f"hookviz: {sentence(text)} {consequence} The model's run is not affected.", stacklevel=2)

    def follow_cells(self, events: Any) -> None:
        """Capture the first run of each cell, and flush after it, until the session is closed or forgotten.

        A user who runs a cell again expects its values, however soon it comes after the last one. The same holds of
        a button that runs the model: around what a comm's message does, ``comm.BaseComm.handle_msg`` tells of
        ``pre_execute`` and ``post_execute``, and of no cell.

        Args:
            events: Those of an IPython shell; None outside of one.
        """
        if events is None:
            return
        reference = weakref.ref(self)

        def telling(tell: Callable[[Updates], None]) -> Callable[..., None]:
            def callback(*_given: object) -> None:
                updates = reference()
                if updates is None:
                    unregister()
                else:
                    tell(updates)

            return callback

        callbacks = {
            "pre_run_cell": telling(Updates.begin_cell),
            "post_run_cell": telling(Updates.flush),
            "pre_execute": telling(Updates.begin_execution),
            "post_execute": telling(Updates.end_execution),
        }

        def unregister() -> None:
            # Twice is no error: the events know their callbacks no more after the first time.
            for event, callback in callbacks.items():
                with contextlib.suppress(ValueError):
                    events.unregister(event, callback)

        for event, callback in callbacks.items():
            events.register(event, callback)
        self._unregister = unregister

    def _refresh(self, now: float) -> float:
        self._credit = min(CREDIT_SECONDS, self._credit + (now - self._counted_until) * SHARE)
        self._counted_until = now
        presentation = self._presentation
        drawing, job = presentation.drawing, presentation.layout_under_way
        began, began_cpu = time.perf_counter(), time.thread_time()
        beside = presentation.take_layout(wait=False)
        if not beside:
            if now < self._next_refresh or self._credit <= 0:
                return 0.0
            if not (presentation.has_views and presentation.is_stale):
                return 0.0
            if not presentation.refresh(wait=False, may_draw=now >= self._next_layout):
                return 0.0
        self._next_refresh = now + INTERVAL_SECONDS
        if presentation.drawing is drawing and presentation.layout_under_way is job:
            # Of a busy machine, only our own part counts.
            self._credit -= time.thread_time() - began_cpu
            return 0.0
        # Of a layout, it is what was made of the model before it, and sent to the browser after it.
        seconds = time.perf_counter() - began
        self._next_layout = max(self._next_layout, now + (seconds + beside) / LAYOUT_SHARE)
        return seconds
