"""The numbers of a tensor: mean, spread, ends and norm."""

import functools
import math
from dataclasses import dataclass, field
from typing import TypeAlias

import torch

from hookviz.capture.numbers import flat, real_values

CANCELLATION = 1e-2
"""Where the variance is a smaller share of the mean square than this, it is computed again.

``E[x²] - E[x]²`` in float32 loses the digits that the two terms have in common; see Chan, Golub and
LeVeque, "Algorithms for computing the sample variance", The American Statistician 37 (1983).
"""

SMALLEST_SQUARES = 1e-30
"""Below this sum of squares, single squares are at the end of float32's range and lose digits or vanish."""

SAMPLE = 4_096
"""How many elements of a tensor that is not kept stay behind for its histogram."""

SMALL_SAMPLE = 128
"""How many elements of a past step's tensor stay behind: there may be very many of these."""

LATER = 65_536
"""A copy of at most so many elements is measured when it is looked at, together with others of its shape."""

FourNumbers: TypeAlias = tuple[float, float, float, float]
"""Sum, norm, least and greatest."""


@dataclass(slots=True)
class Moments:
    """The numbers of one tensor as they were when it was seen, and a sample of its elements."""

    shape: tuple[int, ...]
    dtype: str
    device: str
    numel: int
    count: int = 0
    """How many real numbers the statistics are made from; 0 where there are none."""
    mean: float | None = None
    std: float | None = None
    min: float | None = None
    max: float | None = None
    norm: float | None = None
    nans: int | None = None
    infs: int | None = None
    sample: torch.Tensor | None = None
    note: str = ""
    pending: torch.Tensor | None = field(default=None, repr=False)
    """Eight numbers that still lie on another device; ``settle`` fetches them."""


def measure(tensor: torch.Tensor, *, with_sample: bool, is_deferred: bool | None = None) -> Moments:
    """The moments of a detached tensor, in two passes over its elements; nothing of it stays referenced.

    ``is_deferred`` leaves the numbers on the device until ``settle``, so that nothing waits for it;
    None means: unless the tensor is on the CPU.
    """
    device = tensor.device
    moments = _described(tensor)
    values, moments.note = real_values(tensor)
    if values is None:
        return moments
    moments.count = values.numel()
    if moments.count == 0:
        moments.nans = moments.infs = 0
        moments.norm = 0.0
        return moments
    if with_sample:
        moments.sample = values[:: stride(moments.count, SAMPLE)].clone()
    if device.type != "cpu" if is_deferred is None else is_deferred:
        moments.pending = _deferred(values)
    else:
        _fill(moments, values, four_numbers(values))
    return moments


def _described(tensor: torch.Tensor) -> Moments:
    return Moments(shape_of(tensor), name_of_type(tensor.dtype), str(tensor.device), tensor.numel())


@functools.cache
def name_of_type(dtype: torch.dtype) -> str:
    """``float32``."""
    return str(dtype).removeprefix("torch.")


def shape_of(tensor: torch.Tensor) -> tuple[int, ...]:
    """Its shape; -1 stands for an axis whose size differs from part to part of a nested tensor."""
    if not tensor.is_nested:
        return tuple(tensor.shape)
    sizes = [tuple(part.shape) for part in tensor.unbind()]
    axes = zip(*sizes, strict=True)
    return (len(sizes), *(axis[0] if len(set(axis)) == 1 else -1 for axis in axes))


