"""Writes the functions that a container's forward calls into the draft."""

from typing import Any, NamedTuple

import torch

from hookviz.tracing.draft import FlowDraft
from hookviz.tracing.operations import Operation, operation_of
from hookviz.tracing.origins import Sources, is_fractional, shape_of
from hookviz.tracing.provenance import Frame, Provenance
from hookviz.tracing.tensors import is_tensor, tensors_given, tensors_in


class _Call(NamedTuple):
    """A function that returned, and the tensors that went in and came out."""

    operation: Operation
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    inputs: list[torch.Tensor]
    outputs: list[torch.Tensor]


class OperationLog:
    """Draws a node for a function that makes new numbers, and follows the data through all others."""

    def __init__(self, draft: FlowDraft, provenance: Provenance) -> None:
        self._draft = draft
        self._provenance = provenance
        self._operations: dict[Any, Operation] = {}

    def record(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any, frame: Frame) -> None:
        """Take note of a function that just returned."""
        operation = self._operations.get(function)
        if operation is None:
            operation = self._operations[function] = operation_of(function)
        if operation.effect == "ignore":
            return
        # The user's modes and tensor subclasses must not see what is asked of tensors here.
        with torch._C.DisableTorchFunction():
            outputs = tensors_in(output) if is_tensor(output) or issubclass(type(output), (tuple, list, dict)) else []
            inputs = tensors_given(args, kwargs)
            self._follow(_Call(operation, args, kwargs, inputs, outputs), frame)

    def _follow(self, call: _Call, frame: Frame) -> None:
        effect = call.operation.effect
        if effect == "leave":
            frame.escaped += self._provenance.feeds(call.inputs, frame)
        elif effect == "constant":
            self._own(call.outputs, ())
        elif effect == "import":
            self._import(call)
        elif effect == "adopt":
            self._hand_on(call.inputs[-1], call.inputs[:1], frame)
        elif effect == "arrange_each" and len(call.inputs) == len(call.outputs):
            for source, target in zip(call.inputs, call.outputs, strict=True):
                self._hand_on(source, [target], frame)
        elif call.inputs and (effect in {"arrange", "arrange_each"} or _is_plain_index(call)):
            self._hand_on(call.inputs[0], call.outputs, frame)
        else:
            self._compute(call, frame)

    def _compute(self, call: _Call, frame: Frame) -> None:
        written, is_read = _written(call)
        given = {id(tensor) for tensor in call.inputs}
        if not written and all(id(tensor) in given for tensor in call.outputs):
            # Nothing was made: the same object came back, as from dropout in evaluation.
            return
        unread = set() if is_read else {id(tensor) for tensor in written}
        feeds = self._provenance.feeds([tensor for tensor in call.inputs if id(tensor) not in unread], frame)
        sources: Sources = ()
        if any(feed.sources for feed in feeds):
            node = self._draft.node("op", call.operation.name, frame.path, frame.node)
            self._draft.feed(node, feeds)
            made = call.outputs or written
            self._draft.describe(
                node,
                in_place=bool(written),
                shape=shape_of(made[0]) if made else None,
                is_fractional=tuple(map(is_fractional, made)),
            )
            sources = (node,)
        for tensor in written:
            self._provenance.write(tensor, sources)
        overwritten = {id(tensor) for tensor in written}
        self._own([tensor for tensor in call.outputs if id(tensor) not in overwritten], sources)

    def _import(self, call: _Call) -> None:
        """A tensor made from an array stays unknown, so that it is connected to what went to NumPy."""
        is_array = any(str(type(argument).__module__).partition(".")[0] == "numpy" for argument in call.args[:1])
        if not call.inputs and not is_array and "from" not in call.operation.name:
            self._own(call.outputs, ())

    def _hand_on(self, source: torch.Tensor, outputs: list[torch.Tensor], frame: Frame) -> None:
        sources = self._provenance.sources(source, frame)
        if sources is not None:
            for tensor in outputs:
                if tensor is not source:
                    self._provenance.hand_on(tensor, source, sources)

    def _own(self, tensors: list[torch.Tensor], sources: Sources) -> None:
        for tensor in tensors:
            self._provenance.own(tensor, sources)


def _is_plain_index(call: _Call) -> bool:
    """Whether this takes a slice; an index made of tensors chooses by data and is an operation."""
    return call.operation.name == "getitem" and not tensors_in(call.args[1:])


def _written(call: _Call) -> tuple[list[torch.Tensor], bool]:
    """The tensors that the function wrote into, and whether it read them before."""
    if call.kwargs.get("out") is not None:
        return tensors_in(call.kwargs["out"]), False
    if call.operation.effect in {"write", "overwrite"}:
        return tensors_in(call.args[:1]), call.operation.effect == "write"
    if call.kwargs.get("inplace") is True:
        return call.outputs, True
    return [], True
