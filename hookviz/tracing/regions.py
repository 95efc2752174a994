"""Which bytes of a storage a tensor covers, and whether two tensors of one storage can share some."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Region:
    """The bytes of a strided tensor within its storage; all numbers count bytes."""

    start: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    item: int

    @property
    def end(self) -> int:
        """One past the last byte."""
        if 0 in self.sizes:
            return self.start
        reach = sum((size - 1) * stride for size, stride in zip(self.sizes, self.strides, strict=True))
        return self.start + reach + self.item

    @property
    def is_solid(self) -> bool:
        """Whether it covers every byte between its start and its end."""
        expected = self.item
        for stride, size in sorted((s, n) for s, n in zip(self.strides, self.sizes, strict=True) if n != 1):
            if stride != expected:
                return False
            expected *= size
        return True


def region_of(tensor: torch.Tensor) -> Region:
    """The region of a tensor that has a storage; raises whatever torch raises for one that has none."""
    item = tensor.element_size()
    offset = int(tensor.storage_offset())
    return Region(
        offset * item,
        tuple(tensor.size()),
        tuple(stride * item for stride in tensor.stride()),
        item,
    )


def covers(writer: Region, reader: Region) -> bool:
    """Whether a write to ``writer`` surely replaced all of ``reader``."""
    if writer == reader:
        return True
    return writer.is_solid and writer.start <= reader.start and reader.end <= writer.end


def may_overlap(first: Region, second: Region) -> bool:
    """Whether the two can share a byte: False only if they surely share none.

    Two boxes of the same grid are told apart even where their bytes interleave, as the columns
    of a matrix do.
    """
    if max(first.start, second.start) >= min(first.end, second.end):
        return False
    if first.strides != second.strides or first.item != second.item:
        return True
    return _boxes_meet(first, second)


def _boxes_meet(first: Region, second: Region) -> bool:
    """Compare the corners of two boxes digit by digit in the grid that their strides span.

    A byte offset has one digit per axis if each stride reaches beyond all smaller axes together;
    otherwise the digits are ambiguous and the answer is a cautious True.
    """
    low, high = (first, second) if first.start <= second.start else (second, first)
    distance = high.start - low.start
    # A last axis of one item, so that columns taken out of a matrix have a digit for their column.
    strides = (*low.strides, low.item)
    lows, highs = (*low.sizes, 1), (*high.sizes, 1)
    if distance % low.item or min(strides) <= 0:
        return True
    axes = sorted(range(len(strides)), key=lambda axis: strides[axis], reverse=True)
    digits = {}
    for axis in axes:
        digits[axis], distance = divmod(distance, strides[axis])
    reach = 0
    for axis in reversed(axes):
        if strides[axis] <= reach:
            return True
        reach += strides[axis] * (max(lows[axis], digits[axis] + highs[axis]) - 1)
    return all(digits[axis] < lows[axis] for axis in axes)
