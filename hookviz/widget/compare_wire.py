"""What crosses to compare two values, A and B; ``frontend/src/compare-wire.ts`` repeats these types."""

from typing import Literal, NotRequired, TypedDict

from hookviz.widget.picture_wire import PictureWire
from hookviz.widget.summary_wire import SummaryWire


class PlaceWire(TypedDict):
    """One tensor that is compared, and where it was found."""

    node_id: str
    call: int
    tab: str
    entry: int
    step: int
    """The captured run that it is of; of a parameter, the newest one when it was looked at."""
    words: str
    """``fc · output · call 2 of 3 · step 120``."""
    python: str
    """The expression that gives it in Python."""


class DifferenceWire(TypedDict):
    """See ``session.compare_values.ValueDifference``; NaN and infinities travel as texts."""

    numel: int
    differing: int
    not_finite: int
    largest: float | str | None
    index: list[int] | None
    at_a: str
    at_b: str
    mean: float | str | None
    norm: float | str | None
    relative: float | str | None
    cosine: float | str | None


class CompareWire(TypedDict):
    """Reply to ``compare``."""

    a: PlaceWire
    b: PlaceWire
    a_summary: SummaryWire
    b_summary: SummaryWire
    deltas: dict[str, float | str | None]
    """That of A less that of B: ``mean``, ``std``, ``min``, ``max``, ``norm``, ``zeros``, ``nans``, ``infs``."""
    difference: DifferenceWire | None
    pictures: list[PictureWire]
    """The same slice of A, of B and of A − B, each with its buffer; empty where there is nothing to draw."""
    why: str
    """Why there is no difference value by value, or what is to be known of it; may be empty."""


class PinCommand(TypedDict):
    """Compare others with what is shown at this place now. Empty ``node_id`` ends it."""

    id: int
    command: Literal["pin"]
    node_id: str
    call: int
    tab: str
    entry: int


class SwapCommand(TypedDict):
    """Pin what is shown at this place in the place of what was pinned, and go to where that was."""

    id: int
    command: Literal["swap"]
    node_id: str
    call: int
    tab: str
    entry: int


class CompareCommand(TypedDict):
    """What is pinned, A, beside what is shown at this place, B."""

    id: int
    command: Literal["compare"]
    node_id: str
    call: int
    tab: str
    entry: int
    row_axis: NotRequired[int]
    column_axis: NotRequired[int]
    index: NotRequired[list[int]]
