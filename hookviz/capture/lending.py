"""Which tensors need no copy, because nobody writes into them later: learned from one captured run to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import torch

if TYPE_CHECKING:
    from hookviz.capture.capture import Capture

Source: TypeAlias = tuple[str, bool]
"""The path of a module, and whether it is its gradient that is meant."""

MOST_MEMORY: Final = 1.25
"""A tensor whose memory is larger than itself by more than this factor is part of another: that would be held, too."""


class Lending:
    """Has an eye on the large tensors of each captured run until the next one begins.

    To copy them takes as long as to measure them, and memory that the model's own then has to make room for. So what
    comes from a module whose tensors nobody wrote into in an earlier run, as ``ReLU(inplace=True)`` does, is
    recorded without a copy. Where somebody does so for the first time, the values of that one tensor are lost, not
    its numbers; from then on it is copied.
    """

    def __init__(self) -> None:
        self._safe: set[Source] = set()
        self._written: set[Source] = set()
        self._lent: list[tuple[Source, Capture]] = []
        self._copied: list[tuple[Source, torch.Tensor, int]] = []
        """A tensor without memory that counts the writes into the one that was copied, and how many there were."""

    def lends(self, tensor: torch.Tensor, value: torch.Tensor, path: str, *, is_gradient: bool) -> bool:
        """Whether to record a large tensor of the CPU without a copy.

        Args:
            tensor: The tensor.
            value: The same, detached.
            path: Of the module that it belongs to.
            is_gradient: Whether it is a gradient.
        """
        return (
            (path, is_gradient) in self._safe
            and not (tensor.is_leaf and tensor.requires_grad)
            and not value.is_inference()
            and not value.is_neg()
            and value.untyped_storage().nbytes() <= MOST_MEMORY * value.nbytes
        )

    def lent(self, capture: Capture, path: str, *, is_gradient: bool) -> None:
        """This one was recorded without a copy."""
        self._lent.append(((path, is_gradient), capture))

    def copied(self, value: torch.Tensor, path: str, *, is_gradient: bool) -> None:
        """This one was copied; whether that will be needed next time is seen when the run is settled."""
        source = path, is_gradient
        if source in self._safe or source in self._written or value.is_inference():
            return
        counter = value.detach()
        version = counter._version
        # Counts writes into the memory of both without keeping that memory.
        counter.data = torch.empty(0, dtype=value.dtype, device=value.device)
        self._copied.append((source, counter, version))

    def settle(self) -> None:
        """The run is over, with its backward: see what was written into. Runs under ``quiet``."""
        for source, capture in self._lent:
            if capture.is_overwritten:
                capture.lose()
                self._written.add(source)
        for source, counter, version in self._copied:
            (self._safe if counter._version == version else self._written).add(source)
        self._safe -= self._written
        self._lent.clear()
        self._copied.clear()
