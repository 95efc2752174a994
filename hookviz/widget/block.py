"""A block of a tensor: which of its elements are drawn, and how to cut them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from hookviz.widget.picture_wire import Form

COLORS = 3
"""Red, green and blue."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a tensor is drawn at once."""

    side: int = 256
    """Rows and columns of a heat map; of more, every n-th is shown."""
    cells: int = 2**16
    """All tiles of a grid together."""
    tiles: int = 64
    table_rows: int = 64
    table_columns: int = 32
    points: int = 1024
    """Of a line; of more, it shows the least and the greatest of every n."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a tensor is asked for; None where it may be chosen."""

    form: Form | None = None
    row_axis: int | None = None
    column_axis: int | None = None
    tile_axis: int | None = None
    color_axis: int | None = None
    index: Sequence[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The elements that are drawn: axes, beginnings and steps as in ``picture_wire.PictureWire``."""

    form: Form
    forms: list[Form]
    rows: int
    columns: int
    row_axis: int
    column_axis: int
    index: list[int]
    ends: Mapping[int, int]
    """Where the block ends along each axis that it shows."""
    tiles: int = 1
    tile_axis: int | None = None
    color_axis: int | None = None
    row_step: int = 1
    column_step: int = 1

    def cut(self, numbers: torch.Tensor) -> torch.Tensor:
        """All elements from the block's beginning to its end, those between the steps included.

        The axes of the result are tile, colour, row and column, of size 1 where there is none.
        """
        if self.column_axis == self.row_axis:
            rows = 1 if self.form == "line" else self.rows
            return numbers[self._key()].reshape(1, 1, rows, -1)
        order = [
            axis for axis in (self.tile_axis, self.color_axis, self.row_axis, self.column_axis) if axis is not None
        ]
        rest = [axis for axis in range(numbers.dim()) if axis not in order]
        values = numbers[self._key()].permute(*order, *rest)
        colors = 1 if self.color_axis is None else COLORS
        return values.reshape(self.tiles, colors, *values.shape[len(order) - 2 : len(order)])

    def _key(self) -> tuple[slice, ...]:
        return tuple(slice(at, self.ends.get(axis, at + 1)) for axis, at in enumerate(self.index))
