"""What a node shows of the last captured run: changes with every run, needs no new layout."""

from dataclasses import dataclass, field
from typing import Literal

NodeState = Literal["idle", "captured", "off", "failed", "unobservable"]
"""``idle``: nothing seen there yet. ``off``: capturing is switched off there.
``failed``: its forward raised. ``unobservable``: it ran where hooks cannot see (compiled)."""


@dataclass(frozen=True, slots=True)
class CardNumbers:
    """What the lines of a card write in three digits; None where there is no such number."""

    mean: float | None = None
    std: float | None = None
    norm: float | None = None
    """Of the gradient."""


@dataclass(frozen=True, slots=True)
class NodeData:
    """The live lines of one card, already as text of a fixed width."""

    state: NodeState = "idle"
    spark: str = ""
    """Histogram of the output in 8 block characters."""
    value: str = ""
    """Mean and standard deviation of the output, ``+1.20e-02 ±5.70e-01``: 19 characters."""
    gradient: str = ""
    """Norm of the output's gradient, ``∇ 3.10e-03``: 10 characters; or a word on why there is none."""
    trouble: str = ""
    """What is wrong here, e.g. ``NaN 12 of 80 · made here``, else empty."""
    note: str = ""
    """What could not be had and why, e.g. ``frozen: does not require grad``; shown on hover."""
    hooks_off: frozenset[str] = frozenset()
    """Ids of its hooks that are off; their pills show it."""
    # The lines say the same, and NaN differs from itself.
    numbers: CardNumbers = field(default=CardNumbers(), compare=False)
    """Those of ``value`` and ``gradient``, for who writes the lines itself."""
