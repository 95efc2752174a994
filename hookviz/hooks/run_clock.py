"""Which run it is: what a hook on the model needs to know to number its calls."""

from __future__ import annotations


class RunClock:
    """Counts the runs of one model. A copy of a model gets a clock of its own, which stands still."""

    __slots__ = ("run",)

    def __init__(self) -> None:
        self.run = 0

    def tick(self) -> None:
        """A run begins."""
        self.run += 1

    def __reduce__(self) -> tuple[type[RunClock], tuple[()]]:
        return RunClock, ()
