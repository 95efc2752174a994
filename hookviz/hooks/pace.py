"""How long a probe lets runs pass by without asking its listener."""

from __future__ import annotations

import math

NEVER = -math.inf

REST_SECONDS = 0.02
"""A listener that rests is asked again after this time: no click waits longer than that for a run to come."""


class Pace:
    """Kept by the listener, read by the probe. Runs that pass in a rest are only counted.

    In a step of a millisecond, whose tensors fill the caches, each Python function that is entered takes
    some microseconds, five times what it takes in a loop by itself.
    """

    __slots__ = ("most", "runs", "seconds", "until")

    def __init__(self) -> None:
        self.until = NEVER
        """When the rest ends, as ``time.perf_counter`` tells it."""
        self.most = 0.0
        """After so many runs it ends as well."""
        self.runs = 0
        """How many passed that were not taken yet."""
        self.seconds = 0.0
        """What letting them pass took."""

    def rest(self, now: float, until: float, most: float) -> None:
        """Let runs pass by from now on."""
        self.most = most
        self.until = min(until, now + REST_SECONDS) if most > 0 else NEVER

    def wake(self) -> None:
        """Ask the listener at the next run."""
        self.until = NEVER

    def take(self) -> tuple[int, float]:
        """How many runs passed since the last ``take``, and what they took; the rest is over."""
        self.until = NEVER
        taken = self.runs, self.seconds
        self.runs, self.seconds = 0, 0.0
        return taken
