"""What a module had to work with whose output is not finite: looked at when that is found, which is rare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import torch
from torch import nn

from hookviz.capture.capture import Capture
from hookviz.capture.moments import measure
from hookviz.capture.store import quiet
from hookviz.capture.transforms import unwrapped

NotFiniteKind = Literal["NaN", "Inf"]

KINDS: Final[tuple[NotFiniteKind, ...]] = ("NaN", "Inf")
"""The worse one first."""


@dataclass(frozen=True, slots=True)
class NotFiniteCount:
    """How many elements of a tensor are not finite, of how many."""

    nans: int
    infs: int
    elements: int


@dataclass(frozen=True, slots=True)
class Witness:
    """What entered a call that returned a NaN or an infinity, and what its module holds itself."""

    inputs: tuple[frozenset[NotFiniteKind] | None, ...]
    """For each tensor that entered, what is not finite in it; None if that can be known no more."""
    parameters: tuple[tuple[str, frozenset[NotFiniteKind]], ...]
    """Name of each of the module's own parameters and buffers that is not finite."""
    counts: tuple[NotFiniteCount, ...] = ()
    """How much of each of these."""

    def had(self, kind: NotFiniteKind) -> bool | None:
        """Whether one of its inputs held this already; None if that is not known."""
        if any(found is not None and kind in found for found in self.inputs):
            return True
        return None if None in self.inputs else False


def is_not_finite(capture: Capture | None) -> bool:
    """Whether there is a NaN or an infinity in what was captured."""
    if capture is None or capture.is_surely_finite:
        return False
    moments = capture.moments
    return bool(moments.nans or moments.infs)


def holds(capture: Capture | None, kind: NotFiniteKind) -> bool:
    """Whether there is a NaN, or an infinity, in what was captured."""
    if capture is None or capture.is_surely_finite:
        return False
    return bool(capture.moments.nans if kind == "NaN" else capture.moments.infs)


def is_known_finite(capture: Capture | None) -> bool:
    """Whether it holds numbers of a type that has NaN and infinity, and was looked through and has none."""
    if capture is None:
        return False
    moments = capture.moments
    return moments.dtype.startswith(("float", "bfloat", "complex")) and moments.nans == 0 and moments.infs == 0


class Inquest:
    """Tells in one run whose inputs to look at: those of the first call that is not finite, and of those around it."""

    def __init__(self) -> None:
        self._first: dict[NotFiniteKind, int] = {}

    def concerns(self, order: int, captures: Sequence[Capture | None]) -> bool:
        """Whether this call, which just returned, is one of them.

        Of numbers that still lie on another device nothing is known yet, so their calls are none.

        Args:
            order: Its position among all calls of the run, by when they began.
            captures: What it returned.
        """
        for capture in captures:
            if capture is not None and not capture.is_surely_finite:
                break
        else:
            return False
        found = [kind for kind in KINDS if any(holds(capture, kind) for capture in captures)]
        return any(order <= self._first.setdefault(kind, order) for kind in found)


def versions_of(tensors: Sequence[torch.Tensor]) -> list[int | None]:
    """How often each tensor was written in place so far; None for those that keep no count."""
    with torch._C.DisableTorchFunction():
        return [None if tensor.is_inference() else tensor._version for tensor in tensors]


def witness(
    module: nn.Module, inputs: Sequence[torch.Tensor], versions: Sequence[int | None], outputs: Sequence[torch.Tensor]
) -> Witness:
    """Look at what a call was given, now that it returned.

    Args:
        module: The module that was called.
        inputs: The tensors that entered.
        versions: Their ``versions_of`` as they entered: one that was written since then tells nothing.
        outputs: The tensors that it returned.
    """
    with quiet():
        memory = {_address(output) for output in outputs} - {None}
        seen = []
        for tensor, before, now in zip(inputs, versions, versions_of(inputs), strict=True):
            is_written = before != now or (now is None and _address(tensor) in memory)
            seen.append(None if is_written else _kinds(tensor))
        counted = [(name, _count(tensor)) for name, tensor in (*module._parameters.items(), *module._buffers.items())]
    own = [(name, count) for name, count in counted if count is not None and _kinds_in(count)]
    return Witness(
        tuple(seen), tuple((name, _kinds_in(count)) for name, count in own), tuple(count for _, count in own)
    )


def _kinds(tensor: torch.Tensor) -> frozenset[NotFiniteKind] | None:
    count = _count(tensor)
    return None if count is None else _kinds_in(count)


def _kinds_in(count: NotFiniteCount) -> frozenset[NotFiniteKind]:
    return frozenset(kind for kind in KINDS if (count.nans if kind == "NaN" else count.infs))


def _count(tensor: torch.Tensor | None) -> NotFiniteCount | None:
    """None of a tensor that cannot be asked."""
    if tensor is None or not (tensor.is_floating_point() or tensor.is_complex()):
        return NotFiniteCount(0, 0, 0)
    try:
        value = unwrapped(tensor).detach()
        # Waits for another device; asked only where a NaN was found on the CPU.
        moments = measure(value, with_sample=False, is_deferred=False)
    except Exception:  # noqa: BLE001  # a tensor that answers no questions is one of which nothing is known
        return None
    return NotFiniteCount(moments.nans or 0, moments.infs or 0, moments.numel)


def _address(tensor: torch.Tensor) -> int | None:
    try:
        return tensor.untyped_storage().data_ptr()
    except Exception:  # noqa: BLE001  # sparse tensors and some subclasses have no storage
        return None
