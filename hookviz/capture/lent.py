"""A large tensor of the user's that was recorded without a copy, for as long as nobody writes into it."""

from __future__ import annotations

from typing import Final

import torch

from hookviz.capture.measured_rows import small_sample
from hookviz.capture.numbers import flat
from hookviz.capture.part_sums import part_sums
from hookviz.capture.transforms import unwrapped

OVERWRITTEN: Final = (
    "not kept: its memory was written into, or given back, after it was recorded, which had not happened there before; "
    "the next captured run keeps it"
)


class Source:
    """What one module returns, or the gradients that it gets."""

    __slots__ = ("is_safe", "is_written", "was_held")

    def __init__(self) -> None:
        self.is_safe = False
        """Whether a captured run went by in which nobody wrote into what came from here."""
        self.is_written = False
        """Whether somebody did at any time."""
        self.was_held = False
        """Whether a gradient of it, which had been written into, was held for a run to see whether it still is."""


class Lent:
    """Knows what the tensor was like. Nothing is done with it before somebody looks."""

    __slots__ = ("_sample", "_sums", "_tensor", "_version", "source")

    def __init__(self, tensor: torch.Tensor, source: Source, sums: torch.Tensor, sample: torch.Tensor) -> None:
        """Take note of a detached tensor of the CPU that shares memory with the user's.

        Args:
            tensor: The tensor; its elements fill one stretch of memory, and are finite numbers.
            source: Where it comes from.
            sums: Its ``part_sums``.
            sample: Its ``small_sample``.
        """
        self._tensor = tensor
        self.source = source
        self._version = tensor._version
        self._sums = sums
        self._sample = sample

    def is_counted_as_written(self) -> bool:
        """Whether an operation of PyTorch wrote into it since."""
        return self._tensor._version != self._version

    def is_in(self, tensor: torch.Tensor) -> bool:
        """Whether this tensor still lies in that memory, and holds the same. Runs under ``quiet``."""
        is_there = tensor.data_ptr() == self._tensor.data_ptr() and tensor.shape == self._tensor.shape
        if not is_there or tensor.stride() != self._tensor.stride():
            return False
        return self.in_place() is not None

    def in_place(self) -> torch.Tensor | None:
        """The tensor itself if it still holds what was recorded, else None; for a look that is over at once.

        Runs under ``quiet``.
        """
        is_as_it_was = not self.is_counted_as_written() and self._has_memory() and self._is_like(self._tensor)
        return self._tensor if is_as_it_was else None

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
        """Whether the sums of all parts are the same to the last bit; the sample sees where a part is in disorder."""
        row = flat(tensor)
        return torch.equal(part_sums(row), self._sums) and torch.equal(small_sample(row), self._sample)

    def _has_memory(self) -> bool:
        """Whether its memory is still there; somebody may have let that go (``resize_(0)``)."""
        end = (int(self._tensor.storage_offset()) + self._tensor.numel()) * self._tensor.itemsize
        return self._tensor.untyped_storage().nbytes() >= end
