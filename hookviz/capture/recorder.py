"""Turns what the probe sees of a run into its calls: copies at once, gradients through tensor hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from hookviz.capture.call import NOT_RECORDED, ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.cells import Cells
from hookviz.capture.exact_inputs import ExactInputs, gradient_edge
from hookviz.capture.first_line import error_text
from hookviz.capture.gradient import GradientHooks
from hookviz.capture.guard import Guard
from hookviz.capture.handed_on import are_among, hands_on, views_of
from hookviz.capture.last_taken import LastTaken
from hookviz.capture.leaves import ONE_ARGUMENT, SINGLE, split, split_arguments
from hookviz.capture.not_finite import Inquest, versions_of, witness
from hookviz.capture.open_call import OpenCall
from hookviz.capture.plan import NOTHING, Plan
from hookviz.capture.quiet import is_quiet, quiet
from hookviz.capture.run import Run
from hookviz.capture.store import TensorStore
from hookviz.capture.ungraded import why_no_gradient


class Recorder:
    """Fills one run. Gives nothing back to the module that it watches."""

    def __init__(
        self,
        run: Run,
        store: TensorStore,
        plans: Mapping[str, Plan],
        *,
        exact: bool,
        fault: Callable[[Exception], None],
        hooks: GradientHooks | None = None,
    ) -> None:
        self.run = run
        self.store = store
        self.fault = fault
        guard = Guard(run, fault)
        self.hooks = hooks or GradientHooks(store, guard)
        guard.hooks = self.hooks
        self._plans = plans
        self._exact = ExactInputs(self.hooks.accumulate, guard) if exact else None
        self._open: list[OpenCall] = []
        self._inquest = Inquest()
        self._returned = 0
        self._last = LastTaken()
        self._cells = Cells(self.hooks)

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call begins: record its inputs as they are now."""
        run = self.run
        call = run.add(path, id(module))
        plan = self._plans.get(path, NOTHING)
        opened = OpenCall(call, plan, run.cost_seconds)
        call.depth = len(self._open)
        self._open.append(opened)
        with_graph = _is_grad_enabled()
        if with_graph:
            call.first_step = _next_step()
        if len(args) == 1 and not kwargs and not plan.inputs and self._exact is None:
            tensor = args[0]
            if type(tensor) is torch.Tensor and is_quiet():
                self._notice_input(opened, tensor, with_graph=with_graph and plan.gradients)
                return
        with quiet():
            self._take_inputs(opened, args, kwargs, with_graph=with_graph)

    def _notice_input(self, opened: OpenCall, tensor: torch.Tensor, *, with_graph: bool) -> None:
        """``_take_inputs`` of what nearly all modules get, a plain tensor whose values are not recorded."""
        call = opened.call
        version = None if tensor.is_inference() else tensor._version
        opened.tensors, opened.versions = [tensor], [version]
        call.input_captures = call.input_cells = _ONE_NOTHING
        if with_graph:
            cell = self._cells.find(tensor, version)
            if cell is not None:
                call.input_cells = (cell,)
            elif tensor.requires_grad:
                with quiet():
                    call.input_cells = (self._cells.of_input(tensor, call.path),)
        # Last, as in ``leave``.
        call.input_skeleton = ONE_ARGUMENT

    @property
    def current_call(self) -> ModuleCall:
        """The innermost call that goes on."""
        return self._open[-1].call

    def received(self, _module: nn.Module, _path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Pre-hooks of the user ran: what they made of the inputs is what forward gets."""
        opened = self._open[-1]
        _, tensors = split_arguments(args, kwargs)
        if [id(tensor) for tensor in tensors] != [id(tensor) for tensor in opened.tensors]:
            with_graph = torch.is_grad_enabled()
            with quiet():
                self._take_inputs(opened, args, kwargs, with_graph=with_graph)

    def leave(
        self,
        module: nn.Module,
        _path: str,
        _args: tuple[Any, ...],
        _kwargs: dict[str, Any],
        output: object,
        *,
        seconds: float | None = None,
    ) -> None:
        """The call returned: record its outputs and wait for their gradients."""
        opened = self._open.pop()
        if opened.call.module_id != id(module):
            opened = self._close(module)
        call = opened.call
        if seconds is not None:
            # Hooks within it were watched meanwhile.
            call.forward_seconds = seconds - self.run.cost_seconds + opened.cost
        with_graph = _is_grad_enabled()
        if with_graph:
            call.end_step = _next_step()
        if type(output) is torch.Tensor and is_quiet():
            skeleton = SINGLE
            self._take_plain(opened, module, output, with_graph=with_graph)
        else:
            skeleton, tensors = split(output)
            with quiet():
                self._take_output(opened, module, tensors, with_graph=with_graph)
        # Last: another thread that finds it finds the rest as well.
        call.output_skeleton = skeleton
        call.returned = self._returned
        self._returned += 1

    def _take_plain(self, opened: OpenCall, module: nn.Module, output: torch.Tensor, *, with_graph: bool) -> None:
        """``_take_output`` of what nearly all modules return, a plain tensor."""
        call, given, plan, last = opened.call, opened.tensors, opened.plan, self._last
        for tensor in given:
            if tensor is output:
                call.passes_through = True
        if not (plan.outputs and plan.gradients and with_graph and self._exact is None):
            self._take_output(opened, module, [output], with_graph=with_graph)
            return
        if call.passes_through or output._is_view():
            call.views = views_of([output], given)
        capture = self.take(output, call.path, call, is_handed_on=last.is_returned and hands_on(module))
        call.output_captures = (capture,)
        if capture is not None and not capture.is_surely_finite and self._inquest.concerns(call.order, (capture,)):
            call.witness = witness(module, given, opened.versions, [output])
        last.is_returned = True
        cell = self._cells.of_output(output, call.path)
        call.output_cells = (cell,)
        call.needs_grad = cell is not None
        call.output_reasons = _NO_REASON if cell is not None else (why_no_gradient(module, given, output),)

    def _take_output(
        self, opened: OpenCall, module: nn.Module, tensors: list[torch.Tensor], *, with_graph: bool
    ) -> None:
        call, given, last = opened.call, opened.tensors, self._last
        if are_among(tensors, given):
            call.passes_through = True
        if opened.plan.outputs:
            call.views = views_of(tensors, given)
            is_handed_on = last.is_returned and hands_on(module)
            captures = [self.take(tensor, call.path, call, is_handed_on=is_handed_on) for tensor in tensors]
            call.output_captures = captures
            if self._inquest.concerns(call.order, captures):
                call.witness = witness(module, given, opened.versions, tensors)
        else:
            call.output_captures = [None] * len(tensors)
        last.is_returned = opened.plan.outputs
        self._await_gradients(opened, module, tensors, with_graph=with_graph)

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """The call raised. The innermost module that did is the one that failed."""
        self._close(module).call.failed = error_text(error)
        if self.run.failed_path is None:
            self.run.failed_path = path

    def _close(self, module: nn.Module) -> OpenCall:
        # Calls that an interrupt cut off never returned; they lie above the one that does.
        while True:
            opened = self._open.pop()
            if opened.call.module_id == id(module):
                return opened

    def _take_inputs(
        self, opened: OpenCall, args: tuple[Any, ...], kwargs: dict[str, Any], *, with_graph: bool
    ) -> None:
        call = opened.call
        skeleton, opened.tensors = split_arguments(args, kwargs)
        opened.versions = versions_of(opened.tensors)
        if opened.plan.inputs:
            call.input_captures = [self.take(tensor, call.path) for tensor in opened.tensors]
        else:
            call.input_captures = [None] * len(opened.tensors)
        call.input_cells = [None] * len(opened.tensors)
        if opened.plan.gradients and with_graph:
            call.input_cells = [self._cells.of_input(tensor, call.path) for tensor in opened.tensors]
            if self._exact is not None:
                opened.edges = [
                    gradient_edge(tensor) if cell is not None else None
                    for tensor, cell in zip(opened.tensors, call.input_cells, strict=True)
                ]
                opened.sequence = torch._C._autograd._get_sequence_nr()
        call.input_skeleton = skeleton

    def take(
        self, tensor: torch.Tensor, path: str, call: ModuleCall | None = None, *, is_handed_on: bool = False
    ) -> Capture | None:
        """The value of a tensor as it is now, None if it cannot be had. Runs under ``quiet``.

        Why not is noted at ``call``, which by default is the one that goes on.

        Args:
            tensor: The tensor.
            path: Of the module that it belongs to.
            call: See above.
            is_handed_on: Whether, if it was the last one recorded, nobody had a chance to write into it since.
        """
        last = self._last
        last.is_returned = False
        try:
            capture = last.capture_of(tensor, is_untouched=is_handed_on) if last.tensor() is tensor else None
            # What the outermost call returns is in the user's own hands; what has no call is a hook's.
            is_inner = call is not None and call.depth > 0
            if capture is None:
                capture = self.store.take(tensor, path, is_gradient=False, may_be_lent=is_inner)
                last.note(tensor, capture)
            elif not is_inner:
                capture.own()
            return capture
        except Exception as error:  # noqa: BLE001  # a tensor that refuses to be copied is shown as such
            if call is None:
                call = self._open[-1].call if self._open else self.run.calls[-1]
            call.notes = (*call.notes, f"{NOT_RECORDED}: {error_text(error)}")
            return None

    def _await_gradients(
        self, opened: OpenCall, module: nn.Module, tensors: list[torch.Tensor], *, with_graph: bool
    ) -> None:
        call = opened.call
        self._cells.wait(call, opened.plan, module, opened.tensors, tensors, with_graph=with_graph)
        if self._exact is not None and any(edge is not None for edge in opened.edges):
            alive = [tensor for tensor, cell in zip(tensors, call.output_cells, strict=True) if cell is not None]
            call.exact_inputs = self._exact.follow(module, call, opened.edges, opened.sequence, alive)

    def finish(self, error: BaseException | None) -> None:
        """The run's forward is over."""
        self.run.exception = None if error is None else error_text(error)
        self.run.is_finished = True
        self._open.clear()


_ONE_NOTHING = (None,)
_NO_REASON = ("",)

_next_step: Callable[[], int] = torch._C._autograd._get_sequence_nr
"""The number that the next step of the autograd graph will get."""

_is_grad_enabled: Callable[[], bool] = torch.is_grad_enabled
