"""Which runs are captured, so that capturing takes no more than its share of the time."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

from hookviz.capture.busy_time import BusyTime
from hookviz.errors import LimitError

WINDOW_SECONDS = 20.0
"""Over any window of this length the share stays under the limit."""

DEBT_SECONDS = 5.0
"""A run that is captured whatever it costs is paid off for so long at most, even where little is left to captures:
a live picture stands still meanwhile."""

BURST_RUNS = 4
"""So many runs in a row may be captured after a pause, so that two or three calls in one cell all show."""

BURST_SHARE = 0.1
"""A burst may take at most this part of what the window allows."""

LEAST_SHARE = 0.2
"""This part of the limit is left to captures, however much noticing the other runs takes."""

GRAIN_SECONDS = 0.001
"""What noticing runs takes is noted in sums of this size."""

NOTE_SECONDS = WINDOW_SECONDS / 400
"""What is spent within so much time is one note: of steps of a millisecond there would be ten thousands."""


class Budget:
    """A bucket of seconds that fills with time and is emptied by what is spent (a token bucket).

    With the limit ``r`` and the window ``W`` it fills with ``(1 - BURST_SHARE)·r`` seconds a second and
    holds at most ``BURST_SHARE·r·W``: in no window can more than ``r·W`` be spent. The first run is
    always captured, as is one that was granted, and is no part of that: it leaves a debt that is paid off before the
    next one, but for ``DEBT_SECONDS`` at most. So does a run that costs more than was expected, and that debt is
    paid off whole. Runs that are only noticed cost something as well, and are
    paid for first, but for a fifth of the limit: a step of a few microseconds would else never be captured again.
    With a ``margin`` above 1, captures are paid for so many times, and the share stays as far below the limit.
    """

    def __init__(
        self,
        overhead: float,
        every: int | None,
        *,
        margin: float = 1.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
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
        self._margin = margin
        self._clock = clock
        self._filled_at = clock()
        self._busy = BusyTime()
        self._credit = 0.0
        self._last_cost: float | None = None
        self._runs = 0
        self._is_granted = False
        self._is_beyond_limit = False
        """Whether the last captured run was captured whatever it cost."""
        self._passed = 0.0
        """What noticing took that is not noted yet."""
        self._spent: deque[tuple[float, float]] = deque()
        """Busy time from which on it was noted, and seconds."""

    def run_began(self) -> None:
        """A run begins that is not captured, whatever the budget allows."""
        self._busy.begin(self._clock())

    def is_due(self, runs_before: int = 0) -> bool:
        """Count one more run, and those before it that nobody asked for; True if it is to be captured."""
        self._runs += 1 + runs_before
        now = self._clock()
        self._busy.begin(now)
        if self._runs == 1:
            self._filled_at = now
        if self._every is not None:
            return (self._runs - 1) % self._every == 0
        self._is_beyond_limit = False
        if self._last_cost is None or self._is_granted:
            self._is_beyond_limit, self._is_granted = True, False
            return True
        needed = min(self._last_cost, self._most)
        if self._credit + self._gain(now) < needed:
            return False
        self._fill(now)
        return self._credit >= needed

    def rest(self) -> tuple[float, float]:
        """Until when, and for how many runs at most, surely none is due; to be asked when one was not."""
        if self._every is not None:
            return math.inf, self._every - 1 - (self._runs - 1) % self._every
        missing = min(self._last_cost or 0.0, self._most) - self._credit
        return self._filled_at + missing / self._rate, math.inf

    def grant(self) -> None:
        """The next run is captured whatever it costs, and leaves a debt as the first one does."""
        self._is_granted = True

    @property
    def limit(self) -> float:
        """The share that it keeps to."""
        return self._rate / (1 - BURST_SHARE)

    @property
    def busy_seconds(self) -> float:
        """How long the model was at work so far."""
        return self._busy.at(self._clock())

    @property
    def is_at_work(self) -> bool:
        """Whether a run goes on, or ended so lately that its step may go on."""
        return self._busy.is_at_work(self._clock())

    def run_ended(self) -> None:
        """The forward of a run is over."""
        self._busy.end(self._clock())

    def spend(self, seconds: float) -> None:
        """A captured run, with the backward passes since, took this much of the user's time."""
        self._last_cost = cost = self._margin * seconds
        now = self._clock()
        self._fill(now)
        self._credit -= cost
        if self._is_beyond_limit:
            self._credit = max(self._credit, -LEAST_SHARE * self._rate * DEBT_SECONDS)
        self._note(self._busy.at(now), seconds)

    def pass_by(self, seconds: float) -> None:
        """To notice a run that is not captured took this much."""
        self._passed += seconds
        if self._passed > GRAIN_SECONDS:
            self._fill(self._clock())

    def set_apart(self, seconds: float) -> None:
        """Something took this much that has a pace of its own: part of ``share``, and not taken from captures."""
        self._note(self._busy.at(self._clock()), seconds)

    def share(self, *, open_seconds: float = 0.0) -> float:
        """The share that went into capturing of the last 20 seconds in which the model was at work; 0 to 1.

        Args:
            open_seconds: What the last captured run took so far, as long as it was not spent.
        """
        busy = self._busy.at(self._clock())
        self._forget(busy)
        since = min(WINDOW_SECONDS, busy)
        spent = sum(seconds for _, seconds in self._spent) + self._passed + open_seconds
        return min(1.0, spent / since) if since > 0 else float(spent > 0)

    def _gain(self, now: float) -> float:
        """What the bucket gains for the time since it was filled last, less what noticing took in it."""
        filled = (now - self._filled_at) * self._rate
        return max(filled - self._passed, LEAST_SHARE * filled)

    def _fill(self, now: float) -> None:
        most = min(self._most, BURST_RUNS * (self._last_cost or 0.0))
        self._credit = min(most, self._credit + self._gain(now))
        self._filled_at = now
        busy = self._busy.at(now)
        self._note(busy, self._passed)
        self._passed = 0.0
        self._forget(busy)

    def _note(self, busy: float, seconds: float) -> None:
        if self._spent and busy - self._spent[-1][0] < NOTE_SECONDS:
            since, before = self._spent[-1]
            self._spent[-1] = since, before + seconds
        else:
            self._spent.append((busy, seconds))

    def _forget(self, busy: float) -> None:
        while self._spent and self._spent[0][0] < busy - WINDOW_SECONDS:
            self._spent.popleft()
