"""The tracer: makes a flow from one run of the user's own model."""

import threading
import traceback
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import nn

from hookviz.tracing.call_log import CallLog
from hookviz.tracing.compiled_calls import calls_compiled
from hookviz.tracing.draft import FlowDraft
from hookviz.tracing.flow import Flow
from hookviz.tracing.mode import OperationMode
from hookviz.tracing.operation_log import OperationLog
from hookviz.tracing.provenance import Frame, Provenance
from hookviz.tracing.tensors import tensors_given
from hookviz.tracing.visibility import Visibility, is_compiled_wrapper, visibility

Args: TypeAlias = tuple[Any, ...]
Kwargs: TypeAlias = dict[str, Any]


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
        self._is_complete = False
        self._frames: list[Frame] = []
        self._is_on = False
        self._draft = FlowDraft()
        self._provenance = Provenance(model, self._draft)
        self._calls = CallLog(self._draft, self._provenance)
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
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._give_up(error)

    def fail(self, module: nn.Module, path: str) -> None:
        """Tell that this call raised."""
        if self._is_off():
            return
        try:
            with torch._C.DisableTorchFunction():
                self._fail(module, path)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._give_up(error)

    def finish(self) -> Flow:
        """The flow as far as it is known; from now on no mode, no tensor and no model is held."""
        self._mode.take_off()
        self._mode.forget()
        self._frames.clear()
        self._provenance.clear()
        return self._draft.flow(keep_unused=not self._is_complete)

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
        # Not str(error): it may be an error of the user's, raised by a tensor subclass, that raises again.
        reason = "".join(traceback.format_exception_only(error)).strip()
        self.problem = f"The data flow is incomplete, since tracing it failed with {reason}"
        # While torch calls the mode it is not on the stack; the next call of a module takes it off then.
        self._mode.take_off()

    def _record(self, function: Any, args: Args, kwargs: Kwargs, output: Any) -> None:
        if self.problem or not self._frames or self._frames[-1].visibility != "open":
            return
        try:
            self._operations.record(function, args, kwargs, output, self._frames[-1])
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._give_up(error)

    def _is_in_backward(self) -> bool:
        """Whether a backward pass inside the run calls modules again, as checkpoints do."""
        return torch._C._current_graph_task_id() != self._graph_task

    def _enter(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs) -> None:
        caller = self._frames[-1] if self._frames else None
        if caller is None:
            self._calls.draw_inputs(module, args, kwargs)
        elif caller.visibility == "closed":
            caller.hidden += 1
            return
        elif self._is_in_backward():
            self._push(Frame(module, path, caller.node, "closed", [], {}, is_repetition=True))
            return
        inside: Visibility = "closed" if self._is_compiled(module) else visibility(module)
        self._push(self._calls.opened(module, path, tensors_given(args, kwargs), inside, caller))

    def _leave(self, module: nn.Module, path: str, args: Args, kwargs: Kwargs, output: Any) -> None:
        frame = self._ended(path)
        if frame is None:
            return
        sources = self._calls.returned(module, frame, tensors_given(args, kwargs), output)
        if self._frames:
            self._frames[-1].last = sources
        else:
            self._calls.draw_output(output)
            self._is_complete = True

    def _fail(self, module: nn.Module, path: str) -> None:
        frame = self._ended(path)
        if frame is not None:
            self._calls.raised(module, frame)

    def _push(self, frame: Frame) -> None:
        self._frames.append(frame)
        frame.is_blind = frame.visibility == "open" and calls_compiled(frame.module)
        frame.has_switched = self._switch(frame.visibility == "open" and not frame.is_blind)

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
