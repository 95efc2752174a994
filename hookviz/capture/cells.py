"""Which tensor has which cell for its gradient: one that leaves a module and enters the next has one cell."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from hookviz.capture.gradient import GradientCell
from hookviz.capture.handed_on import version_of

if TYPE_CHECKING:
    from hookviz.capture.gradient import GradientHooks


class Cells:
    """The cells of one run. Knows tensors weakly. All of it runs under ``quiet``."""

    def __init__(self, hooks: GradientHooks) -> None:
        self._hooks = hooks
        self._known: dict[int, tuple[weakref.ref[torch.Tensor], int, GradientCell]] = {}

    def find(self, tensor: torch.Tensor, version: int | None) -> GradientCell | None:
        """The cell that it got earlier, if it was not written into since; ``version`` is ``version_of`` it."""
        known = self._known.get(id(tensor))
        if known is not None and known[1] == version and known[0]() is tensor:
            return known[2]
        return None

    def of_input(self, tensor: torch.Tensor, path: str) -> GradientCell | None:
        """The cell of a tensor that enters the module at a path; None if no gradient will come."""
        return self._cell(tensor, path, is_output=False)

    def of_output(self, tensor: torch.Tensor, path: str) -> GradientCell | None:
        """The cell of a tensor that leaves the module at a path; None if no gradient will come."""
        return self._cell(tensor, path, is_output=True)

    def _cell(self, tensor: torch.Tensor, path: str, *, is_output: bool) -> GradientCell | None:
        if not tensor.requires_grad or _is_wrapped(tensor):
            return None
        version = version_of(tensor)
        known = self._known.get(id(tensor))
        if known is not None and known[1] == version and known[0]() is tensor:
            return known[2]
        cell = GradientCell(path)
        self._hooks.attach(tensor, cell, is_output=is_output)
        self._known[id(tensor)] = weakref.ref(tensor), version, cell
        if is_output and tensor._is_view():
            self._hooks.attach_to_base(tensor, cell)
        return cell


_is_wrapped: Callable[[torch.Tensor], bool] = torch._C._functorch.is_functorch_wrapped_tensor
