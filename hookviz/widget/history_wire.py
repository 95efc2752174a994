"""What crosses to draw a module's past runs; ``frontend/src/history-wire.ts`` repeats these types."""

from typing import Literal, TypedDict

Plotted = Literal["output", "gradient", "zeros", "update"]
"""Mean and standard deviation of the output, norm of its gradient, its share of zeros, update-to-weight ratio."""


class HistoryLineWire(TypedDict):
    """One line: its numbers come as a buffer of float64, row by row.

    The rows are steps and values; of outputs means and, below them, standard deviations. NaN is a value that was
    not a number; a deviation may also be one that is not defined.
    """

    plotted: Plotted
    mark: int
    """Position of its training in ``marks``."""
    count: int
    """How many runs it has, at least one."""


class HistoryWire(TypedDict):
    """Reply to ``history``; there are as many buffers as lines."""

    node_id: str
    marks: list[str]
    """The names of the trainings, oldest first; the runs before the first mark have an empty one."""
    first_steps: list[int]
    """The step with which each of them began."""
    lines: list[HistoryLineWire]


class HistoryCommand(TypedDict):
    """The numbers of a module over the captured runs."""

    id: int
    command: Literal["history"]
    node_id: str
