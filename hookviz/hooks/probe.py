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
from hookviz.hooks.pace import NEVER, Pace
from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.seam import Call, CallSeam, Seams


class _Local(threading.local):
    run: ObservedRun | _Unobserved | None = None


class _Unobserved:
    """In a run that is not observed."""

    def call(self, _module: nn.Module, _path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of a watched module within the run."""
        __tracebackhide__ = True
        return inner(*args, **kwargs)


class _Learning(_Unobserved):
    """In such a run whose like there was none yet: which seams it leads through."""

    def __init__(self) -> None:
        self.called: set[object] = set()

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of a watched module within the run."""
        __tracebackhide__ = True
        self.called.add(module.__dict__.get(seam.ATTRIBUTE))
        return super().call(module, path, inner, args, kwargs)


IDLE = _Unobserved()

# Looked up once: in a run that is only noticed, each step on the way to a name counts.
_symbolic_trace = torch.fx._symbolic_trace
_tracing_state = torch._C._get_tracing_state
_backward_task = torch._C._current_graph_task_id


class Probe:
    """Notices the runs of one model. A run is the outermost call of any watched module in a thread.

    For the length of an unobserved run, the seams that its like called before are lifted off their
    modules: twice 40 ns each, where a call through a seam takes 700.
    """

    def __init__(self, listener: RunListener, pace: Pace | None = None) -> None:
        self._listener = listener
        self._pace = pace or Pace()
        """While the listener rests, it is not asked."""
        self._local = _Local()
        self._may_begin = [True]
        """Taken by a run while it begins, and while it is observed: popped and put back, which no thread interrupts."""
        self._lifted: list[Seams] = []
        """The seams that are off now, for each unobserved run that goes on; a list, whose changes need no lock."""

    def install(self, index: ModuleIndex) -> None:
        """Put a seam on every module of the index; on known ones, nothing changes."""
        self._put_all_back()
        for path, module in index.modules():
            current = module.__dict__.get(seam.ATTRIBUTE)
            if type(current) is not CallSeam or current.watchers != ((self, path),):
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
        if run is not None:
            return inner(*args, **kwargs) if run is IDLE else run.call(module, path, inner, args, kwargs)
        started = perf_counter()
        if _tracing_state() is not None or _symbolic_trace._is_fx_tracing_flag:
            return self._pass(inner, args, kwargs)
        pace = self._pace
        if started < pace.until and _backward_task() == -1 and self._takes_turn():
            pace.runs += 1
            if pace.runs >= pace.most:
                pace.until = NEVER
            return self._notice(module, inner, args, kwargs, started=started, pace=pace)
        return self._begin(module, path, inner, args, kwargs, started=started)

    def _begin(
        self,
        module: nn.Module,
        path: str,
        inner: Call,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        started: float,
    ) -> Any:
        __tracebackhide__ = True
        is_repeating = _backward_task() != -1
        # A second thread in the model at the same time is not a run of its own.
        if not is_repeating and not self._takes_turn():
            self._guarded(self._listener.overlap)
            return self._pass(inner, args, kwargs)
        observer = None
        try:
            observer = self._listener.recompute() if is_repeating else self._listener.begin(module, path)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._listener.fault(error)
        if observer is not None:
            self._put_all_back()
            if self._lifted and not is_repeating:
                self._guarded(self._listener.beside, len(self._lifted))
            run = ObservedRun(self._listener, observer, self, started, is_repeating=is_repeating)
            return self._observe(run, module, partial(run.call, module, path, inner, args, kwargs))
        if is_repeating:
            return self._pass(inner, args, kwargs)
        return self._notice(module, inner, args, kwargs, started=started)

    def _takes_turn(self) -> bool:
        try:
            return self._may_begin.pop()
        except IndexError:
            return False

    def _pass(self, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A run that nobody is asked about."""
        __tracebackhide__ = True
        self._local.run = IDLE
        self._lifted.append(())
        try:
            return inner(*args, **kwargs)
        finally:
            self._lifted.remove(())
            self._local.run = None

    def _notice(
        self,
        module: nn.Module,
        inner: Call,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        started: float,
        pace: Pace | None = None,
    ) -> Any:
        """A run that is not observed; with a pace, one of a rest."""
        __tracebackhide__ = True
        own: CallSeam = module.__dict__[seam.ATTRIBUTE]
        lifted = own.inside.get(self, ())
        run = IDLE if lifted or self in own.inside else _Learning()
        # Lifted before another thread can begin to observe; that one will put all back.
        self._lifted.append(lifted)
        if lifted:
            seam.lift(lifted)
        self._may_begin.append(True)
        self._local.run = run
        entered = perf_counter()
        try:
            return inner(*args, **kwargs)
        except Exception as error:
            self._explain(error)
            raise
        finally:
            returned = perf_counter()
            self._local.run = None
            self._lifted.remove(lifted)
            if lifted:
                seam.put_back(lifted)
            if type(run) is _Learning:
                self._learn(own, run.called)
            if pace is not None:
                pace.seconds += entered - started + perf_counter() - returned
            else:
                self._guarded(self._listener.passed, entered - started + perf_counter() - returned)

    def _learn(self, entry: CallSeam, called: Iterable[object]) -> None:
        entry.inside[self] = seam.inside(entry, called)

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
                    self._learn(own, run.called)
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
            self._may_begin.append(True)

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
