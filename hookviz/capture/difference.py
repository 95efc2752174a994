"""Two captured values in words: what one of them became."""

from __future__ import annotations

import math

import torch

from hookviz.capture.capture import Capture

MOST_VALUES = 8
"""Up to so many values are written out."""


def values_text(capture: Capture) -> str:
    """The values themselves where there are at most 8 and they were kept, ``(1.5, 0.5)``; else empty."""
    if not capture.is_kept or not 0 < capture.moments.numel <= MOST_VALUES:
        return ""
    values = capture.tensor
    if not _is_plain(values):
        return ""
    numbers = [_number(value) for value in values.flatten().tolist()]
    return numbers[0] if not values.shape else f"({', '.join(numbers)})"


def difference(before: Capture, after: Capture) -> str:
    """What changed: ``mean +5, largest change 5``; of other types and shapes just these."""
    was, now = before.moments, after.moments
    if was.shape != now.shape:
        return f"shape {_shape(was.shape)} → {_shape(now.shape)}"
    parts = [f"{was.dtype} → {now.dtype}"] if was.dtype != now.dtype else []
    start, end = before.summary.mean, after.summary.mean
    if start is not None and end is not None and math.isfinite(end - start):
        parts.append(f"mean {_signed(end - start)}")
    largest = _largest_change(before, after)
    if largest is not None:
        parts.append(f"largest change {_plain(largest)}")
    return ", ".join(parts)


def is_same(before: Capture, now: torch.Tensor) -> bool:
    """Whether a detached tensor still has the values that were kept of it; True if none were, or none can be compared.

    Runs under ``store.quiet``.
    """
    if not before.is_kept or not _is_plain(now):
        return True
    kept = before.tensor
    if torch.equal(kept, now):
        return True
    # A NaN is not equal to itself.
    is_real = not (kept.is_floating_point() or kept.is_complex())
    return not is_real and bool(torch.isclose(kept, now, rtol=0, atol=0, equal_nan=True).all())


def _largest_change(before: Capture, after: Capture) -> float | None:
    if not (before.is_kept and after.is_kept and _is_plain(before.tensor) and _is_plain(after.tensor)):
        return None
    kind = torch.complex128 if before.tensor.is_complex() or after.tensor.is_complex() else torch.float64
    change = after.tensor.to(kind) - before.tensor.to(kind)
    largest = float(change.abs().max()) if change.numel() else math.nan
    return largest if math.isfinite(largest) else None


def _is_plain(tensor: torch.Tensor) -> bool:
    """Whether its elements can be read one by one; a distributed tensor would have to ask other processes."""
    is_ordinary = type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout is torch.strided
    return is_ordinary and not tensor.is_nested and not tensor.is_quantized


def _number(value: object) -> str:
    if isinstance(value, (float, complex)):
        return f"{value:.4g}"
    return str(value)


def _signed(value: float) -> str:
    return _plain(value) if value == 0 else f"{'+' if value > 0 else '−'}{_plain(abs(value))}"


def _plain(value: float) -> str:
    return f"{value:.3g}"


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "scalar"
