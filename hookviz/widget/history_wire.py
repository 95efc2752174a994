"""What crosses to draw a module's past runs; ``frontend/src/history-wire.ts`` repeats these types."""

from typing import Literal, TypedDict


class HistoryWire(TypedDict):
    """Reply to ``history``: its numbers come as two buffers of float64, row by row.

    The first has the rows step, mean and standard deviation of the output, the second step and norm of its
    gradient. NaN is a value that was not a number; a deviation may also be one that is not defined.
    """

    node_id: str
    outputs: int
    """How many runs the first buffer has."""
    gradients: int
    """How many runs the second one has."""


class HistoryCommand(TypedDict):
    """The numbers of a module over the captured runs."""

    id: int
    command: Literal["history"]
    node_id: str
