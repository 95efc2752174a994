"""What is drawn of a tensor of any shape and type: a block of its values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import torch

from hookviz.capture.elements import elements_of
from hookviz.capture.store import quiet
from hookviz.widget.block import Block, Limits, Wanted
from hookviz.widget.block_choice import choose_block
from hookviz.widget.plain_numbers import exceeds_float64, loses_digits, plain_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookviz.widget.picture_wire import Part, PictureWire

ANYTHING = Wanted()
ON_SCREEN = Limits()


def picture(
    tensor: torch.Tensor,
    wanted: Wanted = ANYTHING,
    *,
    part: Part | None = None,
    axis_names: Sequence[str] = (),
    is_weight: bool = False,
    limits: Limits = ON_SCREEN,
) -> tuple[PictureWire, bytes]:
    """What to draw of a tensor, and its values in the order that ``picture_wire.PictureWire`` tells.

    The values are elements of the tensor to the last digit, as float64 where float32 would round one.

    Args:
        tensor: Any tensor; it stays as it is.
        wanted: Which block of it.
        part: What of complex numbers, their magnitude by default.
        axis_names: What its axes stand for, where that is known.
        is_weight: Whether its first axis counts filters and not samples.
        limits: How much of it.

    Raises:
        HookvizError: if there is no such block, or the tensor holds no numbers.
    """
    with quiet():
        numbers, shown_part, note = plain_numbers(tensor, part)
        block = choose_block(tuple(numbers.shape), wanted, limits, is_weight=is_weight)
        whole = block.cut(numbers) if numbers.dim() else numbers.reshape(1, 1, 1, 1)
        first_bad = _first_bad(numbers)
        nans, infs = (0, 0) if first_bad is None else _count_bad(whole)
        values = _drawn(whole, block, is_finite=first_bad is None).cpu()
        is_wide = loses_digits(values)
        notes = [note, "whole numbers above 2⁵³ are rounded" if exceeds_float64(values) else ""]
        content = elements_of(values.to(torch.float64 if is_wide else torch.float32)).tobytes()
    return {
        "form": block.form,
        "forms": block.forms,
        "rows": block.rows,
        "columns": block.columns,
        "tiles": block.tiles,
        "row_axis": block.row_axis,
        "column_axis": block.column_axis,
        "tile_axis": block.tile_axis,
        "color_axis": block.color_axis,
        "index": block.index,
        "shape": list(tensor.shape),
        "axis_names": list(axis_names) or [""] * tensor.dim(),
        "row_step": block.row_step,
        "column_step": block.column_step,
        "is_wide": is_wide,
        "is_rounded": False,
        "nans": nans,
        "infs": infs,
        "first_bad": first_bad,
        "part": shown_part,
        "note": " · ".join(each for each in notes if each),
    }, content


def _drawn(whole: torch.Tensor, block: Block, *, is_finite: bool) -> torch.Tensor:
    """What the steps leave of a block, or the ends of each stretch of a long line."""
    if block.form == "line" and block.column_step > 1:
        return _ends_of_stretches(whole.reshape(-1), block.columns, block.column_step, is_finite=is_finite)
    # The rows of a vector are there already.
    row_step = 1 if block.row_axis == block.column_axis else block.row_step
    return whole[..., ::row_step, :: block.column_step]


def _ends_of_stretches(values: torch.Tensor, count: int, length: int, *, is_finite: bool) -> torch.Tensor:
    # Apple's devices have no float64.
    numbers = values if values.is_floating_point() and values.element_size() > 1 else values.cpu().double()
    # The last stretch is filled up with what it has.
    padding = numbers[-1:].expand(count * length - len(numbers))
    stretches = torch.cat([numbers, padding]).reshape(count, length)
    if is_finite:
        return torch.stack([stretches.amin(1), stretches.amax(1)])
    is_number = stretches.isfinite()
    least = torch.where(is_number, stretches, math.inf).amin(1)
    greatest = torch.where(is_number, stretches, -math.inf).amax(1)
    return torch.where(is_number.any(1), torch.stack([least, greatest]), math.nan)


def _count_bad(numbers: torch.Tensor) -> tuple[int, int]:
    # torch finds no infinity in a float8.
    numbers = numbers.float() if numbers.element_size() == 1 else numbers
    return int(numbers.isnan().sum()), int(numbers.isinf().sum())


def _first_bad(numbers: torch.Tensor) -> list[int] | None:
    """Where the first NaN or infinity is; one pass where there is none, as is usual."""
    if not numbers.is_floating_point():
        return None
    if numbers.element_size() == 1:
        numbers = numbers.float()
    if math.isfinite(float(numbers.sum())):
        return None
    is_bad = ~numbers.isfinite()
    # A sum may be beyond the range of its type although each number is within it.
    if not bool(is_bad.any()):
        return None
    flat = int(is_bad.reshape(-1).to(torch.uint8).argmax())
    return [int(at) for at in np.unravel_index(flat, tuple(numbers.shape))]
