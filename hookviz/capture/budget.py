"""Which runs are captured, so that capturing takes no more than its share of the time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from hookviz.errors import LimitError

WINDOW_SECONDS = 20.0
"""Over any window of this length the share stays under the limit."""

BURST_RUNS = 4
"""So many runs in a row are captured before spacing begins: two or three calls in one cell all show."""

BURST_SHARE = 0.1
"""A burst may take at most this part of what the window allows."""


class Budget:
    """A bucket of seconds that fills with time and is emptied by captures (a token bucket).

    With the limit ``r`` and the window ``W`` it fills with ``(1 - BURST_SHARE)·r`` seconds a second and
    holds at most ``BURST_SHARE·r·W``: in no window can more than ``r·W`` be spent, but for the cost of
    one run that began with credit left. The first run is always captured.
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
        self._filled_at = clock()
        self._credit = 0.0
        self._last_cost: float | None = None
        self._runs = 0
        self._spent: deque[tuple[float, float]] = deque()

    def is_due(self) -> bool:
        """Count one more run; True if it is to be captured."""
        self._runs += 1
        if self._every is not None:
            return (self._runs - 1) % self._every == 0
        if self._last_cost is None:
            return True
        self._fill()
        return self._credit >= 0

    def spend(self, seconds: float) -> None:
        """A captured run, with the backward passes since, took this much of the user's time."""
        now = self._clock()
        if self._last_cost is None:
            # What a run costs is known now, and so how much a burst of them may take.
            self._credit = min(self._most, BURST_RUNS * seconds)
            self._filled_at = now
        self._last_cost = seconds
        self._credit -= seconds
        self._spent.append((now, seconds))
        self._forget(now)

    def share(self) -> float:
        """The share of the last 20 seconds that went into capturing, 0 to 1."""
        now = self._clock()
        self._forget(now)
        return min(1.0, sum(seconds for _, seconds in self._spent) / WINDOW_SECONDS)

    def _fill(self) -> None:
        now = self._clock()
        most = min(self._most, BURST_RUNS * (self._last_cost or 0.0))
        self._credit = min(most, self._credit + (now - self._filled_at) * self._rate)
        self._filled_at = now

    def _forget(self, now: float) -> None:
        while self._spent and self._spent[0][0] < now - WINDOW_SECONDS:
            self._spent.popleft()
