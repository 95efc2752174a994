"""One observed run: its observer is told of each call, and of what the telling costs."""

from __future__ import annotations

import types
from time import perf_counter
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.modules import module as torch_module
from torch.utils.hooks import RemovableHandle

from hookviz.errors import NotFiniteError
from hookviz.hooks import seam
from hookviz.hooks.observer import RunListener, RunObserver
from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.seam import Call, CallSeam, Watcher
from hookviz.hooks.tail import InputTail
from hookviz.hooks.watched_hooks import WatchedHooks, has_call_hooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class ObservedRun:
    """One run with its observer, for as long as it lasts."""

    def __init__(
        self, listener: RunListener, observer: RunObserver, watcher: Watcher, started: float, *, is_repeating: bool
    ) -> None:
        self.observer = observer
        """Who observes; also after a fault, when it is told of no further call."""
        self.is_repeating = is_repeating
        """It is part of a backward pass that computes again what an earlier run did."""
        self.called: set[object] = set()
        """What stood in the place of the seams of those that were called."""
        self.seconds: float
        """What observing took of the run's time so far."""
        self._listener = listener
        self._observer: RunObserver | None = observer
        self._watcher = watcher
        self._registration: RemovableHandle | None = torch_module.register_module_module_registration_hook(self._adopt)
        self.seconds = perf_counter() - started

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of a watched module within the run."""
        __tracebackhide__ = True
        observer = self._observer
        if observer is None:
            return inner(*args, **kwargs)
        if not self.is_repeating and _backward_task() != -1:
            return self._repeat(module, path, inner, args, kwargs)
        started = perf_counter()
        ends: list[InputTail | WatchedHooks] = []
        try:
            self.called.add(module.__dict__.get(seam.ATTRIBUTE))
            observer.enter(module, path, args, kwargs)
            if has_call_hooks(module) or torch_module._global_forward_pre_hooks:
                self._stand_by(observer, module, path, ends)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._fault(error)
        spent = self.seconds
        entered = perf_counter()
        try:
            output = inner(*args, **kwargs)
        except BaseException as error:
            self._failed(module, path, error)
            raise
        finally:
            for end in ends:
                self._remove(end)
        returned = perf_counter()
        observer = self._observer
        if observer is not None:
            try:
                seconds = returned - entered - self.seconds + spent
                observer.leave(module, path, args, kwargs, output, seconds=seconds)
            except NotFiniteError:
                # The user asked for it.
                raise
            except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(error)
        self.seconds += entered - started + perf_counter() - returned
        return output

    def _stand_by(
        self, observer: RunObserver, module: nn.Module, path: str, ends: list[InputTail | WatchedHooks]
    ) -> None:
        """Put in place what looks at the hooks of a call, and at what they make of its arguments."""
        if has_call_hooks(module):
            hooks = observer.watch_hooks(module, path)
            if hooks is not None:
                ends.append(hooks)
        if module._forward_pre_hooks or torch_module._global_forward_pre_hooks:
            ends.append(InputTail(module, lambda args, kwargs: self._received(module, path, args, kwargs)))

    def _repeat(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A backward pass within the run calls modules again: not calls of their own."""
        __tracebackhide__ = True
        outer = self._observer
        try:
            repetition = self._listener.recompute()
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._fault(error)
            return inner(*args, **kwargs)
        self._observer, self.is_repeating = repetition, True
        try:
            return self.call(module, path, inner, args, kwargs)
        finally:
            self._observer, self.is_repeating = outer, False

    def _received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._observer is not None:
            started = perf_counter()
            try:
                self._observer.received(module, path, args, kwargs)
            except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(error)
            self.seconds += perf_counter() - started

    def _adopt(self, module: nn.Module, name: str, submodule: nn.Module | None) -> None:
        """A module that is added while the run is on is watched from its first call."""
        current = module.__dict__.get(seam.ATTRIBUTE)
        if submodule is None or type(current) is not CallSeam:
            return
        for watcher, path in current.watchers:
            if watcher is self._watcher:
                try:
                    parts = {
                        ".".join(part for part in (path, name, below) if part): child
                        for below, child in ModuleIndex(submodule).modules()
                    }
                    for at, child in parts.items():
                        seam.install(child, self._watcher, at)
                    self._listener.adopt(parts)
                except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
                    self._fault(error)

    def _failed(self, module: nn.Module, path: str, error: BaseException) -> None:
        if self._observer is not None:
            try:
                self._observer.fail(module, path, error)
            except Exception as fault:  # noqa: BLE001  # a fault of ours must not reach the user's run
                self._fault(fault)

    def _remove(self, end: InputTail | WatchedHooks) -> None:
        try:
            end.remove()
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self._fault(error)

    def _fault(self, error: Exception) -> None:
        self._observer = None
        self._listener.fault(error)

    def close(self) -> None:
        """Take back what was registered for the run, and tell what observing it took."""
        if self._registration is not None:
            self._registration.remove()
            self._registration = None
        self.observer.spent(self.seconds)


_backward_task: Callable[[], int] = torch._C._current_graph_task_id


def hide_frames(error: BaseException, codes: Iterable[types.CodeType]) -> None:
    """Take our frames out of the traceback below the outermost call, so that it reads as without us."""
    above: types.TracebackType | None = error.__traceback__
    while above is not None:
        below = above.tb_next
        while below is not None and below.tb_frame.f_code in codes:
            below = below.tb_next
        above.tb_next = below
        above = below
