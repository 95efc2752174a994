"""Writes module calls into the draft: inputs and output of the run, cards, containers."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from hookviz.tracing.draft import FlowDraft
from hookviz.tracing.flow import FlowKind
from hookviz.tracing.origins import Feed, Sources, shape_of
from hookviz.tracing.provenance import Frame, Provenance
from hookviz.tracing.signature import positional_names
from hookviz.tracing.tensors import named_tensors_in, tensors_in
from hookviz.tracing.visibility import Visibility

MAX_INPUTS = 8
"""An argument with more tensors than this is one input of the picture."""


class CallLog:
    """Draws what enters and leaves the modules that are called."""

    def __init__(self, draft: FlowDraft, provenance: Provenance) -> None:
        self._draft = draft
        self._provenance = provenance

    def draw_inputs(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Draw the inputs of the run: one for each tensor, named as the signature of forward names it."""
        labels: dict[int, list[str]] = {}
        tensors: dict[int, torch.Tensor] = {}
        for name, value in (*zip(positional_names(module, len(args)), args, strict=True), *kwargs.items()):
            named = named_tensors_in(name, value)
            for label, tensor in named:
                tensors[id(tensor)] = tensor
                names = labels.setdefault(id(tensor), [])
                if (shown := label if len(named) <= MAX_INPUTS else name) not in names:
                    names.append(shown)
        nodes: dict[str, int] = {}
        for key, tensor in tensors.items():
            label = " = ".join(labels[key])
            if label not in nodes:
                nodes[label] = self._draft.node("input", label)
                self._draft.describe(nodes[label], shape=shape_of(tensor))
            self._provenance.own(tensor, (nodes[label],))

    def draw_output(self, output: Any) -> None:
        """Draw the output of the run."""
        tensors = tensors_in(output)
        node = self._draft.node("output", "output")
        if tensors:
            self._draft.describe(node, shape=shape_of(tensors[0]))
        feeds = [Feed(self._provenance.origin(tensor) or (), shape_of(tensor)) for tensor in tensors]
        self._draft.give_back(node, feeds)

    def opened(
        self, module: nn.Module, path: str, given: list[torch.Tensor], inside: Visibility, caller: Frame | None
    ) -> Frame:
        """Draw a call that begins with these tensors among its arguments."""
        feeds = self._arriving(given, caller)
        kind: FlowKind = "module" if inside == "closed" else "container"
        node = self._draft.call(kind, type(module).__name__, path, caller.node if caller is not None else None)
        if inside == "closed":
            self._draft.feed(node, feeds)
        return Frame(module, path, node, inside, feeds, {id(tensor): _version(tensor) for tensor in given})

    def returned(self, module: nn.Module, frame: Frame, given: list[torch.Tensor], output: Any) -> Sources:
        """Complete a call that returned, and tell where its output comes from."""
        outputs = tensors_in(output)
        if outputs:
            self._draft.describe(frame.node, shape=shape_of(outputs[0]))
        if self._is_card(module, frame):
            self._leave_card(module, frame, given, outputs)
        elif frame.visibility == "children":
            for tensor in outputs:
                if self._provenance.known(tensor, frame) is None:
                    self._provenance.own(tensor, _chained(frame))
        else:
            self._explain(module, frame, outputs)
        return _union(self._provenance.origin(tensor) or () for tensor in outputs)

    def raised(self, module: nn.Module, frame: Frame) -> None:
        """Complete a call that raised."""
        self._is_card(module, frame)

    def _arriving(self, tensors: list[torch.Tensor], caller: Frame | None) -> list[Feed]:
        if caller is None:
            return [Feed(self._provenance.origin(tensor) or (), shape_of(tensor)) for tensor in tensors]
        if caller.visibility == "children":
            self._follow_chain(tensors, caller)
        elif caller.is_blind:
            self._explain(caller.module, caller, tensors)
        return self._provenance.feeds(tensors, caller)

    def _follow_chain(self, tensors: list[torch.Tensor], caller: Frame) -> None:
        """Explain what enters a child of a class of torch whose own operations are not seen.

        These classes are chains: a child gets what the child before it gave, or what entered the
        whole, if need be in another form (a mask as floats, a batch as a nested tensor).
        """
        known = {id(tensor): self._provenance.known(tensor, caller) for tensor in tensors}
        explained = set(_union(sources for sources in known.values() if sources))
        for tensor in tensors:
            if known[id(tensor)] is None:
                entered = _union(feed.sources for feed in caller.feeds if explained.isdisjoint(feed.sources))
                self._provenance.own(tensor, entered if explained else _chained(caller))

    def _is_card(self, module: nn.Module, frame: Frame) -> bool:
        """Whether a call is one card; a container is one if nothing of its inside was seen."""
        # A lazy module has become another class during its first call.
        self._draft.describe(frame.node, label=type(module).__name__)
        if frame.visibility == "closed":
            return True
        if len(self._draft) > frame.node + 1:
            return False
        self._draft.describe(frame.node, kind="module")
        self._draft.feed(frame.node, frame.feeds)
        return True

    def _leave_card(
        self, module: nn.Module, frame: Frame, inputs: list[torch.Tensor], outputs: list[torch.Tensor]
    ) -> None:
        returned = {id(tensor) for tensor in outputs}
        written: set[int] = set()
        for tensor in inputs:
            if id(tensor) in frame.versions and _was_written(module, tensor, frame.versions[id(tensor)], returned):
                written.add(id(tensor))
                self._draft.describe(frame.node, in_place=True)
                self._provenance.write(tensor, (frame.node,))
        for tensor in outputs:
            if id(tensor) not in written:
                self._provenance.own(tensor, (frame.node,))
        if (returned - written) & frame.versions.keys():
            self._draft.describe(frame.node, passes_through=True)

    def _explain(self, module: nn.Module, frame: Frame, outputs: list[torch.Tensor]) -> None:
        """Find out where tensors in a container come from that nobody saw being made."""
        unknown = [tensor for tensor in outputs if self._provenance.sources(tensor, frame) is None]
        if not unknown:
            return
        # A tensor that the module keeps as an attribute was there before: it is a constant of this run.
        kept = {id(tensor) for tensor in tensors_in(dict(vars(module)))}
        made = [tensor for tensor in unknown if id(tensor) not in kept]
        if made:
            node = self._draft.node("op", "compiled" if frame.is_blind else "untraced", frame.path, frame.node)
            # What compiled code was given is not known; the last child's output is the nearest.
            last = [Feed((source,), self._draft.shape_of(source)) for source in frame.last] if frame.is_blind else []
            self._draft.feed(node, last or frame.feeds)
            self._draft.describe(node, shape=shape_of(made[0]))
            for tensor in made:
                self._provenance.own(tensor, (node,))


def _union(groups: Iterable[Sources]) -> Sources:
    return tuple(sorted({source for group in groups for source in group}))


def _chained(frame: Frame) -> Sources:
    return frame.last or _union(feed.sources for feed in frame.feeds)


def _version(tensor: torch.Tensor) -> int | None:
    try:
        return tensor._version
    except Exception:  # noqa: BLE001  # inference tensors have none
        return None


def _was_written(module: nn.Module, tensor: torch.Tensor, version: int | None, returned: set[int]) -> bool:
    if version is None:
        return module.__dict__.get("inplace") is True and id(tensor) in returned
    return _version(tensor) != version
