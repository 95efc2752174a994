"""Runs of a model: noticed at the seam, observed if somebody wants it, cleaned up however they end."""

from __future__ import annotations

import threading
import types
from typing import Any, Protocol

import torch
from torch import nn
from torch.nn.modules import module as torch_module
from torch.utils.hooks import RemovableHandle

from hookviz.hooks import seam
from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.seam import Call
from hookviz.hooks.tail import InputTail


class RunObserver(Protocol):
    """Sees each call of a watched module in one run; must neither change nor keep what it is given."""

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call begins, with what the caller passed."""

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> None:
        """What forward receives after the module's own pre-hooks; not called where there are none."""

    def leave(
        self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any], output: object, /
    ) -> None:
        """It returned, with what the caller passed and what the caller gets, after all hooks."""

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """It raised."""


class RunListener(Protocol):
    """Decides which runs are observed."""

    def begin(self, module: nn.Module, path: str, /) -> RunObserver | None:
        """A run begins; None leaves it unobserved."""

    def recompute(self) -> RunObserver | None:
        """Modules run again within a backward pass, as activation checkpointing does."""

    def end(self, observer: RunObserver, error: BaseException | None) -> None:
        """An observed run is over."""

    def fault(self, error: Exception) -> None:
        """A fault of ours; the run goes on unobserved."""


class _Local(threading.local):
    run: ObservedRun | _Idle | None = None


class _Idle:
    """In a run that is not observed."""


IDLE = _Idle()


class Probe:
    """Notices the runs of one model. A run is the outermost call of any watched module in a thread."""

    def __init__(self, listener: RunListener) -> None:
        self._listener = listener
        self._local = _Local()
        self._is_observing = threading.Lock()

    def install(self, index: ModuleIndex) -> None:
        """Put a seam on every module of the index; on known ones, nothing changes."""
        for path, module in index.modules():
            seam.install(module, self, path)

    def remove(self, index: ModuleIndex) -> None:
        """Take the seams off again."""
        for _, module in index.modules():
            seam.remove(module, self)

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Lead one call of a module; see ``seam.Watcher``."""
        __tracebackhide__ = True
        run = self._local.run
        if run is None:
            return self._begin(module, path, inner, args, kwargs)
        if run is IDLE:
            return inner(*args, **kwargs)
        return run.call(module, path, inner, args, kwargs)  # type: ignore[union-attr]

    def _begin(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        observer, is_new = self._observer(module, path)
        if observer is None:
            self._local.run = IDLE
            try:
                return inner(*args, **kwargs)
            finally:
                self._local.run = None
        run = ObservedRun(self._listener, observer, self, is_repeating=not is_new)
        failure: BaseException | None = None
        self._local.run = run
        try:
            return run.call(module, path, inner, args, kwargs)
        except BaseException as error:
            failure = error
            _hide_own_frames(error)
            raise
        finally:
            self._local.run = None
            run.close()
            if is_new:
                self._end(observer, failure)

    def _observer(self, module: nn.Module, path: str) -> tuple[RunObserver | None, bool]:
        """Who observes the run that begins, and whether it is a run of its own."""
        if torch._C._get_tracing_state() is not None or torch.fx._symbolic_trace._is_fx_tracing_flag:
            return None, False
        is_repeated = torch._C._current_graph_task_id() != -1
        # A second thread in the model at the same time is not a run of its own.
        if not is_repeated and not self._is_observing.acquire(blocking=False):
            return None, False
        observer = None
        try:
            observer = self._listener.recompute() if is_repeated else self._listener.begin(module, path)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._listener.fault(error)
        if observer is None and not is_repeated:
            self._is_observing.release()
        return observer, not is_repeated

    def _end(self, observer: RunObserver, failure: BaseException | None) -> None:
        try:
            self._listener.end(observer, failure)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._listener.fault(error)
        finally:
            self._is_observing.release()


class ObservedRun:
    """One run with its observer, for as long as it lasts."""

    def __init__(self, listener: RunListener, observer: RunObserver, probe: Probe, *, is_repeating: bool) -> None:
        self._is_repeating = is_repeating
        self._listener = listener
        self._observer: RunObserver | None = observer
        self._probe = probe
        self._registration: RemovableHandle | None = torch_module.register_module_module_registration_hook(self._adopt)

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of a watched module within the run."""
        __tracebackhide__ = True
        observer = self._observer
        if observer is None:
            return inner(*args, **kwargs)
        if not self._is_repeating and torch._C._current_graph_task_id() != -1:
            return self._repeat(module, path, inner, args, kwargs)
        tail = None
        try:
            observer.enter(module, path, args, kwargs)
            if module._forward_pre_hooks or torch_module._global_forward_pre_hooks:
                tail = InputTail(module, lambda args, kwargs: self._received(module, path, args, kwargs))
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._fault(error)
        try:
            output = inner(*args, **kwargs)
        except BaseException as error:
            self._failed(module, path, error)
            raise
        finally:
            if tail is not None:
                tail.remove()
        observer = self._observer
        if observer is not None:
            try:
                observer.leave(module, path, args, kwargs, output)
            except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(error)
        return output

    def _repeat(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A backward pass within the run calls modules again: not calls of their own."""
        __tracebackhide__ = True
        outer = self._observer
        self._observer, self._is_repeating = self._listener.recompute(), True
        try:
            return self.call(module, path, inner, args, kwargs)
        finally:
            self._observer, self._is_repeating = outer, False

    def _received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._observer is not None:
            try:
                self._observer.received(module, path, args, kwargs)
            except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(error)

    def _adopt(self, module: nn.Module, name: str, submodule: nn.Module | None) -> None:
        """A module that is added while the run is on is watched from its first call."""
        current = module.__dict__.get(seam.ATTRIBUTE)
        if submodule is None or type(current) is not seam.CallSeam:
            return
        for watcher, path in current.watchers:
            if watcher is self._probe:
                index = ModuleIndex(submodule)
                for below, child in index.modules():
                    seam.install(child, self._probe, ".".join(part for part in (path, name, below) if part))

    def _failed(self, module: nn.Module, path: str, error: BaseException) -> None:
        if self._observer is not None:
            try:
                self._observer.fail(module, path, error)
            except Exception as fault:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(fault)

    def _fault(self, error: Exception) -> None:
        self._observer = None
        self._listener.fault(error)

    def close(self) -> None:
        """Take back what was registered for the run."""
        if self._registration is not None:
            self._registration.remove()
            self._registration = None


_OWN_CODE = seam.SEAM_CODE | {ObservedRun.call.__code__, ObservedRun._repeat.__code__, Probe.call.__code__}


def _hide_own_frames(error: BaseException) -> None:
    """Take our frames out of the traceback below the outermost call, so that it reads as without us."""
    above: types.TracebackType | None = error.__traceback__
    while above is not None:
        below = above.tb_next
        while below is not None and below.tb_frame.f_code in _OWN_CODE:
            below = below.tb_next
        above.tb_next = below
        above = below
