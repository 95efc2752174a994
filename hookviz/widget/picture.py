"""A 2-d slice of a tensor of any shape, small enough to be drawn as a heat map."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from hookviz.capture.store import quiet
from hookviz.errors import HookvizError
from hookviz.widget.wire import PictureWire

MAX_SIDE = 256
"""Rows and columns at most; of more, every n-th is shown."""

MAX_DENSE = 2**24
"""How many elements a sparse tensor may have when written out: 64 MB as float32."""

COLOUR_RANGE = (0.01, 0.99)
"""Quantiles of the finite values between which colours differ, so that one outlier does not hide the rest."""


@dataclass(frozen=True, slots=True)
class _Slice:
    values: torch.Tensor
    row_axis: int
    column_axis: int
    index: list[int]
    row_step: int = 1
    column_step: int = 1


def picture(
    tensor: torch.Tensor,
    *,
    row_axis: int | None = None,
    column_axis: int | None = None,
    index: Sequence[int] | None = None,
    max_side: int = MAX_SIDE,
) -> tuple[PictureWire, bytes]:
    """What to draw of a tensor, and its values as float32, row by row.

    Without axes the last two are shown; ``index`` says where to cut the others, 0 by default. A single
    number is a picture of one cell. A vector is one row, or, where it is long and its length has fitting
    factors, as many rows as make it near square; both axes are then 0. Of complex numbers the magnitude
    is shown. Of more than ``max_side`` rows or columns every n-th is shown.

    Raises:
        HookvizError: if there is no such slice; the message names the shape.
    """
    with quiet():
        numbers, note = _numbers(tensor)
        cut = _cut(numbers, row_axis, column_axis, index, max_side)
        # float64 and the integers reach further than float32; beyond it they would look like Inf.
        limit = torch.finfo(torch.float32).max
        wide = cut.values.cpu().double()
        values = torch.where(wide.isfinite(), wide.clamp(-limit, limit), wide).float().contiguous()
        bound = _bound(values)
        return (
            {
                "rows": values.shape[0],
                "columns": values.shape[1],
                "row_axis": cut.row_axis,
                "column_axis": cut.column_axis,
                "index": cut.index,
                "shape": list(tensor.shape),
                "row_step": cut.row_step,
                "column_step": cut.column_step,
                "low": -bound,
                "high": bound,
                "note": note,
            },
            values.numpy().tobytes(),
        )


def _numbers(tensor: torch.Tensor) -> tuple[torch.Tensor, str]:
    """The tensor as plain strided real numbers, and what had to be done to it."""
    value, note = tensor.detach(), ""
    if value.is_nested:
        raise HookvizError("A nested tensor has rows of different lengths, so it has no 2-d slice.")
    if value.is_meta:
        raise HookvizError(f"A meta tensor of shape {tuple(value.shape)} holds no values.")
    if value.layout is not torch.strided:
        if value.numel() > MAX_DENSE:
            raise HookvizError(
                f"A sparse tensor of shape {tuple(value.shape)} has {value.numel():,} elements; "
                f"it is only drawn up to {MAX_DENSE:,}."
            )
        value, note = value.to_dense(), "sparse, written out"
    if value.is_quantized:
        value, note = value.dequantize(), "dequantized"
    if value.is_complex():
        value, note = value.abs(), "magnitude"
    return value, note


def _cut(
    value: torch.Tensor, row_axis: int | None, column_axis: int | None, index: Sequence[int] | None, max_side: int
) -> _Slice:
    shape = tuple(value.shape)
    if value.numel() == 0:
        raise HookvizError(f"A tensor of shape {shape} has no elements to draw.")
    if value.dim() == 0:
        return _Slice(value.reshape(1, 1), 0, 0, [])
    if value.dim() == 1:
        return _wrapped(value, max_side)
    rows = value.dim() - 2 if row_axis is None else row_axis
    columns = value.dim() - 1 if column_axis is None else column_axis
    if not (0 <= rows < value.dim() and 0 <= columns < value.dim()) or rows == columns:
        raise HookvizError(
            f"A tensor of shape {shape} has no slice with rows along axis {rows} and columns along axis {columns}; "
            f"two different axes from 0 to {value.dim() - 1} make one."
        )
    place = [0] * value.dim() if index is None else list(index)
    if len(place) != value.dim():
        raise HookvizError(f"A place in a tensor of shape {shape} needs {value.dim()} numbers, got {place}.")
    key: list[int | slice] = []
    for axis, (size, position) in enumerate(zip(shape, place, strict=True)):
        if axis in (rows, columns):
            place[axis] = 0
            key.append(slice(None, None, _step(size, max_side)))
        elif 0 <= position < size:
            key.append(position)
        else:
            raise HookvizError(
                f"Axis {axis} of a tensor of shape {shape} has positions 0 to {size - 1}, not {position}."
            )
    values = value[tuple(key)]
    if rows > columns:
        values = values.t()
    return _Slice(values, rows, columns, place, _step(shape[rows], max_side), _step(shape[columns], max_side))


def _wrapped(value: torch.Tensor, max_side: int) -> _Slice:
    length = len(value)
    if length > max_side // 4:
        # The shortest rows that are at least as wide as the picture is high.
        for columns in range(max(1, int(length**0.5)), min(max_side, length // 2) + 1):
            if length % columns == 0 and length // columns <= min(columns, max_side):
                return _Slice(value.reshape(-1, columns), 0, 0, [0], columns, 1)
    step = _step(length, max_side)
    return _Slice(value[::step].reshape(1, -1), 0, 0, [0], 1, step)


def _step(size: int, max_side: int) -> int:
    return -(-size // max_side)


def _bound(values: torch.Tensor) -> float:
    """How far from zero colours reach; 1 where all is zero or nothing finite."""
    finite = values[values.isfinite()].double()
    if not len(finite):
        return 1.0
    quantiles = torch.quantile(finite, torch.tensor(COLOUR_RANGE, dtype=torch.float64))
    # Where the quantiles are all zero, as in a sparse activation, the few others still have to be seen.
    return float(quantiles.abs().max()) or float(finite.abs().max()) or 1.0
