"""Where a tensor stands in the autograd graph: what it was computed from, as far back as is well readable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import torch

from hookviz.graph.graph import Edge, Graph, Node
from hookviz.hooks.shape_text import shape_text

MOST_NODES = 40
"""Nearest first; what lies behind is one node ``…``."""

TENSOR_ID = "module:tensor"
"""Node of the tensor itself; a card, so that it has live lines and hooks."""

_BACKWARD = re.compile(r"^(.*?)_?Backward(\d*)$")


class GradientFunction(Protocol):
    """A node of torch's autograd graph."""

    @property
    def next_functions(self) -> tuple[tuple[GradientFunction | None, int], ...]:
        """Whose outputs the operation took; None for an input that needs no gradient."""

    def name(self) -> str:
        """``AddmmBackward0``, ``torch::autograd::AccumulateGrad``."""


def autograd_graph(tensor: torch.Tensor, name: str, names: Mapping[int, str] | None = None) -> Graph:
    """The operations that led to a tensor, nearest first, up to 40 of them.

    It reads the graph and neither runs nor keeps anything of it.

    Args:
        tensor: Whose past is asked for.
        name: What its card is called.
        names: Names of tensors by their id(), for the leaves.
    """
    with torch._C.DisableTorchFunction():
        function = tensor.grad_fn
        is_leaf, requires_grad = tensor.is_leaf, tensor.requires_grad
        detail = " · ".join(
            part
            for part in ("×".join(map(str, tensor.shape)), _dtype(tensor), _standing(is_leaf, requires_grad))
            if part
        )
    card = Node(TENSOR_ID, "module", "", name, type(tensor).__name__, detail=detail)
    walk = _Walk(names or {}, [card])
    if function is not None:
        walk.follow(function)
    return Graph(name, tuple(walk.nodes), (), tuple(walk.edges), is_traced=True)


def operation_name(function_name: str) -> str:
    """``AddmmBackward0`` as ``addmm``; a Function of one's own, ``ScaledBackward``, by its class."""
    plain = function_name.rpartition("::")[2]
    match = _BACKWARD.match(plain)
    if match is None:
        return plain
    inner, number = match.groups()
    return _snake(inner) if number else inner


@dataclass
class _Walk:
    names: Mapping[int, str]
    nodes: list[Node]
    edges: list[Edge] = field(default_factory=list)
    ids: dict[GradientFunction, str] = field(default_factory=dict)
    is_cut: bool = False

    def follow(self, function: GradientFunction) -> None:
        """All functions behind this one, breadth first."""
        self._lead(function, TENSOR_ID)
        waiting = [function]
        while waiting:
            current = waiting.pop(0)
            for source, _ in current.next_functions:
                if source is None:
                    continue
                is_new = source not in self.ids
                if is_new and len(self.nodes) >= MOST_NODES:
                    self._cut(self.ids[current])
                    continue
                self._lead(source, self.ids[current])
                if is_new:
                    waiting.append(source)

    def _lead(self, source: GradientFunction, target: str) -> None:
        if source not in self.ids:
            self.ids[source] = f"op::{source.name()}:{len(self.ids)}"
            self.nodes.append(self._node(self.ids[source], source))
        self._edge(self.ids[source], target)

    def _node(self, node_id: str, function: GradientFunction) -> Node:
        leaf = getattr(function, "variable", None)
        if isinstance(leaf, torch.Tensor):
            shape = shape_text(leaf.shape)
            return Node(node_id, "parameter", "", f"{self.names.get(id(leaf), 'leaf')} {shape}")
        return Node(node_id, "op", "", operation_name(function.name()))

    def _cut(self, target: str) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.nodes.append(Node("op::more:0", "op", "", "…"))
        self._edge("op::more:0", target)

    def _edge(self, source: str, target: str) -> None:
        edge = Edge(f"{source}->{target}", source, target)
        if edge not in self.edges:
            self.edges.append(edge)


def _standing(is_leaf: bool, requires_grad: bool) -> str:
    if not requires_grad:
        return "requires no gradient"
    return "leaf" if is_leaf else "intermediate"


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
