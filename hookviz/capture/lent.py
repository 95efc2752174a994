"""A large tensor of the user's that was recorded without a copy, for as long as nobody writes into it."""

from __future__ import annotations

from typing import Final

import torch

from hookviz.capture.moments import SMALL_SAMPLE, stride
from hookviz.capture.numbers import flat
from hookviz.capture.transforms import unwrapped

OVERWRITTEN: Final = (
    "not kept: its memory was written into, or given back, after it was recorded, which had not happened there before; "
    "the next captured run keeps it"
)


class Source:
    """What one module returns, or the gradients that it gets."""

    __slots__ = ("is_safe", "is_written")

    def __init__(self) -> None:
        self.is_safe = False
        """Whether a captured run went by in which nobody wrote into what came from here."""
        self.is_written = False
        """Whether somebody did at any time."""


class Lent:
    """Knows what the tensor was like. Nothing is done with it before somebody looks."""

    __slots__ = ("_sample", "_tensor", "_threads", "_total", "_version", "source")

    def __init__(self, tensor: torch.Tensor, total: float, sample: torch.Tensor | None, source: Source) -> None:
        """Take note of a detached tensor of the CPU that shares memory with the user's.

        Args:
            tensor: The tensor; its elements fill one stretch of memory.
            total: Its sum, a finite number: NaN would hide what is written beside it.
            sample: Some of its elements, as ``take_sample`` takes them.
            source: Where it comes from.
        """
        self._tensor = tensor
        self._total = total
        self._sample = sample
        self.source = source
        self._threads = torch.get_num_threads()
        self._version = tensor._version

    def is_counted_as_written(self) -> bool:
        """Whether an operation of PyTorch wrote into it since."""
        return self._tensor._version != self._version

    def is_in(self, tensor: torch.Tensor) -> bool:
        """Whether this tensor still lies in that memory, and holds the same. Runs under ``quiet``."""
        is_there = tensor.data_ptr() == self._tensor.data_ptr() and tensor.shape == self._tensor.shape
        if not is_there or tensor.stride() != self._tensor.stride():
            return False
        return not self.is_counted_as_written() and self._has_memory() and self._is_like(self._tensor)

    def copy(self) -> torch.Tensor | None:
        """A copy of it as it was recorded; None if that is lost. Runs under ``quiet``.

        Not every write is counted in a tensor's version (its ``data``, NumPy, code of other languages), and another
        thread may write while it is copied: so the copy itself is compared with what is known of the tensor.
        """
        if self.is_counted_as_written() or not self._has_memory():
            return None
        copy = unwrapped(self._tensor.clone())
        return copy if not self.is_counted_as_written() and self._is_like(copy) else None

    def _is_like(self, tensor: torch.Tensor) -> bool:
        """Whether sum and sample are the same to the last bit; the sample sees where values have changed places."""
        row = flat(tensor)
        sample = row[:: stride(row.numel(), SMALL_SAMPLE)]
        return (self._sample is None or torch.equal(sample, self._sample)) and self._sum(row) == self._total

    def _sum(self, row: torch.Tensor) -> float:
        """Its sum with as many threads as then: each adds up its part first, and rounds."""
        threads = torch.get_num_threads()
        if threads == self._threads:
            return float(row.sum())
        torch.set_num_threads(self._threads)
        try:
            return float(row.sum())
        finally:
            torch.set_num_threads(threads)

    def _has_memory(self) -> bool:
        """Whether its memory is still there; somebody may have let that go (``resize_(0)``)."""
        end = (int(self._tensor.storage_offset()) + self._tensor.numel()) * self._tensor.itemsize
        return self._tensor.untyped_storage().nbytes() >= end
