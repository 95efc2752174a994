"""Copies of tensors in memory that is used again: runs that are captured one after the other need the same."""

from __future__ import annotations

import weakref
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from sys import getrefcount
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import torch

if TYPE_CHECKING:
    from hookviz.capture.lease import Lease
    from hookviz.capture.run import Run

MOST_ROW_ELEMENTS: Final = 65_536
"""Tensors of at most so many elements share memory with others of their kind, and are measured together."""

MOST_BLOCK_BYTES: Final = 2**22
"""So much memory is shared at most."""

MOST_RUNS: Final = 1_024
"""The memory of so many past runs is waited for."""

OLDEST: Final = 4
"""So many of them are asked each time: runs go in the order in which they came, but for those that somebody holds."""

_Kind: TypeAlias = tuple[torch.Size, torch.dtype]


class Place(NamedTuple):
    """Where a copy lies: in which block, and in which of its rows."""

    block: Block
    row: int


class Block:
    """Memory for some tensors of one kind."""

    __slots__ = ("__weakref__", "_rows", "size", "table", "taken")

    def __init__(self, table: torch.Tensor) -> None:
        self.table = table
        """One row for each of them."""
        self.size = len(table)
        """How many these are."""
        self.taken = 0
        """How many of the rows somebody has, from the first one on."""
        self._rows: tuple[torch.Tensor, ...] = ()

    def open(self) -> None:
        """Make all rows free again."""
        self.taken = 0
        if self.size == 1 or not self._rows:
            # One row by itself is given away for good, and the graph of whoever has it may hold it: only a view that
            # nobody has here tells whether the memory is in use.
            self._rows = self.table.unbind()

    def next_row(self) -> torch.Tensor:
        """The first row that nobody has."""
        row = self._rows[self.taken]
        self.taken += 1
        if self.size == 1:
            self._rows = ()
        return row

    @property
    def is_in_use(self) -> bool:
        """Whether somebody holds this memory besides the block, in Python or in an autograd graph."""
        in_c, in_python = OWN_USES
        if _uses(self.table) != (in_c + len(self._rows), in_python):
            return True
        return max(map(getrefcount, self._rows), default=0) > ROW_USES


def _uses(tensor: torch.Tensor) -> tuple[int, int]:
    """How many hold a tensor's storage: in C++, and the one object that stands for it in Python."""
    storage = tensor.untyped_storage()
    return torch._C._storage_Use_Count(storage._cdata), getrefcount(storage)


OWN_USES: Final = _uses(torch.empty(1))
"""Of a storage that nobody else knows. Versions of torch count differently, so it is asked."""


ROW_USES: Final = max(map(getrefcount, (torch.empty(1),)))
"""Of a row that nobody has: that of the tuple and those of asking."""


@dataclass(slots=True, eq=False)
class _Taken:
    """What was taken for one run."""

    lease: weakref.ref[Lease]
    blocks: list[Block] = field(default_factory=list)


class Copies:
    """Copies tensors of the CPU; those that lie in one piece share memory, others are cloned.

    Fresh memory costs more than what is written there: the kernel clears each page of it first, and it is
    in no cache. So the memory of a run that lost its tensors, or that nobody holds any more, is given to the next one.
    """

    def __init__(self) -> None:
        self.idle_bytes = 0
        """What is kept for the next copies."""
        self._idle: dict[tuple[_Kind, int], list[Block]] = {}
        self._open: dict[_Kind, Block] = {}
        self._counts: dict[_Kind, int] = {}
        """For how many of each kind the present run has memory."""
        self._last_counts: dict[_Kind, int] = {}
        self._taken: deque[_Taken] = deque(maxlen=MOST_RUNS)

    def begin(self, run: Run) -> None:
        """The copies from now on are for this run."""
        self.drop()
        for taken in [taken for taken in islice(self._taken, OLDEST) if taken.lease() is None]:
            self._taken.remove(taken)
            for block in taken.blocks:
                # What somebody took out of the run is theirs.
                if not block.is_in_use:
                    table = block.table
                    self._idle.setdefault(((table.shape[1:], table.dtype), block.size), []).append(block)
                    self.idle_bytes += table.nbytes
        for kind, block in self._open.items():
            self._counts[kind] -= block.size - block.taken
        self._open = {}
        self._last_counts, self._counts = self._counts, {}
        self._taken.append(_Taken(weakref.ref(run.lease)))

    def drop(self) -> None:
        """Give back the memory that no copy lies in."""
        self._idle.clear()
        self.idle_bytes = 0

    def take(self, value: torch.Tensor) -> tuple[torch.Tensor, Place | None]:
        """A copy of a tensor, and where it lies; None for one that shares its memory with no other.

        Runs under ``store.quiet``.
        """
        if not (value.is_contiguous() and self._taken):
            return value.clone(), None
        kind = value.shape, value.dtype
        block = self._open.get(kind)
        if block is None or block.taken == block.size:
            block = self._open[kind] = self._block(kind)
        copy = block.next_row()
        copy.copy_(value)
        return copy, Place(block, block.taken - 1) if block.size > 1 else None

    def _block(self, kind: _Kind) -> Block:
        shape, dtype = kind
        row_bytes = shape.numel() * dtype.itemsize
        rows = 1
        if 0 < shape.numel() <= MOST_ROW_ELEMENTS:
            missing = self._last_counts.get(kind, 0) - self._counts.get(kind, 0)
            rows = max(1, min(missing, MOST_BLOCK_BYTES // max(1, row_bytes)))
        self._counts[kind] = self._counts.get(kind, 0) + rows
        idle = self._idle.get((kind, rows))
        if idle:
            block = idle.pop()
            self.idle_bytes -= rows * row_bytes
        else:
            # Outside of inference mode, in which nobody else could write into it later.
            with torch.inference_mode(mode=False):
                block = Block(torch.empty((rows, *shape), dtype=dtype))
        block.open()
        self._taken[-1].blocks.append(block)
        return block
