"""Any tensor as one of plain real numbers in the same shape, of which a block can be cut out."""

from __future__ import annotations

from typing import Final

import torch

from hookviz.errors import HookvizError
from hookviz.widget.picture_wire import Part

MAX_DENSE: Final = 2**24
"""How many elements a sparse tensor may have when written out: 64 MB as float32."""


def plain_numbers(tensor: torch.Tensor, part: Part | None = None) -> tuple[torch.Tensor, Part | None, str]:
    """The tensor as plain strided real numbers, which part of complex ones that is, and what had to be done.

    Raises:
        HookvizError: if there are no such numbers.
    """
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
    if not value.is_complex():
        return value, None, note
    return _part(value, part or "magnitude"), part or "magnitude", note


def _part(value: torch.Tensor, part: Part) -> torch.Tensor:
    if part == "magnitude":
        return value.abs()
    if part == "angle":
        return value.angle()
    return value.real if part == "real" else value.imag


def loses_digits(values: torch.Tensor) -> bool:
    """Whether float32 would round one of these numbers, or make an infinity of it."""
    if values.dtype in (torch.float32, torch.float16, torch.bfloat16, torch.bool):
        return False
    wide = values.double()
    return not torch.equal(wide.float().double().nan_to_num(), wide.nan_to_num())


def exceeds_float64(values: torch.Tensor) -> bool:
    """Whether there are whole numbers so large that float64 rounds them."""
    is_whole = not values.is_floating_point() and values.dtype != torch.bool
    return is_whole and bool((values.abs() > 2**53).any())
