"""A large tensor of the user's that was recorded without a copy, for as long as nobody writes into it."""

from __future__ import annotations

from typing import Final

import torch

from hookviz.capture.numbers import flat

OVERWRITTEN: Final = (
    "not kept: its memory was written into after it was recorded, which had not happened there before; "
    "the next captured run keeps it"
)


class Lent:
    """Knows what the tensor was like. Nothing is done with it before somebody looks."""

    __slots__ = ("_tensor", "_total", "_version")

    def __init__(self, tensor: torch.Tensor, total: float) -> None:
        """Take note of a detached tensor of the CPU that shares memory with the user's.

        Args:
            tensor: The tensor.
            total: Its sum.
        """
        self._tensor = tensor
        self._total = total
        self._version = tensor._version

    def is_counted_as_written(self) -> bool:
        """Whether an operation of PyTorch wrote into it since."""
        return self._tensor._version != self._version

    def is_in(self, tensor: torch.Tensor) -> bool:
        """Whether this tensor, which shares the memory, still holds the same. Runs under ``quiet``."""
        return not self.is_counted_as_written() and _total(tensor.detach()) == self._total

    def copy(self) -> torch.Tensor | None:
        """A copy of it as it was recorded; None if that is lost. Runs under ``quiet``.

        Not every write is counted in a tensor's version (its ``data``, NumPy, code of other languages), and another
        thread may write while it is copied: so the sum of the copy is compared as well, to the last bit.
        """
        tensor = self._tensor
        if self.is_counted_as_written() or tensor.untyped_storage().nbytes() < _bytes_up_to_its_end(tensor):
            return None
        copy = tensor.clone()
        return None if self.is_counted_as_written() or _total(copy) != self._total else copy


def _total(tensor: torch.Tensor) -> float:
    return float(flat(tensor).sum())


def _bytes_up_to_its_end(tensor: torch.Tensor) -> int:
    """So large the memory must be that it lies in; somebody may have let that go (``resize_(0)``)."""
    last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    return (int(tensor.storage_offset()) + last + 1) * tensor.itemsize
