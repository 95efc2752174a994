"""Runs of a model: noticed at the seam, observed if somebody wants it, cleaned up however they end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter
from typing import Any

import torch
from torch import nn

from hookviz.hooks import seam, watched_hooks
from hookviz.hooks.observed_run import ObservedRun, hide_frames
from hookviz.hooks.observer import RunListener
from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.seam import Call, CallSeam, Seams


class _Local(threading.local):
    run: ObservedRun | _Idle | None = None


class _Idle:
    """In a run that is not observed."""


IDLE = _Idle()


class Probe:
    """Notices the runs of one model. A run is the outermost call of any watched module in a thread.

    For the length of an unobserved run, the seams that its like called before are lifted off their
    modules: twice 40 ns each, where a call through a seam takes 700.
    """

    def __init__(self, listener: RunListener) -> None:
        self._listener = listener
        self._local = _Local()
        self._is_observing = threading.Lock()
        self._lifted: list[Seams] = []
        """The seams that are off now, for each thread that is in an unobserved run."""
        self._unobserved: list[int] = []
        """The threads that are in an unobserved run; a list, whose changes need no lock."""

    def install(self, index: ModuleIndex) -> None:
        """Put a seam on every module of the index; on known ones, nothing changes."""
        self._put_all_back()
        for path, module in index.modules():
            seam.install(module, self, path)

    def remove(self, modules: Iterable[nn.Module]) -> None:
        """Take the seams off these modules."""
        self._put_all_back()
        for module in modules:
            seam.remove(module, self)

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Lead one call of a module; see ``seam.Watcher``."""
        __tracebackhide__ = True
        run = self._local.run
        if run is None:
            return self._begin(module, path, inner, args, kwargs)
        if run is IDLE:
            return inner(*args, **kwargs)
        return run.call(module, path, inner, args, kwargs)  # type: ignore[union-attr]  # of the three, one is left

    def _begin(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        started = perf_counter()
        if torch._C._get_tracing_state() is not None or torch.fx._symbolic_trace._is_fx_tracing_flag:
            return self._pass(inner, args, kwargs)
        is_repeating = torch._C._current_graph_task_id() != -1
        # A second thread in the model at the same time is not a run of its own.
        if not is_repeating and not self._is_observing.acquire(blocking=False):
            self._guarded(self._listener.overlap)
            return self._pass(inner, args, kwargs)
        observer = None
        try:
            observer = self._listener.recompute() if is_repeating else self._listener.begin(module, path)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._listener.fault(error)
        if observer is not None:
            self._put_all_back()
            if self._unobserved and not is_repeating:
                self._guarded(self._listener.beside, len(self._unobserved))
            run = ObservedRun(self._listener, observer, self, started, is_repeating=is_repeating)
            return self._observe(run, module, partial(run.call, module, path, inner, args, kwargs))
        if is_repeating:
            return self._pass(inner, args, kwargs)
        return self._notice(module, started, inner, args, kwargs)

    def _pass(self, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A run that nobody is asked about."""
        __tracebackhide__ = True
        self._local.run = IDLE
        thread = threading.get_ident()
        self._unobserved.append(thread)
        try:
            return inner(*args, **kwargs)
        finally:
            self._unobserved.remove(thread)
            self._local.run = None

    def _notice(
        self, module: nn.Module, started: float, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A run that is not observed."""
        __tracebackhide__ = True
        own = module.__dict__.get(seam.ATTRIBUTE)
        # Lifted before another thread can begin to observe; that one will put all back.
        lifted = seam.lift(own, self) if type(own) is CallSeam else None
        if lifted is not None:
            self._lifted.append(lifted)
        thread = threading.get_ident()
        self._unobserved.append(thread)
        self._is_observing.release()
        self._local.run = IDLE
        entered = perf_counter()
        try:
            return inner(*args, **kwargs)
        except Exception as error:
            self._explain(error)
            raise
        finally:
            returned = perf_counter()
            self._local.run = None
            self._unobserved.remove(thread)
            if lifted is not None:
                self._lifted.remove(lifted)
                seam.put_back(lifted)
            self._guarded(self._listener.passed, entered - started + perf_counter() - returned)

    def _observe(self, run: ObservedRun, module: nn.Module, call: Callable[[], Any]) -> Any:
        __tracebackhide__ = True
        failure: BaseException | None = None
        self._local.run = run
        try:
            return call()
        except BaseException as error:
            failure = error
            hide_frames(error, _OWN_CODE)
            if isinstance(error, Exception):
                self._explain(error)
            raise
        finally:
            self._local.run = None
            self._guarded(run.close)
            if not run.is_repeating:
                own = module.__dict__.get(seam.ATTRIBUTE)
                if type(own) is CallSeam:
                    own.inside[self] = seam.inside(own, run.seams)
                self._end(run, failure)

    def _guarded(self, work: Callable[..., None], *arguments: Any) -> None:
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._listener.fault(error)

    def _explain(self, error: Exception) -> None:
        self._guarded(self._listener.explain, error)

    def _end(self, run: ObservedRun, failure: BaseException | None) -> None:
        try:
            self._guarded(self._listener.end, run.observer, failure)
        finally:
            self._is_observing.release()

    def _put_all_back(self) -> None:
        for lifted in tuple(self._lifted):
            seam.put_back(lifted)


_OWN_CODE = (
    seam.SEAM_CODE
    | watched_hooks.OWN_CODE
    | {
        ObservedRun.call.__code__,
        ObservedRun._repeat.__code__,
        Probe.call.__code__,
        Probe._begin.__code__,
        Probe._observe.__code__,
    }
)
