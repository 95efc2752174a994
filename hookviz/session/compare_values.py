"""Two tensors of one shape, value by value, in numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import torch

from hookviz.capture.store import quiet

CHUNK: Final = 2**16
"""So many values are compared at a time: in float64 they still fit into the caches, and take no memory to speak of."""


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """How far two tensors, A and B, are apart.

    Two NaN, or two equal infinities, at one place are no difference. All numbers but ``differing`` are made from
    the places where both are finite; None where there are none, or where one is not defined.
    """

    numel: int
    differing: int
    """At how many places the values differ."""
    not_finite: int
    """At how many places A or B is NaN or infinite."""
    largest: float | None
    """The largest ``|A - B|``."""
    index: tuple[int, ...] | None
    """Where that is: the first such place."""
    at_a: float | complex | None
    """What A has there."""
    at_b: float | complex | None
    mean: float | None
    """The mean of ``|A - B|``."""
    norm: float | None
    """``‖A - B‖``, the square root of the sum of squares."""
    relative: float | None
    """``‖A - B‖`` over the larger of ``‖A‖`` and ``‖B‖``, 0 to 2; 0 where both are zero."""
    cosine: float | None
    """The cosine of the angle between A and B as vectors, -1 to 1; None where one of them is zero."""

    @property
    def is_equal(self) -> bool:
        """Whether no value differs."""
        return self.differing == 0


def difference_of(a: torch.Tensor, b: torch.Tensor) -> ValueDifference:
    """Compare two detached, strided tensors of one shape; of complex ones by magnitude of the difference."""
    with quiet():
        sums = _Sums()
        flat_a, flat_b = a.reshape(-1), b.reshape(-1)
        for start in range(0, a.numel(), CHUNK):
            sums.add(start, _wide(flat_a[start : start + CHUNK]), _wide(flat_b[start : start + CHUNK]))
        found = sums.place
        return ValueDifference(
            numel=a.numel(),
            differing=sums.differing,
            not_finite=a.numel() - sums.finite,
            largest=sums.largest if sums.finite else None,
            index=None if found is None else _index(found, tuple(a.shape)),
            at_a=None if found is None else flat_a[found].item(),
            at_b=None if found is None else flat_b[found].item(),
            mean=sums.total / sums.finite if sums.finite else None,
            norm=math.sqrt(sums.squares) if sums.finite else None,
            relative=sums.relative(),
            cosine=sums.cosine(),
        )


def _wide(values: torch.Tensor) -> torch.Tensor:
    # First off the device: Apple's have no float64.
    return values.cpu().to(torch.complex128 if values.is_complex() else torch.float64)


def _index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index: list[int] = []
    for size in reversed(shape):
        index.append(place % size)
        place //= size
    return tuple(reversed(index))


class _Sums:
    """What the chunks seen so far add up to."""

    def __init__(self) -> None:
        self.differing = self.finite = 0
        self.largest = -1.0
        self.place: int | None = None
        self.total = self.squares = 0.0
        self._squares_a = self._squares_b = self._product = 0.0

    def add(self, start: int, a: torch.Tensor, b: torch.Tensor) -> None:
        apart = (a - b).abs()
        if bool(apart.sum().isfinite()):
            # As nearly always: then both are finite, and equal where they are not apart.
            self.differing += int(apart.count_nonzero())
            self.finite += len(a)
            self._add_finite(start, a, b, apart)
            return
        is_same = (a == b) | (a.isnan() & b.isnan())
        self.differing += len(a) - int(is_same.sum())
        is_finite = a.isfinite() & b.isfinite()
        self.finite += int(is_finite.sum())
        if bool(is_finite.any()):
            left_out = ~is_finite
            apart = apart.masked_fill(left_out, -1)
            self._add_finite(start, a.masked_fill(left_out, 0), b.masked_fill(left_out, 0), apart)

    def _add_finite(self, start: int, a: torch.Tensor, b: torch.Tensor, apart: torch.Tensor) -> None:
        """Of places that are left out, ``apart`` is -1."""
        largest = float(apart.max())
        if largest > self.largest:
            self.largest, self.place = largest, start + int(apart.argmax())
        apart = apart.clamp_(min=0)
        self.total += float(apart.sum())
        self.squares += float(apart.dot(apart))
        self._squares_a += float(torch.vdot(a, a).real)
        self._squares_b += float(torch.vdot(b, b).real)
        self._product += float(torch.vdot(b, a).real)

    def relative(self) -> float | None:
        if not self.finite:
            return None
        larger = max(self._squares_a, self._squares_b)
        return math.sqrt(self.squares / larger) if larger else 0.0

    def cosine(self) -> float | None:
        lengths = math.sqrt(self._squares_a) * math.sqrt(self._squares_b)
        return max(-1.0, min(1.0, self._product / lengths)) if lengths else None
