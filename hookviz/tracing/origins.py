"""Which node last wrote a tensor."""

import itertools
import weakref
from typing import NamedTuple

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from hookviz.tracing.regions import Region, covers, may_overlap, region_of

Sources = tuple[int, ...]
"""The nodes whose numbers a tensor holds; empty for a constant, several after writes into parts of it."""


class Feed(NamedTuple):
    """What a tensor was at the moment when it entered a node."""

    sources: Sources
    shape: tuple[int, ...]


def shape_of(tensor: torch.Tensor) -> tuple[int, ...]:
    """The shape in plain numbers: -1 for a length that is not one, empty for a tensor that has no shape."""
    try:
        if type(tensor) is torch.Tensor:
            return tuple(tensor.shape)
        # Not int(size): to ask a symbolic size for its number would add a guard to the user's program.
        return tuple(size if type(size) is int else -1 for size in tensor.shape)
    except Exception:  # noqa: BLE001  # strided nested tensors have none, and a subclass may answer by code of its own
        return ()


def is_fractional(tensor: torch.Tensor) -> bool:
    """Whether its type of numbers has NaN and infinity, as integers, truth values and quantised numbers have not."""
    try:
        return tensor.dtype.is_floating_point or tensor.dtype.is_complex
    except Exception:  # noqa: BLE001  # a subclass may answer by code of its own
        return True


class _Owner(NamedTuple):
    sources: Sources
    tensor: "weakref.ref[torch.Tensor]"
    time: int


class _Write(NamedTuple):
    sources: Sources
    region: Region
    time: int


class Origins:
    """Remembers the sources of each tensor of a run, without keeping any tensor alive.

    A tensor is known by its identity, which a weak reference guards against reuse. A write in place
    is remembered at the storage, so that it is found through each view of it; the weak reference to
    the storage keeps the storage's address from being given to another, not its memory.
    """

    def __init__(self) -> None:
        self._owners: dict[int, _Owner] = {}
        self._writes: dict[int, list[_Write]] = {}
        self._storages: list[StorageWeakRef] = []
        self._time = itertools.count()

    def own(self, tensor: torch.Tensor, sources: Sources) -> None:
        """Say where the numbers of this tensor come from, as of now."""
        self._owners[id(tensor)] = _Owner(sources, weakref.ref(tensor), next(self._time))

    def inherit(self, view: torch.Tensor, base: torch.Tensor) -> bool:
        """Say that a tensor is a view of another one; False, and nothing said, if it has memory of its own.

        It is what its base was when that was made, and what was written since into its own part of the memory.
        """
        owner = self._owner(base)
        if owner is None or not _is_same_memory(view, base):
            return False
        self._owners[id(view)] = _Owner(owner.sources, weakref.ref(view), owner.time)
        return True

    def write(self, tensor: torch.Tensor, sources: Sources) -> None:
        """Say that this tensor's memory was just overwritten, which all tensors that share it will show."""
        self.own(tensor, sources)
        try:
            storage = tensor.untyped_storage()
            address, region = storage._cdata, region_of(tensor)
        except Exception:  # noqa: BLE001  # see _writes_into; the write shows in this tensor only
            return
        if address not in self._writes:
            self._writes[address] = []
            self._storages.append(StorageWeakRef(storage))
        self._writes[address].append(_Write(sources, region, next(self._time)))

    def sources(self, tensor: torch.Tensor) -> Sources | None:
        """Where the numbers of this tensor come from; None if nothing is known about it."""
        owner = self._owner(tensor)
        writes = self._writes_into(tensor) if self._writes else None
        if writes:
            return self._with_writes(tensor, owner, writes)
        return owner.sources if owner is not None else None

    def _owner(self, tensor: torch.Tensor) -> _Owner | None:
        owner = self._owners.get(id(tensor))
        return owner if owner is not None and owner.tensor() is tensor else None

    def clear(self) -> None:
        """Forget all."""
        self._owners.clear()
        self._writes.clear()
        self._storages.clear()

    def _writes_into(self, tensor: torch.Tensor) -> list[_Write] | None:
        try:
            return self._writes.get(tensor.untyped_storage()._cdata)
        except Exception:  # noqa: BLE001  # sparse, nested and functorch's tensors have no storage
            return None

    @staticmethod
    def _with_writes(tensor: torch.Tensor, owner: _Owner | None, writes: list[_Write]) -> Sources | None:
        region = region_of(tensor)
        since = owner.time if owner is not None else -1
        found: dict[int, None] = {}
        later: list[Region] = []
        for write in reversed(writes):
            if write.time < since:
                break
            # Of what a later write covers, nothing is left.
            if may_overlap(write.region, region) and not any(covers(each, write.region) for each in later):
                later.append(write.region)
                found |= dict.fromkeys(write.sources)
                if covers(write.region, region):
                    return tuple(sorted(found))
        if owner is not None:
            found |= dict.fromkeys(owner.sources)
        return tuple(sorted(found)) if later or owner is not None else None


def _is_same_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    try:
        return bool(one.untyped_storage()._cdata == other.untyped_storage()._cdata)
    except Exception:  # noqa: BLE001  # see _writes_into
        return False
