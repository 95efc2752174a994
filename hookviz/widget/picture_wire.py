"""What crosses to draw the values of a tensor; ``frontend/src/picture-wire.ts`` repeats these types."""

from typing import Literal, NotRequired, TypedDict

Form = Literal["matrix", "grid", "line", "table"]
"""A heat map, many small ones side by side, the curve of one row, or the numbers themselves."""

Part = Literal["magnitude", "real", "imag", "angle"]
"""What is drawn of complex numbers."""


class PictureWire(TypedDict):
    """Reply to ``picture``: a block of values, which come as a buffer.

    The buffer holds ``tiles`` tiles after each other, of each the three channels if there is a
    ``color_axis``, of each ``rows`` rows of ``columns`` numbers. They are elements of the tensor, never
    means: where it is larger than what can be drawn, every n-th row and column is there. Only a line of
    more than 1,024 elements is different: it has two rows, the least and the greatest finite value of
    every ``column_step`` elements, NaN where there is none.
    """

    form: Form
    forms: list[Form]
    """Those that make sense for this tensor."""
    rows: int
    columns: int
    tiles: int
    """1 where there is no ``tile_axis``."""
    row_axis: int
    column_axis: int
    """Equal where there is one axis only: in a line, and in every picture of a vector."""
    tile_axis: int | None
    color_axis: int | None
    """An axis of size 3 that is drawn as red, green and blue."""
    index: list[int]
    """One position per axis of the tensor; along an axis that is shown, where the block begins."""
    shape: list[int]
    axis_names: list[str]
    """One per axis; empty text where it is not known what the axis stands for."""
    row_step: int
    """Every how many-th row is there.

    A vector in rows has both axes 0: the cell at a row and column is its element
    ``index[0] + row * row_step + column * column_step``.
    """
    column_step: int
    is_wide: bool
    """Whether the numbers are float64, since float32 would round them; else they are float32."""
    is_rounded: bool
    """Whether the numbers have three digits only, as in a recording; else they are exact."""
    nans: int
    infs: int
    """How many there are in the block, the rows and columns between the drawn ones included."""
    first_bad: list[int] | None
    """Where in the whole tensor the first NaN or infinity stands; None where there is none."""
    part: Part | None
    """What of complex numbers is drawn; None where they are real."""
    note: str
    """What was done to the tensor before it could be drawn (``sparse, written out``), else empty."""


class SliceFields(TypedDict):
    """Which block of a tensor is meant; what is absent is chosen by Python."""

    form: NotRequired[Form]
    row_axis: NotRequired[int]
    column_axis: NotRequired[int]
    tile_axis: NotRequired[int]
    color_axis: NotRequired[int]
    index: NotRequired[list[int]]
    part: NotRequired[Part]
