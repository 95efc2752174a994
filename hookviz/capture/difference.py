"""Two captured values in words: what one of them became."""

from __future__ import annotations

import math

import torch

from hookviz.capture.capture import Capture
from hookviz.hooks.shape_text import shape_text

MOST_VALUES = 8
"""Up to so many values are written out."""


def values_text(capture: Capture) -> str:
    """The values themselves where there are at most 8 and they were kept, ``(1.5, 0.5)``; else empty."""
    if not capture.is_kept or not 0 < capture.moments.numel <= MOST_VALUES:
        return ""
    values = capture.peek
    if not has_plain_elements(values):
        return ""
    numbers = [_number(value) for value in values.flatten().tolist()]
    return numbers[0] if not values.shape else f"({', '.join(numbers)})"


def difference(before: Capture, after: Capture) -> str:
    """What changed: ``mean changed by +5, largest change 5``; of other types, shapes and what is not finite just these.

    ``NaN 12 of 64 made here`` where there was none before.
    """
    was, now = before.moments, after.moments
    parts = [kind for kind in (kind_difference(before, after),) if kind]
    for name, count, new in (("NaN", was.nans, now.nans), ("Inf", was.infs, now.infs)):
        parts.append(_not_finite(name, count or 0, new or 0, now.numel))
    if was.shape == now.shape:
        parts += _sizes_of_change(before, after)
    return ", ".join(filter(None, parts))


def kind_difference(before: Capture, after: Capture) -> str:
    """``float32 → float64``, ``shape 2 → 1×2``; empty where both are of one kind."""
    was, now = before.moments, after.moments
    return kind_difference_text(was.shape, was.dtype, now.shape, now.dtype)


def kind_difference_text(shape: tuple[int, ...], dtype: str, new_shape: tuple[int, ...], new_dtype: str) -> str:
    """The same of two kinds that are known by shape and type."""
    parts = [f"shape {shape_text(shape)} → {shape_text(new_shape)}"] if shape != new_shape else []
    if dtype != new_dtype:
        parts.append(f"{dtype} → {new_dtype}")
    return ", ".join(parts)


def is_equal(before: Capture, now: torch.Tensor) -> bool:
    """Whether a detached tensor is known to be equal to what was kept: in kind, and value by value, NaN to NaN.

    Runs under ``store.quiet``.
    """
    if not before.is_kept or not has_plain_elements(now) or before.shape != tuple(now.shape):
        return False
    kept = before.peek
    return has_plain_elements(kept) and kept.dtype == now.dtype and kept.device == now.device and is_same(before, now)


def is_same(before: Capture, now: torch.Tensor) -> bool:
    """Whether a detached tensor still has the values that were kept of it; True if none were, or none can be compared.

    Runs under ``store.quiet``.
    """
    if not before.is_kept or not has_plain_elements(now):
        return True
    kept = before.peek
    if torch.equal(kept, now):
        return True
    if before.moments.nans == 0:
        return False
    # A NaN is not equal to itself.
    is_real = not (kept.is_floating_point() or kept.is_complex())
    return not is_real and bool(torch.isclose(kept, now, rtol=0, atol=0, equal_nan=True).all())


def _not_finite(name: str, before: int, after: int, numel: int) -> str:
    if before == after:
        return ""
    return f"{name} {after} of {numel} made here" if before == 0 else f"{name} {before} → {after} of {numel}"


def _sizes_of_change(before: Capture, after: Capture) -> list[str]:
    largest = _largest_change(before, after)
    if largest == 0:
        return ["values equal"]
    start, end = before.summary.mean, after.summary.mean
    parts = []
    if start is not None and end is not None and math.isfinite(end - start):
        if start != end:
            parts.append(f"mean changed by {_signed(end - start)}")
        elif largest is not None:
            # By itself it would read as if nothing had changed.
            parts.append("mean as before")
    if largest is not None:
        parts.append(f"largest change {_plain(largest)}")
    return parts


def _largest_change(before: Capture, after: Capture) -> float | None:
    captures = (before, after)
    if not all(capture.is_kept and has_plain_elements(capture.peek) for capture in captures):
        return None
    kind = torch.complex128 if before.peek.is_complex() or after.peek.is_complex() else torch.float64
    start, end = before.peek.to(kind), after.peek.to(kind)
    # Infinity less infinity is NaN, and NaN is not equal to itself.
    is_left = (start == end) | (start.isnan() & end.isnan())
    change = (end - start).masked_fill(is_left, 0)
    largest = float(change.abs().max()) if change.numel() else math.nan
    return largest if math.isfinite(largest) else None


def has_plain_elements(tensor: torch.Tensor) -> bool:
    """Whether its elements can be read one by one; a distributed tensor would have to ask other processes."""
    is_ordinary = type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout is torch.strided
    return is_ordinary and not tensor.is_nested and not tensor.is_quantized


def _number(value: object) -> str:
    if isinstance(value, (float, complex)):
        return f"{value:.4g}"
    return str(value)


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '−'}{_plain(abs(value))}"


def _plain(value: float) -> str:
    return f"{value:.3g}"
