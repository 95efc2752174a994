"""The tracer: makes a flow from one run of the user's own model."""

import inspect
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import nn

from hookviz.tracing.draft import FlowDraft
from hookviz.tracing.flow import Flow, FlowKind
from hookviz.tracing.mode import OperationMode
from hookviz.tracing.operation_log import OperationLog
from hookviz.tracing.origins import Feed, Sources, shape_of
from hookviz.tracing.provenance import Frame, Provenance
from hookviz.tracing.tensors import named_tensors_in, tensors_in
from hookviz.tracing.visibility import Visibility, is_compiled_wrapper, visibility

Args: TypeAlias = tuple[Any, ...]
Kwargs: TypeAlias = dict[str, Any]

MAX_INPUTS = 8
"""An argument with more tensors than this is one input of the picture."""


class Tracer:
    """Follows one run, told of each module call, and sees the operations in between by itself.

    Nothing it does reaches the run: it reads tensors' identities and shapes, runs no operation of
    torch, and holds tensors by weak references. A fault of its own ends the tracing and is told in
    ``problem``. Only the thread that made the first call is followed.

    Args:
        model: Whose parameters and paths the flow names; the outermost call may be that of a part.
        is_compiled: Whether a module runs compiled, so that nothing inside can be seen.
    """

    def __init__(self, model: nn.Module, *, is_compiled: Callable[[nn.Module], bool] = is_compiled_wrapper) -> None:
        self.problem = ""
        """What ended the tracing early, else empty."""
        self._is_compiled = is_compiled
        self._thread: int | None = None
        self._graph_task = -1
        self._has_failed = False
        self._frames: list[Frame] = []
        self._switched: list[bool] = []
        self._is_on = False
        self._draft = FlowDraft()
        self._provenance = Provenance(model, self._draft)
        self._operations = OperationLog(self._draft, self._provenance)
        self._mode = OperationMode(self._record)

    def enter(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs) -> None:
        """Tell that a module is about to be called with these arguments."""
        if self._is_off():
            return
        try:
            with torch._C.DisableTorchFunction():
                self._enter(module, path, args, kwargs)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._give_up(error)

    def leave(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs, output: Any) -> None:
        """Tell that this call returned."""
        if self._is_off():
            return
        try:
            with torch._C.DisableTorchFunction():
                self._leave(module, path, args, kwargs, output)
        except Exception as error:  # noqa: BLE001
            self._give_up(error)

    def fail(self, module: nn.Module, path: str) -> None:
        """Tell that this call raised."""
        if self._is_off():
            return
        self._has_failed = True
        try:
            with torch._C.DisableTorchFunction():
                self._fail(module, path)
        except Exception as error:  # noqa: BLE001
            self._give_up(error)

    def finish(self) -> Flow:
        """The flow as far as it is known; from now on no tensor and no mode of the tracer is left."""
        self._mode.take_off()
        self._frames.clear()
        self._provenance.clear()
        return self._draft.flow(keep_unused=self._has_failed)

    def _is_off(self) -> bool:
        thread = threading.get_ident()
        if self._thread is None:
            self._thread = thread
            self._graph_task = torch._C._current_graph_task_id()
        if self._thread != thread:
            return True
        if self.problem:
            self._mode.take_off()
        return bool(self.problem)

    def _give_up(self, error: Exception) -> None:
        self.problem = f"The data flow is incomplete, since tracing it failed with {type(error).__name__}: {error}"
        # While torch calls the mode it is not on the stack; the next call of a module takes it off then.
        self._mode.take_off()

    def _record(self, function: Any, args: Args, kwargs: Kwargs, output: Any) -> None:
        if self.problem or not self._frames or self._frames[-1].visibility != "open" or self._is_in_backward():
            return
        try:
            self._operations.record(function, args, kwargs, output, self._frames[-1])
        except Exception as error:  # noqa: BLE001
            self._give_up(error)

    def _is_in_backward(self) -> bool:
        """Whether a backward pass runs inside the run, which computes on its own behalf."""
        return torch._C._current_graph_task_id() != self._graph_task

    def _enter(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs) -> None:
        caller = self._frames[-1] if self._frames else None
        if caller is None:
            self._draw_inputs(module, args, kwargs)
        elif caller.visibility == "closed":
            caller.hidden += 1
            return
        elif self._is_in_backward():
            self._push(Frame(path, caller.node, "closed", [], {}, is_repetition=True))
            return
        inside: Visibility = "closed" if self._is_compiled(module) else visibility(module)
        tensors = tensors_in((args, kwargs))
        feeds = self._arriving(tensors, caller)
        parent = caller.node if caller is not None else None
        kind: FlowKind = "module" if inside == "closed" else "container"
        node = self._draft.call(kind, type(module).__name__, path, parent)
        if inside == "closed":
            self._draft.feed(node, feeds)
        self._push(Frame(path, node, inside, feeds, {id(tensor): _version(tensor) for tensor in tensors}))

    def _push(self, frame: Frame) -> None:
        self._frames.append(frame)
        frame.has_switched = self._switch(frame.visibility == "open")

    def _ended(self, path: str) -> Frame | None:
        """The call that ends now; None if it is not part of the flow."""
        if self._frames[-1].hidden:
            self._frames[-1].hidden -= 1
            return None
        frame = self._frames.pop()
        if frame.has_switched:
            self._switch(not self._is_on)
        if frame.path != path:
            raise RuntimeError(f"the call of {path!r} ended while {frame.path!r} was going on")
        return None if frame.is_repetition else frame

    def _switch(self, is_on: bool) -> bool:
        if is_on == self._is_on:
            return False
        if is_on:
            self._mode.put_on()
        elif not self._mode.take_off():
            return False
        self._is_on = is_on
        return True

    def _draw_inputs(self, module: nn.Module, args: Args, kwargs: Kwargs) -> None:
        labels: dict[int, list[str]] = {}
        tensors: dict[int, torch.Tensor] = {}
        for name, value in (*zip(_positional_names(module, len(args)), args, strict=True), *kwargs.items()):
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
            self._provenance.own(tensor, (nodes[label],))

    def _arriving(self, tensors: list[torch.Tensor], caller: Frame | None) -> list[Feed]:
        """What enters a call."""
        if caller is None:
            return [Feed(self._provenance.origin(tensor) or (), shape_of(tensor)) for tensor in tensors]
        if caller.visibility == "open":
            return self._provenance.feeds(tensors, caller)
        feeds = [Feed(self._provenance.known(tensor, caller) or (), shape_of(tensor)) for tensor in tensors]
        if not tensors or any(feed.sources for feed in feeds):
            return feeds
        # The operations between the children are not seen, but torch's classes of this kind are chains.
        return [Feed(self._chained(caller), shape_of(tensors[0]))]

    @staticmethod
    def _chained(frame: Frame) -> Sources:
        return frame.last or _union(feed.sources for feed in frame.feeds)

    def _leave(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs, output: Any) -> None:
        frame = self._ended(path)
        if frame is None:
            return
        self._draft.describe(frame.node, label=type(module).__name__)
        outputs = tensors_in(output)
        if self._is_card(frame):
            self._leave_card(module, frame, tensors_in((args, kwargs)), outputs)
        else:
            self._explain(module, frame, outputs)
        sources = [self._provenance.origin(tensor) or () for tensor in outputs]
        if self._frames:
            self._frames[-1].last = _union(sources)
        else:
            node = self._draft.node("output", "output")
            shapes = [shape_of(tensor) for tensor in outputs]
            self._draft.feed(node, [Feed(*pair) for pair in zip(sources, shapes, strict=True)])

    def _fail(self, module: nn.Module, path: str) -> None:
        frame = self._ended(path)
        if frame is not None:
            self._draft.describe(frame.node, label=type(module).__name__)
            self._is_card(frame)

    def _is_card(self, frame: Frame) -> bool:
        """Whether a call is one card; a container is one if nothing of its inside was seen."""
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
        """Find out where the outputs of a container come from that nobody saw being made."""
        if frame.visibility == "children":
            for tensor in outputs:
                if self._provenance.known(tensor, frame) is None:
                    self._provenance.own(tensor, self._chained(frame))
            return
        unknown = [tensor for tensor in outputs if self._provenance.sources(tensor, frame) is None]
        if not unknown:
            return
        # A tensor that the module keeps as an attribute was there before: it is a constant of this run.
        kept = {id(tensor) for tensor in tensors_in(dict(vars(module)))}
        made = [tensor for tensor in unknown if id(tensor) not in kept]
        if made:
            node = self._draft.node("op", "untraced", frame.path, frame.node)
            self._draft.feed(node, frame.feeds)
            for tensor in made:
                self._provenance.own(tensor, (node,))


def _union(groups: Any) -> Sources:
    return tuple(sorted({source for group in groups for source in group}))


def _version(tensor: torch.Tensor) -> int | None:
    try:
        return tensor._version
    except RuntimeError:
        # Inference tensors have no version.
        return None


def _was_written(module: nn.Module, tensor: torch.Tensor, version: int | None, returned: set[int]) -> bool:
    if version is None:
        return module.__dict__.get("inplace") is True and id(tensor) in returned
    return _version(tensor) != version


def _positional_names(module: nn.Module, count: int) -> list[str]:
    """The names of the first ``count`` positional arguments of a module's forward."""
    names: list[str] = []
    try:
        for parameter in list(inspect.signature(type(module).forward).parameters.values())[1:]:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                names += [f"{parameter.name}[{index}]" for index in range(count - len(names))]
            elif parameter.kind in {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}:
                names.append(parameter.name)
    except (TypeError, ValueError):
        names = []
    names += [f"input[{index}]" for index in range(len(names), count)]
    return names[:count]
