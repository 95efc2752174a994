"""The time in which the user's program works, which the cost of capturing is a share of."""

from __future__ import annotations

LONGEST_PAUSE_SECONDS = 1.0
"""What follows a run belongs to its step, as its backward pass does: up to this long, or ``STEP_RUNS`` runs long."""

STEP_RUNS = 4


class BusyTime:
    """Counts seconds from one run to the next, and leaves out the time in which nobody runs anything.

    A share of all time would fall while somebody only reads what is shown.
    """

    def __init__(self) -> None:
        self._counted = 0.0
        self._began: float | None = None
        self._ended: float | None = None
        self._longest_pause = LONGEST_PAUSE_SECONDS

    def begin(self, now: float) -> None:
        """A run begins."""
        self._counted = self.at(now)
        self._began, self._ended = now, None

    def end(self, now: float) -> None:
        """It returned."""
        if self._began is not None:
            self._counted = self.at(now)
            self._longest_pause = max(LONGEST_PAUSE_SECONDS, STEP_RUNS * (now - self._began))
            self._began, self._ended = None, now

    def at(self, now: float) -> float:
        """Seconds so far."""
        if self._began is not None:
            return self._counted + now - self._began
        if self._ended is not None:
            return self._counted + min(now - self._ended, self._longest_pause)
        return self._counted

    def is_at_work(self, now: float) -> bool:
        """Whether a run goes on, or what follows one may be part of its step."""
        return self._began is not None or (self._ended is not None and now - self._ended < self._longest_pause)
