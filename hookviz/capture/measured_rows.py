"""The numbers of tensors that lie side by side, measured together: as few operations as for one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from hookviz.capture.elements import elements_of
from hookviz.capture.moments import (
    CANCELLATION,
    SMALL_SAMPLE,
    SMALLEST_SQUARES,
    Moments,
    four_numbers,
    moments_of_four,
    name_of_type,
    stride,
)
from hookviz.capture.numbers import flat
from hookviz.capture.part_sums import part_sums

FEW: Final = 3
"""Of fewer copies of one size, each is measured by itself."""

STRETCH: Final = 8_192
"""So many squares are summed up in the type of the tensor."""

Numbers: TypeAlias = tuple[float | None, float | None, float | None, float | None, float | None]
"""Mean, std, least, greatest and norm, each None where it is not defined; as in ``Moments``."""


class MeasuredRows:
    """What is known of tensors of one shape and type; their ``Moments`` are made for those that somebody asks for.

    In a run that is captured like many others, nobody asks for most of them.
    """

    __slots__ = ("_dtype", "_exact", "_samples", "_shape", "numbers")

    def __init__(
        self,
        shape: torch.Size,
        dtype: torch.dtype,
        numbers: list[Numbers],
        exact: dict[int, Moments],
        samples: Sequence[torch.Tensor] | torch.Tensor | None,
    ) -> None:
        self.numbers = numbers
        """Of each tensor."""
        self._shape = shape
        self._dtype = dtype
        self._exact = exact
        self._samples = samples

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each."""
        return tuple(self._shape)

    @property
    def has_samples(self) -> bool:
        """Whether some elements of each are here, so that the tensors can go."""
        return self._samples is not None

    def sample(self, row: int) -> torch.Tensor | None:
        """Some elements of the tensor in this place, None if they are not here."""
        return None if self._samples is None else self._samples[row]

    def is_finite(self, row: int) -> bool:
        """Whether the tensor in this place holds neither NaN nor infinity."""
        moments = self._exact.get(row)
        return moments is None or not (moments.nans or moments.infs)

    def moments(self, row: int) -> Moments:
        """The moments of the tensor in this place."""
        moments = self._exact.get(row)
        if moments is None:
            numel = self._shape.numel()
            mean, std, low, high, norm = self.numbers[row]
            moments = Moments(
                self.shape, name_of_type(self._dtype), "cpu", numel, numel, mean, std, low, high, norm, 0, 0
            )
        if self._samples is not None:
            moments.sample = self._samples[row]
        return moments


def measure_rows(
    copies: Sequence[torch.Tensor], totals: Sequence[float | None], table: torch.Tensor | None = None
) -> MeasuredRows:
    """The numbers of tensors of one shape and type, which all ``can_wait``; those of ``measure``.

    Args:
        copies: The tensors.
        totals: Their sums, None where unknown.
        table: Where they lie side by side in memory: all of them as the parts of one tensor, in the same order.
    """
    samples = None
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if len(copies) < FEW:
            found: Sequence[Sequence[float]] = [four_numbers(flat(copy)) for copy in copies]
        else:
            rows = torch.stack([flat(copy) for copy in copies]) if table is None else table.view(len(copies), -1)
            sums = rows.sum(1) if None in totals else rows.new_tensor(totals)
            norms = torch.linalg.vector_norm(rows, dim=1)
            found = torch.stack([sums, norms, rows.amin(1), rows.amax(1)], dim=1).tolist()
            # All of them at once; when they go one by one, it would take much longer.
            samples = rows[:, :: stride(rows.shape[1], SMALL_SAMPLE)].contiguous()
        return _measured(copies, found, samples)


def measure_row(value: torch.Tensor) -> tuple[MeasuredRows, torch.Tensor]:
    """The numbers of one strided float32 or float64 tensor of the CPU, and its ``part_sums``. Runs under ``quiet``."""
    row = flat(value)
    sums = part_sums(row)
    # The rest by NumPy: it takes less time to begin, and for long rows half of the time of each pass.
    elements = elements_of(row)
    with np.errstate(over="ignore", invalid="ignore"):
        norm = math.sqrt(_sum_of_squares(elements))
        numbers = float(sums.sum()), norm, float(_least(elements)), float(_greatest(elements))
    return _measured((value,), (numbers,), (small_sample(row),)), sums


def _sum_of_squares(elements: NDArray[Any]) -> float:
    """Of some elements at a time: in one sum of all, where they repeat, float32 rounds the same way each time."""
    stretches = (elements[start : start + STRETCH] for start in range(0, elements.size, STRETCH))
    return sum(float(stretch.dot(stretch)) for stretch in stretches)


def small_sample(row: torch.Tensor) -> torch.Tensor:
    """A copy of some elements of a row of the CPU, of every channel."""
    return torch.from_numpy(elements_of(row)[:: stride(row.numel(), SMALL_SAMPLE)].copy())


_least = np.minimum.reduce
_greatest = np.maximum.reduce


def _measured(
    copies: Sequence[torch.Tensor],
    found: Sequence[Sequence[float]],
    samples: Sequence[torch.Tensor] | torch.Tensor | None,
) -> MeasuredRows:
    like = copies[0]
    count = like.numel()
    numbers: list[Numbers] = []
    exact: dict[int, Moments] = {}
    for row, (total, norm, low, high) in enumerate(found):
        squares = norm * norm
        mean = total / count
        spread = squares - total * mean
        if count > 1 and squares >= SMALLEST_SQUARES and CANCELLATION * squares <= spread < math.inf:
            numbers.append((mean, math.sqrt(spread / (count - 1)), low, high, norm))
        else:
            moments = exact[row] = moments_of_four(copies[row], (total, norm, low, high))
            numbers.append((moments.mean, moments.std, moments.min, moments.max, moments.norm))
    return MeasuredRows(like.shape, like.dtype, numbers, exact, samples)
