"""Which tensor has which cell for its gradient: one that leaves a module and enters the next has one cell."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from hookviz.capture.call import GRADIENTS_OFF, UNDER_INFERENCE_MODE, UNDER_NO_GRAD
from hookviz.capture.gradient import GradientCell
from hookviz.capture.handed_on import version_of
from hookviz.capture.transforms import is_wrapped
from hookviz.capture.ungraded import why_no_gradient

if TYPE_CHECKING:
    from torch import nn

    from hookviz.capture.call import ModuleCall
    from hookviz.capture.gradient import GradientHooks
    from hookviz.capture.plan import Plan


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

    def wait(
        self,
        call: ModuleCall,
        plan: Plan,
        module: nn.Module,
        given: Sequence[torch.Tensor],
        tensors: Sequence[torch.Tensor],
        *,
        with_graph: bool,
    ) -> None:
        """Note at a call with which cells its outputs wait for their gradients, and why some wait for none.

        Args:
            call: The call.
            plan: What of it is captured.
            module: The module that was called.
            given: The tensors that entered.
            tensors: Those that it returned.
            with_graph: Whether a graph was made.
        """
        if not (plan.gradients and with_graph):
            call.output_cells = [None] * len(tensors)
            under = UNDER_INFERENCE_MODE if torch.is_inference_mode_enabled() else UNDER_NO_GRAD
            call.output_reasons = [under if plan.gradients else GRADIENTS_OFF] * len(tensors)
            return
        cells = [self.of_output(tensor, call.path) for tensor in tensors]
        call.output_cells = cells
        call.output_reasons = [
            "" if cell is not None else why_no_gradient(module, given, tensor)
            for cell, tensor in zip(cells, tensors, strict=True)
        ]
        call.needs_grad = any(cell is not None for cell in cells)

    def _cell(self, tensor: torch.Tensor, path: str, *, is_output: bool) -> GradientCell | None:
        if not tensor.requires_grad or is_wrapped(tensor):
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
