"""Where a tensor comes from, by all that can be known about it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import nn

from hookviz.tracing.draft import FlowDraft
from hookviz.tracing.grad_steps import GradSteps, function_name, grad_function
from hookviz.tracing.origins import Feed, Origins, Sources, shape_of
from hookviz.tracing.parameters import ParameterPaths
from hookviz.tracing.visibility import Visibility


@dataclass(slots=True)
class Frame:
    """A module call that is going on."""

    module: nn.Module
    path: str
    node: int
    visibility: Visibility
    feeds: list[Feed]
    """What entered it."""
    versions: dict[int, int | None]
    """Version of each tensor that entered it, by the tensor's id: grows with writes in place."""
    escaped: list[Feed] = field(default_factory=list)
    """What its own forward handed to NumPy."""
    last: Sources = ()
    """Where the output of the last child call comes from."""
    hidden: int = 0
    """Calls going on inside that are not shown."""
    has_switched: bool = False
    """It turned the sight of operations on or off, to be undone when it ends."""
    is_blind: bool = False
    """Its operations are not seen, since it calls compiled code."""
    is_repetition: bool = False
    """A backward pass computes again what is in the flow already."""


class Provenance:
    """Asks one witness after the other: identity, the model's parameters, autograd, NumPy."""

    def __init__(self, model: nn.Module, draft: FlowDraft) -> None:
        self._draft = draft
        self._origins = Origins()
        self._grad_steps = GradSteps()
        self._parameters = ParameterPaths(model)
        self._parameter_nodes: dict[str, int] = {}

    def own(self, tensor: torch.Tensor, sources: Sources) -> None:
        """Say where the numbers of this tensor come from."""
        for layer in _layers(tensor):
            self._origins.own(layer, sources)
            self._grad_steps.note(layer, sources)

    def hand_on(self, tensor: torch.Tensor, given: torch.Tensor, sources: Sources) -> None:
        """Say that a tensor holds numbers of another one, which come from these sources."""
        if self._origins.inherit(tensor, given):
            self._grad_steps.note(tensor, self._origins.sources(tensor) or sources)
        else:
            self.own(tensor, sources)

    def write(self, tensor: torch.Tensor, sources: Sources) -> None:
        """Say that this tensor was just written in place."""
        self._origins.write(tensor, sources)
        self._grad_steps.note(tensor, sources)

    def origin(self, tensor: torch.Tensor) -> Sources | None:
        """Where a tensor comes from if it was seen before, else None."""
        return self._origins.sources(tensor)

    def known(self, tensor: torch.Tensor, frame: Frame) -> Sources | None:
        """Where a tensor comes from if it was seen before or is a parameter, else None."""
        for layer in _layers(tensor):
            sources = self._origins.sources(layer)
            if sources is not None:
                return sources
        path = self._parameters.path_of(tensor, frame.module, frame.path)
        if path is None:
            return None
        if path not in self._parameter_nodes:
            label = path.rpartition(".")[2]
            self._parameter_nodes[path] = self._draft.node("parameter", label, path, frame.node)
            self._draft.describe(self._parameter_nodes[path], shape=shape_of(tensor))
        return (self._parameter_nodes[path],)

    def sources(self, tensor: torch.Tensor, frame: Frame) -> Sources | None:
        """Where a tensor comes from; draws a node for a function that was not seen but left a trace."""
        sources = self.known(tensor, frame)
        if sources is not None:
            return sources
        feeds = self._grad_steps.before(tensor, lambda leaf: self.known(leaf, frame))
        if feeds:
            return self._unseen(tensor, function_name(tensor), feeds, frame)
        if frame.escaped and grad_function(tensor) is None:
            return self._unseen(tensor, "numpy", frame.escaped, frame)
        return None

    def feeds(self, tensors: list[torch.Tensor], frame: Frame) -> list[Feed]:
        """What these tensors bring into a node that this call of a module is about to make."""
        return [Feed(self.sources(tensor, frame) or (), shape_of(tensor)) for tensor in tensors]

    def clear(self) -> None:
        """Forget all tensors and the model."""
        self._origins.clear()
        self._grad_steps.clear()
        self._parameters.clear()

    def _unseen(self, tensor: torch.Tensor, label: str, feeds: list[Feed], frame: Frame) -> Sources:
        node = self._draft.node("op", label, frame.path, frame.node)
        self._draft.feed(node, feeds)
        self._draft.describe(node, shape=shape_of(tensor))
        self.own(tensor, (node,))
        return (node,)


def _layers(tensor: torch.Tensor) -> Iterator[torch.Tensor]:
    """A tensor and what it wraps: ``vmap`` and ``grad`` of torch.func hand on wrappers of what they are given."""
    yield tensor
    if torch._C._functorch.peek_interpreter_stack() is None:
        return
    while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
        yield tensor
