"""Which tensors need no copy, because nobody writes into them later: learned from one captured run to the next."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Final

import torch

from hookviz.capture.lent import Source
from hookviz.capture.numbers import is_dense
from hookviz.capture.quiet import quiet
from hookviz.capture.transforms import transform

if TYPE_CHECKING:
    from hookviz.capture.capture import Capture

MOST_MEMORY: Final = 1.25
"""A tensor whose memory is larger than itself by more than this factor is part of another: that would be held, too."""


class Lending:
    """Has an eye on the large tensors of each captured run until the next but one begins.

    To copy them takes as long as to measure them, and memory that the model's own then has to make room for. So what
    comes from a module whose tensors nobody wrote into in an earlier run, as ``ReLU(inplace=True)`` does, is
    recorded without a copy. Where somebody does so for the first time, the values of that one tensor are lost, not
    its numbers; from then on it is copied.

    Some write in the next run only: into a buffer that each run fills anew, or into a gradient to add another.
    """

    def __init__(self) -> None:
        self._sources: dict[tuple[str, bool], Source] = {}
        self._lent: list[tuple[Source, weakref.ref[Capture]]] = []
        self._lent_before: list[tuple[Source, weakref.ref[Capture]]] = []
        self._copied: list[tuple[Source, torch.Tensor, int]] = []
        """A tensor without memory that counts the writes into the one that was copied, and how many there were."""
        self._copied_before: list[tuple[Source, torch.Tensor, int]] = []
        self._held: list[tuple[Source, torch.Tensor, int]] = []
        """A gradient itself, and how many writes into it there were."""
        self._held_before: list[tuple[Source, torch.Tensor, int]] = []

    def lender(self, tensor: torch.Tensor, value: torch.Tensor, path: str, *, is_gradient: bool) -> Source | None:
        """Where a large tensor of the CPU comes from, if it may be recorded without a copy.

        Args:
            tensor: The tensor.
            value: The same, detached.
            path: Of the module that it belongs to.
            is_gradient: Whether it is a gradient.
        """
        source = self._sources.get((path, is_gradient))
        if (
            source is not None
            and source.is_safe
            and not source.is_written
            and transform() is None
            and not (tensor.is_leaf and tensor.requires_grad)
            and not value.is_inference()
            and not value.is_neg()
            and _has_memory_of_its_own(value)
            and (value.is_contiguous() or is_dense(value))
        ):
            return source
        return None

    def lent(self, capture: Capture, source: Source) -> None:
        """This one was recorded without a copy."""
        self._lent.append((source, weakref.ref(capture)))

    def copied(self, value: torch.Tensor, path: str, *, is_gradient: bool, room: int) -> None:
        """This one was copied; whether that will be needed next time is seen when the run is settled.

        Args:
            value: The tensor, detached.
            path: Of the module that it belongs to.
            is_gradient: Whether it is a gradient.
            room: How many bytes more may be kept.
        """
        source = self._sources.setdefault((path, is_gradient), Source())
        if value.is_inference() or transform() is not None:
            return
        if source.is_written and is_gradient and not source.was_held:
            # Autograd adds one gradient to another in the memory of the first where nobody else has it
            # (``torch/csrc/autograd/input_buffer.cpp``). Whether anybody else writes there is seen if it is held once.
            if self._held_bytes() + value.nbytes <= room:
                self._held.append((source, value, value._version))
            return
        if source.is_safe or source.is_written:
            return
        counter = value.detach()
        version = counter._version
        # Counts writes into the memory of both without keeping that memory.
        counter.data = torch.empty(0, dtype=value.dtype, device=value.device)
        self._copied.append((source, counter, version))

    def _held_bytes(self) -> int:
        return sum(gradient.nbytes for _, gradient, _ in (*self._held_before, *self._held))

    def drop(self) -> None:
        """Hold no gradient any more: no run comes that could tell something by it."""
        self._held, self._held_before = [], []

    def settle(self) -> None:
        """The run is over, with its backward: see what was written into, of this one and of the one before."""
        with quiet():
            for source, counter, version in (*self._copied_before, *self._copied):
                if counter._version == version:
                    source.is_safe = True
                else:
                    source.is_written = True
            for source, gradient, version in self._held_before:
                is_written = gradient._version != version
                # Of several, each counts.
                source.is_written = is_written or (source.was_held and source.is_written)
                source.was_held, source.is_safe = True, not source.is_written
            lent = [
                (source, capture)
                for source, reference in (*self._lent_before, *self._lent)
                if (capture := reference()) is not None
            ]
            for _, capture in lent:
                if capture.is_overwritten:
                    capture.lose()
            for source, capture in lent:
                if source.is_written:
                    # As long as it is there.
                    capture.own()
        self._copied_before, self._copied = self._copied, []
        self._held_before, self._held = self._held, []
        self._lent_before, self._lent = self._lent, []


def _has_memory_of_its_own(value: torch.Tensor) -> bool:
    """Whether to hold it holds nothing else.

    What a data loader's workers send lies in shared memory, of which there is little, and takes an open file each;
    an array of NumPy may be a part of a whole data set.
    """
    storage = value.untyped_storage()
    return storage.nbytes() <= MOST_MEMORY * value.nbytes and storage.resizable() and not storage.is_shared()
