"""The same 2-d slice of two tensors of one shape, and of their difference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from hookviz.capture.store import quiet
from hookviz.widget.block import Block, Limits, Wanted
from hookviz.widget.block_choice import choose_block
from hookviz.widget.picture import picture
from hookviz.widget.plain_numbers import plain_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookviz.widget.picture_wire import PictureWire

SIDE_BY_SIDE = Limits(side=128)
"""Three of them are drawn in the room of one."""


def compared_slice(
    a: torch.Tensor, b: torch.Tensor, wanted: Wanted, axis_names: Sequence[str] = ()
) -> tuple[list[PictureWire], list[bytes]]:
    """What to draw of A, of B and of A − B, and the values of each; nothing of tensors without elements.

    Of complex numbers, magnitudes are drawn, and of their difference the magnitude of that.

    Raises:
        HookvizError: if there is no such slice; the message names the shape.
    """
    if a.numel() == 0:
        return [], []
    with quiet():
        block = choose_block(tuple(a.shape), replace(wanted, form="matrix"), SIDE_BY_SIDE, is_weight=False)
        same = Wanted("matrix", block.row_axis, block.column_axis, index=block.index)
        if block.row_axis == block.column_axis:
            same = Wanted("matrix", index=block.index)
        (of_a, values_a), (of_b, values_b) = (
            picture(each, same, axis_names=axis_names, limits=SIDE_BY_SIDE) for each in (a, b)
        )
        apart = _drawn(a, block) - _drawn(b, block)
        apart = apart.abs() if apart.is_complex() else apart
    difference: PictureWire = {
        **of_a,
        "is_wide": True,
        "nans": int(apart.isnan().sum()),
        "infs": int(apart.isinf().sum()),
        "part": None,
    }
    return [of_a, of_b, difference], [values_a, values_b, apart.contiguous().numpy().tobytes()]


def _drawn(tensor: torch.Tensor, block: Block) -> torch.Tensor:
    """The drawn elements as float64, or as complex128."""
    numbers = tensor if tensor.is_complex() else plain_numbers(tensor, None)[0]
    whole = block.cut(numbers) if numbers.dim() else numbers.reshape(1, 1, 1, 1)
    row_step = 1 if block.row_axis == block.column_axis else block.row_step
    values = whole[..., ::row_step, :: block.column_step].cpu()
    return values.to(torch.complex128 if values.is_complex() else torch.float64)
