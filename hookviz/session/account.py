"""What a session takes of the user's time, over what the clocks in it see."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hookviz.capture.budget import LEAST_SHARE, WINDOW_SECONDS, Budget

UNCLOCKED: Final = 1.4
"""What capturing costs, over what the clocks in it see.

They see neither the way to our code, from torch's call of a module and from autograd, nor that the
caches are colder after it. In trainings that were captured in each, each tenth and each fortieth run, the steps took
1.0 to 1.5 times longer than the clocks saw; ``tests/bench/account.py`` compares.
"""

MARGIN: Final = 1.9
"""Captures are spaced as if they cost so much more, so that the limit holds on machines where they do.

It holds then, too, where a model works half of the time and another program the other half, and the steps of both
are compared.
"""

SEAM_SECONDS: Final = 4e-6
"""What the way to the first clock and back from the last takes in a run that is only noticed, with cold caches."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """What a session takes at the moment."""

    share: float
    """Of the time in which the model works, 0 to 1."""
    seconds: float
    """How much of that time the share is of: the last 20 s, less at the beginning."""
    settles: bool
    """Whether the share is still that of the first runs, and falls as others follow which are not captured. Not so
    where the runs are so short that to notice each takes more than the limit."""


class Account:
    """Tells the budget what was spent: each part once, although the beginning of a run is clocked as a whole."""

    def __init__(self, overhead: float, every: int | None, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin with nothing spent.

        Raises:
            LimitError: if a limit lies outside of its range.
        """
        self.budget = Budget(overhead, every, margin=MARGIN, clock=clock)
        self._counted = 0.0
        """What of the beginning of the present run is counted already."""
        self._noticed = 0.0
        """What noticing runs took that were not captured."""

    def begin_run(self, settled: float) -> None:
        """A run begins; first, the one before was settled in so many seconds, which are part of what that one cost."""
        self._counted = settled

    def rested(self, runs: int, seconds: float) -> None:
        """So many runs passed in a rest, and noticing them took so long."""
        if seconds:
            self._notice(UNCLOCKED * seconds + SEAM_SECONDS * runs)

    def show(self, tick: Callable[[], float | None]) -> None:
        """Call the tick, and count how long it took; what has a pace of its own takes nothing from captures."""
        began = time.perf_counter()
        paced = tick() or 0.0
        seconds = time.perf_counter() - began
        if paced:
            self.budget.set_apart(paced)
        self.budget.pass_by(max(0.0, seconds - paced))
        self._counted += seconds

    def observe(self, to_tick: float) -> None:
        """The run is captured: what its beginning took until the tick was over is no part of its cost."""
        self.budget.pass_by(max(0.0, to_tick - self._counted))

    def notice(self, seconds: float) -> None:
        """The run went by uncaptured, and noticing it took so long."""
        self._notice(UNCLOCKED * max(0.0, seconds - self._counted) + SEAM_SECONDS)
        self._counted = 0.0

    def spend(self, seconds: float) -> None:
        """A captured run is over and settled, for which the clocks saw so many seconds."""
        self.budget.spend(UNCLOCKED * seconds)

    def _notice(self, seconds: float) -> None:
        self._noticed += seconds
        self.budget.pass_by(seconds)

    def overhead(self, open_seconds: float) -> Overhead:
        """What all of it takes now, with what the clocks saw of a run that is not settled."""
        busy = self.budget.busy_seconds
        return Overhead(
            self.budget.share(open_seconds=UNCLOCKED * open_seconds),
            min(WINDOW_SECONDS, busy),
            settles=busy < WINDOW_SECONDS and self._noticed < (1 - LEAST_SHARE) * self.budget.limit * busy,
        )
