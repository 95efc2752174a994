"""How many runs of a model there were, and how many went on in other threads beside the captured one."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookviz.capture.run import Run
    from hookviz.hooks.pace import Pace


class RunCount:
    """Counts in all threads."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._lock = threading.Lock()
        self._runs = 0
        self._beside = 0
        self._beside_before = 0
        """How many there had been when the run that is captured began."""

    @property
    def runs(self) -> int:
        """All so far, with those that passed in a rest."""
        return self._runs + self._pace.runs

    @property
    def beside(self) -> int:
        """How many went on beside captured ones so far."""
        return self._beside

    def begin(self, passed: int) -> None:
        """A run begins, after some that passed in a rest."""
        self._runs += passed + 1

    def observe(self, beside: int) -> None:
        """The run is captured; as it began, ``beside`` was so much."""
        self._beside_before = beside

    def overlap(self, captured: Run | None) -> None:
        """One begins in another thread while one goes on."""
        with self._lock:
            self._runs += 1
        self.go_on_beside(1, captured)

    def go_on_beside(self, count: int, captured: Run | None) -> None:
        """So many go on in other threads beside the captured one, which is told if it is not over."""
        with self._lock:
            self._beside += count
            if captured is not None and not captured.is_finished:
                self.tell(captured)

    def tell(self, captured: Run) -> None:
        """Note at the captured run how many there were beside it."""
        captured.overlaps = self._beside - self._beside_before