@functools.cache
def stride(count: int, limit: int) -> int:
    """A step that leaves at most ``limit`` of ``count`` elements and visits every channel.

    A step that shares a factor with the tensor's sizes would meet the same columns again and again.
    """
    step = -(-count // limit)
    while step > 1 and math.gcd(step, count) != 1:
        step += 1
    return step


def can_wait(copy: torch.Tensor) -> bool:
    """Whether ``measure_rows`` takes it; larger ones are measured best while they lie in the cache."""
    return (
        copy.is_cpu
        and type(copy) is torch.Tensor
        and copy.dtype in (torch.float32, torch.float64)
        and copy.layout is torch.strided
        and not copy.is_nested
        and 0 < copy.numel() <= LATER
    )


def moments_of_four(copy: torch.Tensor, numbers: FourNumbers) -> Moments:
    """The moments of a tensor that ``can_wait``, of which these are known."""
    moments = _described(copy)
    moments.count = moments.numel
    _fill(moments, copy, numbers)
    return moments


def four_numbers(values: torch.Tensor) -> FourNumbers:
    """Those of a row of real numbers."""
    # amin and amax take less time than aminmax.
    return float(values.sum()), math.sqrt(float(values.dot(values))), float(values.amin()), float(values.amax())


def _fill(moments: Moments, copy: torch.Tensor, numbers: FourNumbers) -> None:
    count = moments.count
    total, norm, low, high = numbers
    squares = norm * norm
    moments.min, moments.max = low, high
    is_too_small = squares < SMALLEST_SQUARES and (low, high) != (0.0, 0.0)
    if is_too_small or not math.isfinite(total + squares):
        _fill_in_float64(moments, flat(copy))
        return
    moments.nans = moments.infs = 0
    mean = total / count
    spread = squares - total * mean
    if spread < CANCELLATION * squares:
        shifted = flat(copy) - mean
        rest = float(shifted.sum())
        spread = float(shifted.dot(shifted)) - rest * rest / count
    moments.mean, moments.norm = mean, norm
    moments.std = math.sqrt(max(spread, 0.0) / (count - 1)) if count > 1 else None


def _fill_in_float64(moments: Moments, values: torch.Tensor) -> None:
    """NaN or Inf among the elements, or squares outside of float32's range."""
    moments.nans = int(values.isnan().sum())
    moments.infs = int(values.isinf().sum())
    exact = values.double()
    moments.mean, moments.norm = float(exact.mean()), float(exact.norm())
    moments.std = float(exact.std()) if moments.count > 1 else None


def _deferred(values: torch.Tensor) -> torch.Tensor:
    low, high = torch.aminmax(values)
    # Scaled by the power of two below the largest element, which costs no digit, sums and squares stay
    # within the range of the type. It travels along: the product with it may be outside. No float64 is
    # made, which Apple's devices lack.
    largest = torch.maximum(low.abs(), high.abs())
    one = torch.ones_like(largest)
    power = torch.ldexp(one, torch.frexp(largest).exponent - 1)
    scale = torch.where(largest.isfinite() & (largest > 0), power, one)
    scaled = values / scale
    spread = scaled.std() if values.numel() > 1 else scaled.new_full((), math.nan)
    norm = torch.linalg.vector_norm(scaled)
    counts = [values.isnan().sum(), values.isinf().sum()]
    return torch.stack([scale, scaled.mean(), spread, low, high, norm, *(count.to(values.dtype) for count in counts)])


def settle(pending: list[Moments]) -> None:
    """Fetch the numbers that still lie on a device: one transfer for all of one type."""
    waiting: dict[tuple[torch.device, torch.dtype], list[Moments]] = {}
    for moments in pending:
        if moments.pending is not None:
            waiting.setdefault((moments.pending.device, moments.pending.dtype), []).append(moments)
    for group in waiting.values():
        rows = torch.stack([moments.pending for moments in group if moments.pending is not None]).tolist()
        for moments, (scale, mean, std, low, high, norm, nans, infs) in zip(group, rows, strict=True):
            moments.pending = None
            moments.mean, moments.min, moments.max, moments.norm = scale * mean, low, high, scale * norm
            moments.std = scale * std if moments.count > 1 else None
            moments.nans, moments.infs = int(nans), int(infs)


def take_sample(moments: Moments, tensor: torch.Tensor) -> None:
    """Put a small sample of a detached tensor, which is about to go, beside its moments."""
    if not moments.count or moments.sample is not None:
        return
    values = real_values(tensor)[0]
    if values is not None:
        moments.sample = values[:: stride(moments.count, SMALL_SAMPLE)].clone()
