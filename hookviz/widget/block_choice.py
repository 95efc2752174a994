"""Chooses which block of a tensor of any shape is drawn: its axes by their role, its form, how much of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hookviz.errors import HookvizError
from hookviz.widget.block import COLORS, Block, Limits, Wanted
from hookviz.widget.picture_wire import Form
from hookviz.widget.vector_block import vector_block
from hookviz.widget.whole_steps import page_of, step_of


@dataclass(frozen=True, slots=True)
class _Cut:
    """What every block of one tensor has in common."""

    shape: Sequence[int]
    forms: list[Form]
    index: list[int]
    limits: Limits


def choose_block(shape: Sequence[int], wanted: Wanted, limits: Limits, *, is_weight: bool = False) -> Block:
    """What to draw of a tensor of this shape.

    Without a form, what has only one axis of more than one position is a line, a tensor of four axes or of
    several square matrices a grid, any other a matrix. Without axes, the last two that have more than one
    position are rows and columns; a grid has a tile for each channel or head (axis 1 of four), or for each
    filter where ``is_weight``.

    Raises:
        HookvizError: if there is no such block; the message names the shape.
    """
    if math.prod(shape) == 0:
        raise HookvizError(f"A tensor of shape {tuple(shape)} has no elements to draw.")
    index = _index(shape, wanted.index)
    if len(shape) < 2:
        return vector_block(shape, wanted.form, index, limits)
    long = [axis for axis, size in enumerate(shape) if size > 1]
    forms: list[Form] = ["matrix", "grid", "line", "table"] if len(long) > 2 else ["matrix", "line", "table"]
    cut = _Cut(shape, forms, index, limits)
    rows, columns = _plane(shape, wanted, long)
    others = [axis for axis in long if axis not in (rows, columns)]
    form = wanted.form or ("line" if len(long) == 1 else _best_form(shape, rows, columns, others))
    if form not in forms:
        raise HookvizError(f"A tensor of shape {tuple(shape)} cannot be shown as a {form}, only as {_listed(forms)}.")
    if form == "line":
        return _line(cut, columns)
    if form == "table":
        return _table(cut, rows, columns)
    color = _color_axis(shape, wanted.color_axis, (rows, columns))
    others = [axis for axis in others if axis != color]
    if form == "grid" and others:
        return _grid(cut, rows, columns, color, _tile_axis(shape, wanted.tile_axis, others, is_weight=is_weight))
    return _matrix(cut, rows, columns, color)


def _index(shape: Sequence[int], index: Sequence[int] | None) -> list[int]:
    place = [0] * len(shape) if index is None else list(index)
    if len(place) != len(shape):
        raise HookvizError(f"A place in a tensor of shape {tuple(shape)} needs {len(shape)} numbers, got {place}.")
    for axis, (size, position) in enumerate(zip(shape, place, strict=True)):
        if not 0 <= position < size:
            raise HookvizError(
                f"Axis {axis} of a tensor of shape {tuple(shape)} has positions 0 to {size - 1}, not {position}."
            )
    return place


def _plane(shape: Sequence[int], wanted: Wanted, long: list[int]) -> tuple[int, int]:
    """The axes for rows and columns."""
    last = len(shape) - 1
    short = [axis for axis in range(last, -1, -1) if axis not in long]
    chosen = sorted([*short, *long][-2:])
    rows = chosen[0] if wanted.row_axis is None else wanted.row_axis
    columns = chosen[1] if wanted.column_axis is None else wanted.column_axis
    if wanted.form == "line":
        # It has no rows.
        rows = columns - 1 if columns > 0 else columns + 1
    if not (0 <= rows <= last and 0 <= columns <= last) or rows == columns:
        raise HookvizError(
            f"A tensor of shape {tuple(shape)} has no slice with rows along axis {rows} and columns along axis "
            f"{columns}; two different axes from 0 to {last} make one."
        )
    return rows, columns


def _best_form(shape: Sequence[int], rows: int, columns: int, others: list[int]) -> Form:
    is_plane = shape[rows] > 1 and shape[columns] > 1
    is_square = shape[rows] == shape[columns]
    # Of three axes, batch × tokens × features is the usual case, and no grid.
    return "grid" if is_plane and others and (len(shape) > 3 or is_square) else "matrix"


def _color_axis(shape: Sequence[int], axis: int | None, taken: tuple[int, int]) -> int | None:
    if axis is None:
        return None
    if not 0 <= axis < len(shape) or axis in taken or shape[axis] != COLORS:
        raise HookvizError(
            f"Axis {axis} of a tensor of shape {tuple(shape)} cannot be red, green and blue: that takes an axis of "
            "size 3 that is neither rows nor columns."
        )
    return axis


def _tile_axis(shape: Sequence[int], axis: int | None, others: list[int], *, is_weight: bool) -> int:
    if axis is None:
        preferred = 0 if is_weight or len(shape) < 4 else 1
        return preferred if preferred in others else others[0]
    if axis not in others:
        raise HookvizError(
            f"A tensor of shape {tuple(shape)} has no grid along axis {axis}; the axes left for it are "
            f"{_listed(others)}."
        )
    return axis


def _matrix(cut: _Cut, rows: int, columns: int, color: int | None) -> Block:
    shown = {rows: cut.shape[rows], columns: cut.shape[columns]} | ({} if color is None else {color: COLORS})
    row_step, column_step = (step_of(cut.shape[axis], cut.limits.side) for axis in (rows, columns))
    return Block(
        form="matrix",
        forms=cut.forms,
        rows=step_of(cut.shape[rows], row_step),
        columns=step_of(cut.shape[columns], column_step),
        row_axis=rows,
        column_axis=columns,
        index=[0 if axis in shown else at for axis, at in enumerate(cut.index)],
        ends=shown,
        color_axis=color,
        row_step=row_step,
        column_step=column_step,
    )


def _grid(cut: _Cut, rows: int, columns: int, color: int | None, tile: int) -> Block:
    shape, limits = cut.shape, cut.limits
    begin, end = page_of(shape[tile], cut.index[tile], limits.tiles)
    cells = limits.cells // (end - begin) // (1 if color is None else COLORS)
    # One step for both sides: a tile keeps its proportions.
    step = max(
        math.ceil(math.sqrt(shape[rows] * shape[columns] / cells)),
        step_of(max(shape[rows], shape[columns]), limits.side),
    )
    shown = {rows: shape[rows], columns: shape[columns]} | ({} if color is None else {color: COLORS})
    index = [0 if axis in shown else at for axis, at in enumerate(cut.index)]
    index[tile] = begin
    return Block(
        form="grid",
        forms=cut.forms,
        rows=step_of(shape[rows], step),
        columns=step_of(shape[columns], step),
        row_axis=rows,
        column_axis=columns,
        index=index,
        ends=shown | {tile: end},
        tiles=end - begin,
        tile_axis=tile,
        color_axis=color,
        row_step=step,
        column_step=step,
    )


def _line(cut: _Cut, axis: int) -> Block:
    step = step_of(cut.shape[axis], cut.limits.points)
    return Block(
        form="line",
        forms=cut.forms,
        rows=1 if step == 1 else 2,
        columns=step_of(cut.shape[axis], step),
        row_axis=axis,
        column_axis=axis,
        index=[0 if each == axis else at for each, at in enumerate(cut.index)],
        ends={axis: cut.shape[axis]},
        column_step=step,
    )


def _table(cut: _Cut, rows: int, columns: int) -> Block:
    index, ends = list(cut.index), {}
    for axis, most in ((rows, cut.limits.table_rows), (columns, cut.limits.table_columns)):
        index[axis], ends[axis] = page_of(cut.shape[axis], index[axis], most)
    return Block(
        form="table",
        forms=cut.forms,
        rows=ends[rows] - index[rows],
        columns=ends[columns] - index[columns],
        row_axis=rows,
        column_axis=columns,
        index=index,
        ends=ends,
    )


def _listed(names: Sequence[object]) -> str:
    return ", ".join(map(str, names))
