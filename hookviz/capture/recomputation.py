"""Modules that a backward pass calls again, as activation checkpointing does: folded into the first call."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.hook_recorder import HookRecorder
from hookviz.capture.plan import Plan
from hookviz.capture.recorder import Recorder
from hookviz.capture.run import Run
from hookviz.hooks.watched_hooks import WatchedHooks


class Recomputation:
    """Observes one outermost call within a backward pass.

    The non-reentrant checkpoint recorded the graph in the first call, whose hooks see the gradients:
    its repetition adds nothing. The reentrant one ran the first call without a graph; the graph, and
    so the gradients, are those of the repetition. They are given to the first call.
    """

    def __init__(
        self, run: Run, recorder: Recorder, hooks: HookRecorder, plans: dict[str, Plan], *, exact: bool
    ) -> None:
        self._run = run
        self._hooks = hooks
        self._again = Run(run.step, run.path)
        # Values are there already: only the gradients are of interest, and the values to compare by.
        self._recorder = Recorder(
            self._again, recorder.store, plans, exact=exact, fault=recorder.fault, hooks=recorder.hooks
        )

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call is repeated."""
        self._recorder.enter(module, path, args, kwargs)

    def watch_hooks(self, module: nn.Module, path: str) -> WatchedHooks | None:
        """Its hooks ran in the first call, but those of backward may come from the graph that is made now."""
        return self._hooks.watch(module, path, self._recorder.current_call, is_backward_only=True)

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Its pre-hooks ran."""
        self._recorder.received(module, path, args, kwargs)

    def leave(
        self,
        module: nn.Module,
        path: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        output: object,
        *,
        seconds: float | None = None,  # noqa: ARG002  # of the repetition, which is a part of backward
    ) -> None:
        """It returned: if the first call had no graph, it gets the gradients of this one."""
        self._recorder.leave(module, path, args, kwargs, output)
        again = self._again.of_module(id(module))[-1]
        first = self._first(again)
        if first is not None and again.needs_grad:
            # Hooks that now are in the graph tell what they do by the number of their call.
            again.index = first.index
            first.is_recomputed = True
            first.needs_grad = True
            first.output_cells, first.output_reasons = again.output_cells, again.output_reasons
            first.input_cells, first.exact_inputs = again.input_cells, again.exact_inputs

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """It was stopped, which is how the non-reentrant checkpoint ends a repetition early."""
        self._recorder.fail(module, path, error)

    def spent(self, seconds: float) -> None:
        """So much time went into it, on the account of the run that is computed again."""
        self._run.cost_seconds += seconds + self._again.cost_seconds
        self._again.cost_seconds = 0.0

    def _first(self, again: ModuleCall) -> ModuleCall | None:
        for call in reversed(self._run.of_module(again.module_id)):
            if not call.is_recomputed and not call.needs_grad and _are_alike(call, again):
                return call
        return None


def _are_alike(call: ModuleCall, again: ModuleCall) -> bool:
    if len(call.output_captures) != len(again.output_captures):
        return False
    pairs = zip(call.output_captures, again.output_captures, strict=True)
    return all(_is_same(first, second) for first, second in pairs)


def _is_same(first: Capture | None, second: Capture | None) -> bool:
    if first is None or second is None:
        return first is second
    if first.is_kept and second.is_kept:
        return first.peek.shape == second.peek.shape and torch.equal(first.peek, second.peek)
    return (first.moments.shape, first.moments.mean) == (second.moments.shape, second.moments.mean)
