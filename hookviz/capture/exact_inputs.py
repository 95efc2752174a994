"""The gradient that reached an input through one call alone, found by walking the autograd graph.

The gradient at a tensor is the sum over all its uses. The share of one call flows over those edges
of the graph that were made during the call and lead out of it at the input; hooks on the nodes
before these edges see it. The walk costs time for each node, so it is done where it was asked for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch import nn
from torch.autograd.graph import Node
from torch.utils._python_dispatch import _disable_current_modes

from hookviz.capture.call import ModuleCall
from hookviz.capture.gradient import GradientCell

MOST_MODULES = 200
"""So many modules below the call are searched for tensors that forward left on them."""


@dataclass(frozen=True, slots=True)
class GradientEdge:
    """Where the gradient of a tensor goes: a node and the number of its output."""

    node: Node
    output_nr: int


def gradient_edge(tensor: torch.Tensor) -> GradientEdge | None:
    """The edge of a tensor that requires grad; as ``torch.autograd.graph.get_gradient_edge``, but unseen.

    That function runs an operation that the user's modes would see.
    """
    with torch._C.DisableTorchFunction():
        node = tensor.grad_fn
        if node is None:
            # A leaf: its AccumulateGrad node is what any view of it leads to.
            with _disable_current_modes(), torch.enable_grad():
                try:
                    view = tensor.view_as(tensor)
                except (RuntimeError, NotImplementedError):
                    # Sparse and strided nested tensors have no view_as.
                    view = tensor.clone()
            if view.grad_fn is None:
                return None
            node = view.grad_fn.next_functions[0][0]
        return GradientEdge(node, tensor.output_nr) if node is not None else None


class ExactInputs:
    """Follows the calls of one run."""

    def __init__(
        self,
        accumulate: Callable[[GradientCell, torch.Tensor], None],
        guard: Callable[..., None],
    ) -> None:
        self._accumulate = accumulate
        self._guard = guard

    def follow(
        self,
        module: nn.Module,
        call: ModuleCall,
        edges: Sequence[GradientEdge | None],
        sequence: int,
        outputs: Sequence[torch.Tensor],
    ) -> list[GradientCell | None]:
        """Cells that will hold the shares of this call, one per input.

        Where an input is an output as well (Identity), or an output was edited in place later, the
        share cannot be told from the whole; the whole tensor's cell then stands in the list.

        Args:
            module: The module that was called; tensors that forward left on it are ways out as well.
            call: Its call; the cells of its inputs are those of the whole tensors.
            edges: Where the gradients of the inputs go, None for those that need none.
            sequence: Autograd's count of nodes when the call began.
            outputs: The tensors that it returned and that require grad.
        """
        inputs: dict[tuple[int, int], list[int]] = {}
        for position, edge in enumerate(edges):
            if edge is not None:
                inputs.setdefault((id(edge.node), edge.output_nr), []).append(position)
        cells: list[GradientCell | None] = [None if edge is None else GradientCell(call.path) for edge in edges]
        work: list[Node] = []
        # Nodes are compared by address, so they must stay alive for the time of the walk.
        alive: list[Any] = []
        for output in outputs:
            edge = gradient_edge(output)
            if edge is None:
                continue
            alive.append(edge)
            passed = inputs.get((id(edge.node), edge.output_nr))
            if passed is None:
                work.append(edge.node)
            for position in passed or ():
                cells[position] = call.input_cells[position]
        work += _left_on_modules(module, sequence)
        self._hook_ways_out(work, inputs, cells, sequence, alive)
        return cells

    def _hook_ways_out(
        self,
        work: list[Node],
        inputs: dict[tuple[int, int], list[int]],
        cells: list[GradientCell | None],
        sequence: int,
        alive: list[Any],
    ) -> None:
        seen: set[Node] = set()
        while work:
            node = work.pop()
            if node in seen:
                continue
            seen.add(node)
            ways_out: list[tuple[int, list[weakref.ref[GradientCell]]]] = []
            for slot, (following, output_nr) in enumerate(node.next_functions):
                if following is None:
                    continue
                alive.append(following)
                positions = inputs.get((id(following), output_nr))
                if positions is not None:
                    targets = [cell for position in positions if (cell := cells[position]) is not None]
                    ways_out.append((slot, [weakref.ref(cell) for cell in targets]))
                elif following._sequence_nr() >= sequence and "AccumulateGrad" not in following.name():
                    work.append(following)
            if ways_out:
                node.register_hook(self._hook(ways_out))

    def _hook(
        self, ways_out: list[tuple[int, list[weakref.ref[GradientCell]]]]
    ) -> Callable[[Sequence[torch.Tensor | None], Sequence[torch.Tensor | None]], None]:
        def add(gradients: Sequence[torch.Tensor | None]) -> None:
            for slot, references in ways_out:
                gradient = gradients[slot]
                for reference in references:
                    cell = reference()
                    if gradient is not None and cell is not None:
                        self._accumulate(cell, gradient)

        def hook(grad_inputs: Sequence[torch.Tensor | None], _: Sequence[torch.Tensor | None]) -> None:
            self._guard(add, grad_inputs)

        return hook


def _left_on_modules(module: nn.Module, sequence: int) -> list[Node]:
    """Nodes of tensors that the call stored on modules (``self.aux_loss = ...``): ways to a loss as well."""
    found: list[Node] = []
    for below in islice(module.modules(), MOST_MODULES):
        for value in list(below.__dict__.values()):
            if issubclass(type(value), torch.Tensor):
                node = value.grad_fn
                if node is not None and node._sequence_nr() >= sequence:
                    found.append(node)
    return found
