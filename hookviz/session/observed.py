"""One captured run while it goes on: the recorder and, where the structure is unknown, the tracer."""

from __future__ import annotations

from typing import Any

from torch import nn

from hookviz.capture.hook_recorder import HookRecorder
from hookviz.capture.recorder import Recorder
from hookviz.capture.run import Run
from hookviz.errors import NotFiniteError
from hookviz.health.finite_check import FiniteCheck
from hookviz.hooks.watched_hooks import WatchedHooks
from hookviz.tracing.tracer import Tracer


class Observed:
    """Tells both of each module call. The tracer is told last of a beginning and first of an end."""

    def __init__(
        self,
        run: Run,
        recorder: Recorder,
        hooks: HookRecorder,
        tracer: Tracer | None,
        check: FiniteCheck | None = None,
    ) -> None:
        self.run = run
        self.recorder = recorder
        self.hooks = hooks
        self.tracer = tracer
        self.check = check
        """What stops the run at its first NaN, if it is to be stopped there."""
        self.is_settled = False
        if tracer is None and check is None:
            # Of most runs only the recorder wants to know: then it is told without a step between.
            self.__dict__.update(enter=recorder.enter, leave=recorder.leave)

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call begins."""
        self.recorder.enter(module, path, args, kwargs)
        if self.tracer is not None:
            self.tracer.enter(module, path, args, kwargs)

    def watch_hooks(self, module: nn.Module, path: str) -> WatchedHooks | None:
        """Its hooks are about to run."""
        return self.hooks.watch(module, path, self.recorder.current_call)

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Pre-hooks of the user ran."""
        self.recorder.received(module, path, args, kwargs)

    def leave(
        self,
        module: nn.Module,
        path: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        output: object,
        *,
        seconds: float | None = None,
    ) -> None:
        """A call returned. How long it took is not passed on where the tracer looked at its operations.

        Raises:
            NotFiniteError: if it returned a NaN, and the run is to be stopped there.
        """
        if self.tracer is not None:
            self.tracer.leave(module, path, args, kwargs, output)
            seconds = None
        self.recorder.leave(module, path, args, kwargs, output, seconds=seconds)
        if self.check is not None:
            try:
                self.check.look(module, path, args, kwargs, output)
            except NotFiniteError:
                self.run.failed_path = path
                raise

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """A call raised."""
        if self.tracer is not None:
            self.tracer.fail(module, path)
        self.recorder.fail(module, path, error)

    def spent(self, seconds: float) -> None:
        """So much time went into both."""
        self.run.cost_seconds += seconds


def structure_of(run: Run) -> tuple[object, ...]:
    """What tells whether two runs did the same: which modules were called in which order, with what shapes."""
    calls: list[object] = [run.path]
    for call in run.calls:
        calls.append(call.path)
        calls.append(call.returned)
        for capture in call.output_captures:
            calls.append(None if capture is None else capture.shape)  # noqa: PERF401  # not in a part of its own
    return tuple(calls)
