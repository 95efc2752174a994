"""Which runs are captured, so that capturing takes no more than its share of the time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from hookviz.errors import LimitError

WINDOW_SECONDS = 20.0
"""Over any window of this length the share stays under the limit."""

BURST_RUNS = 4
"""So many runs in a row may be captured after a pause, so that two or three calls in one cell all show."""

BURST_SHARE = 0.1
"""A burst may take at most this part of what the window allows."""
GRAIN_SECONDS = 0.001
"""What noticing runs takes is noted in sums of this size."""


class Budget:
    """A bucket of seconds that fills with time and is emptied by what is spent (a token bucket).

    With the limit ``r`` and the window ``W`` it fills with ``(1 - BURST_SHARE)·r`` seconds a second and
    holds at most ``BURST_SHARE·r·W``: in no window can more than ``r·W`` be spent. The first run is
    always captured, and leaves a debt that is paid off before the next one; so does a run that costs
    more than was expected. Runs that are only noticed cost something as well, and are paid for first.
    """

    def __init__(self, overhead: float, every: int | None, *, clock: Callable[[], float] = time.perf_counter) -> None:
        if not 0 < overhead <= 1:
            raise LimitError(
                f"overhead is the share of the time that capturing may take, above 0 and at most 1; got {overhead!r}. "
                "The default is 0.05; to stop capturing, call session.pause()."
            )
        if every is not None and every < 1:
            raise LimitError(f"every must be 1 (each run) or more; got {every!r}. To stop, call session.pause().")
        self._rate = (1 - BURST_SHARE) * overhead
        self._most = BURST_SHARE * overhead * WINDOW_SECONDS
        self._every = every
        self._clock = clock
        self._filled_at = self._began_at = clock()
        self._credit = 0.0
        self._last_cost: float | None = None
        self._runs = 0
        self._passed = 0.0
        """Spent, but not noted yet."""
        self._spent: deque[tuple[float, float]] = deque()

    def is_due(self) -> bool:
        """Count one more run; True if it is to be captured."""
        self._runs += 1
        if self._runs == 1:
            self._filled_at = self._began_at = self._clock()
        if self._every is not None:
            return (self._runs - 1) % self._every == 0
        if self._last_cost is None:
            return True
        now = self._clock()
        needed = min(self._last_cost, self._most)
        if self._credit - self._passed + (now - self._filled_at) * self._rate < needed:
            return False
        self._fill(now)
        return self._credit >= needed

    def spend(self, seconds: float) -> None:
        """A captured run, with the backward passes since, took this much of the user's time."""
        self._last_cost = seconds
        self._passed += seconds
        self._fill(self._clock())

    def pass_by(self, seconds: float) -> None:
        """To notice a run that is not captured took this much."""
        self._passed += seconds
        if self._passed > GRAIN_SECONDS:
            self._note(self._clock())

    def share(self, *, open_seconds: float = 0.0) -> float:
        """The share that went into capturing of the last 20 seconds, or of the time since the first run; 0 to 1.

        Args:
            open_seconds: What the last captured run took so far, as long as it was not spent.
        """
        now = self._clock()
        self._forget(now)
        since = min(WINDOW_SECONDS, now - self._began_at)
        spent = sum(seconds for _, seconds in self._spent) + self._passed + open_seconds
        return min(1.0, spent / since) if since > 0 else float(spent > 0)

    def _fill(self, now: float) -> None:
        """Fill the bucket for the time since it was filled last, less what was spent in it."""
        self._note(now)
        most = min(self._most, BURST_RUNS * (self._last_cost or 0.0))
        self._credit = min(most, self._credit + (now - self._filled_at) * self._rate)
        self._filled_at = now

    def _note(self, now: float) -> None:
        self._credit -= self._passed
        self._spent.append((now, self._passed))
        self._passed = 0.0
        self._forget(now)

    def _forget(self, now: float) -> None:
        while self._spent and self._spent[0][0] < now - WINDOW_SECONDS:
            self._spent.popleft()
