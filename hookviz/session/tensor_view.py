"""One tensor at a glance: its values, its gradient, the hooks on it, and where autograd has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch

from hookviz.capture.capture import Capture
from hookviz.capture.store import TensorStore, quiet
from hookviz.graph.autograd_graph import TENSOR_ID, autograd_graph
from hookviz.graph.graph import Graph, Pill
from hookviz.graph.node_data import NodeData
from hookviz.hooks.entries import unwrapped
from hookviz.hooks.origin import origin_of
from hookviz.hooks.stand_in import is_off
from hookviz.session.picture import Picture
from hookviz.session.values import spark, value_line

_TABLES = {"tensor": "_backward_hooks", "post_accumulate_grad": "_post_accumulate_grad_hooks"}
"""Where a tensor keeps its hooks, by kind; the second exists on leaves alone."""


@dataclass(frozen=True, slots=True)
class TensorHook:
    """A hook on the tensor, in the order in which they run."""

    kind: str
    label: str
    source: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class TensorView:
    """What is known of a tensor at the moment when it was asked for; holds no tensor of the user's.

    Made by ``TensorView.of``; ``%hookviz w`` and ``hookviz.show(w)`` display that of ``w``.
    """

    name: str
    graph: Graph
    """The tensor as a card, and the operations that led to it."""
    node_data: Mapping[str, NodeData]
    hooks: tuple[TensorHook, ...]
    gradient: str
    """Its gradient in words: the norm, or why there is none."""
    explanation: str
    """What a learner should know of hooks and gradients at this place."""

    @classmethod
    def of(cls, tensor: torch.Tensor, name: str = "tensor", names: Mapping[int, str] | None = None) -> TensorView:
        """Look at a tensor: nothing is registered on it, run or kept.

        Args:
            tensor: Any tensor.
            name: What it is called.
            names: Names of other tensors by their id(), for the leaves that it was computed from.
        """
        store = TensorStore(keep_bytes=1 << 62)
        with quiet():
            value = store.take(tensor, name, is_gradient=False)
            grad = None if not (tensor.is_leaf or tensor.retains_grad) else tensor.grad
            gradient = None if grad is None else store.take(grad, name, is_gradient=True)
            standing, explanation = _standing(tensor)
        hooks = tuple(_hooks(tensor))
        graph = _with_pills(autograd_graph(tensor, name, names), hooks)
        words = standing if gradient is None else f"norm {_norm(gradient)}"
        card = NodeData(
            state="captured",
            spark=spark(value.summary.histogram),
            value=value_line(value),
            gradient="" if gradient is None else f"∇ {_norm(gradient)}",
            note=standing if gradient is None else "",
            hooks_off=frozenset(_hook_id(number) for number, hook in enumerate(hooks) if not hook.enabled),
        )
        return cls(name, graph, {TENSOR_ID: card}, hooks, words, explanation)

    def svg(self) -> str:
        """The tensor and its past as a stand-alone SVG."""
        return Picture.svg(self.graph, self.node_data)

    def text(self) -> str:
        """The same in words."""
        lines = [Picture.text(self.graph, self.node_data), f"gradient: {self.gradient}"]
        lines += [f"hooks: {len(self.hooks) or 'none'}"]
        lines += [
            f"  {'●' if hook.enabled else '○'} {hook.label}  {hook.kind}  {hook.source}".rstrip() for hook in self.hooks
        ]
        return "\n".join([*lines, self.explanation])

    def __repr__(self) -> str:
        return f"<TensorView of {self.name}: gradient {self.gradient}, {len(self.hooks)} hooks>"


def _standing(tensor: torch.Tensor) -> tuple[str, str]:
    """Why there is no gradient yet, and what one may expect of it."""
    if not tensor.requires_grad:
        return (
            "none: it does not require grad",
            "No gradient flows here, so no hook on it ever runs. requires_grad_() on a leaf changes that.",
        )
    if tensor.is_leaf:
        return (
            "none yet: no backward pass reached it",
            "A leaf: backward adds its gradient to .grad, after its hooks; each call of backward adds more.",
        )
    if tensor.retains_grad:
        return (
            "none yet: no backward pass reached it",
            "An intermediate result that retains its gradient: .grad has it after backward.",
        )
    return (
        "not kept: it is an intermediate result",
        "An intermediate result: its gradient passes by in backward. A hook sees it; retain_grad() keeps it in .grad.",
    )


def _norm(gradient: Capture) -> str:
    norm = gradient.moments.norm
    return "–" if norm is None else f"{norm:.2e}"


def _hooks(tensor: torch.Tensor) -> list[TensorHook]:
    found: list[TensorHook] = []
    with torch._C.DisableTorchFunction():
        for kind, attribute in _TABLES.items():
            table = getattr(tensor, attribute, None) or {}
            for value in list(table.values()):
                origin = origin_of(unwrapped(value))
                found.append(TensorHook(kind, origin.label, origin.source, not is_off(value)))
    return found


def _hook_id(number: int) -> str:
    return f"tensor:{number}:"


def _with_pills(graph: Graph, hooks: tuple[TensorHook, ...]) -> Graph:
    pills = tuple(
        Pill((_hook_id(number),), hook.label.rpartition(".")[2], "gradient") for number, hook in enumerate(hooks)
    )
    card, *others = graph.nodes
    return replace(graph, nodes=(replace(card, pills=pills), *others))
