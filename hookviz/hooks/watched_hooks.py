"""Leads the hooks of a module, or of its parameters, past somebody who looks, for as long as a run lasts.

Nothing is registered: the values in PyTorch's hook tables are replaced by stand-ins that call them.
Keys, order and flags stay, so hooks that remove themselves, register others or look for themselves in
the table find what they would find without us.
"""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

import torch

from hookviz.hooks import stand_in
from hookviz.hooks.hook import HookKind, HookPlace
from hookviz.hooks.intervening import GradientHook, InterventionHook
from hookviz.hooks.stand_in import AnyHook, ObjectStandIn, StandIn
from hookviz.hooks.tables import HookTable, call_tables, tensor_tables
from hookviz.hooks.tail import InputTail
from hookviz.hooks.written import WrittenHook

if TYPE_CHECKING:
    from torch import nn

GradientWatcher = Callable[[GradientHook, "torch.Tensor | None"], "torch.Tensor | None"]


class HookWatcher(Protocol):
    """Sees what a hook is given and what becomes of it. Changes nothing, and never raises."""

    def before(self, place: HookPlace, kind: HookKind, call: object, given: tuple[Any, ...], /) -> object:
        """A hook is about to run; what this returns is handed to ``after`` or ``raised``.

        The kind is that of what it is given: a forward hook may put a change on a gradient.
        """

    def after(self, seen: object, returned: object, /) -> None:
        """It returned."""

    def raised(self, seen: object, error: BaseException, /) -> None:
        """It raised."""


class Watch:
    """What a stand-in needs to know: whom it tells, of which hook, in which call, and whose place it has."""

    __slots__ = ("call", "place", "replaced", "watcher")

    def __init__(self, watcher: HookWatcher, place: HookPlace, call: object, replaced: AnyHook) -> None:
        self.watcher = watcher
        self.place = place
        self.call = call
        self.replaced = replaced
        """The hook, or what stands for it while another session looks."""

    def run(self, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the hook and return what it returned, the very object."""
        __tracebackhide__ = True
        seen = self.watcher.before(self.place, self.place.kind, self.call, given)
        try:
            returned = self.replaced(*given, **named)
        except BaseException as error:
            self.watcher.raised(seen, error)
            raise
        self.watcher.after(seen, returned)
        return returned


class GradientWatch(Watch):
    """The same of a hook that is called in forward to change a gradient in backward."""

    __slots__ = ("_intervention", "_thread")

    def __init__(
        self, intervention: InterventionHook, watcher: HookWatcher, place: HookPlace, call: object, replaced: AnyHook
    ) -> None:
        super().__init__(watcher, place, call, replaced)
        self._intervention = intervention
        self._thread = threading.get_ident()

    def run(self, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the hook, and see to it that what it does in backward is told."""
        __tracebackhide__ = True
        if threading.get_ident() != self._thread:
            # A run in another thread, which shares the table of hooks.
            return self.replaced(*given, **named)
        outer = self._intervention.watch
        self._intervention.watch = partial(self._run_on_gradient, outer)
        try:
            return self.replaced(*given, **named)
        except BaseException as error:
            self.watcher.raised(self.watcher.before(self.place, self.place.kind, self.call, given), error)
            raise
        finally:
            self._intervention.watch = outer

    def _run_on_gradient(
        self, outer: GradientWatcher | None, change: GradientHook, gradient: torch.Tensor | None
    ) -> torch.Tensor | None:
        seen = self.watcher.before(self.place, "tensor", self.call, (gradient,))
        try:
            returned = change(gradient) if outer is None else outer(change, gradient)
        except BaseException as error:
            self.watcher.raised(seen, error)
            raise
        self.watcher.after(seen, returned)
        return returned


class Watched(StandIn):
    """Stands for a function while somebody looks."""

    __slots__ = ("_watch",)
    _watch: Watch

    def __init__(self, hook: AnyHook, watch: Watch) -> None:
        super().__init__(hook)
        object.__setattr__(self, "_watch", watch)

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the hook returns."""
        __tracebackhide__ = True
        return self._watch.run(given, named)

    @property
    def __torch_unserializable__(self) -> bool:
        """Set by ``torch.utils.hooks.unserializable_hook``; absent where the hook does not have it."""
        return bool(stand_in.hidden(self).__torch_unserializable__)


class WatchedObject(ObjectStandIn):
    """Stands for a callable object while somebody looks."""

    __slots__ = ("_watch",)
    _watch: Watch

    def __init__(self, hook: AnyHook, watch: Watch) -> None:
        super().__init__(hook)
        object.__setattr__(self, "_watch", watch)

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the hook returns."""
        __tracebackhide__ = True
        return self._watch.run(given, named)


OWN_CODE: Final[frozenset[types.CodeType]] = frozenset(
    {Watched.__call__.__code__, WatchedObject.__call__.__code__, Watch.run.__code__}
)
"""What lies between PyTorch and a watched hook in a traceback."""


class WatchedHooks:
    """The hooks that are led past one watcher, until ``remove``.

    Holds neither tables nor hooks: a hook often holds the model, which may be dropped meanwhile.
    """

    def __init__(self) -> None:
        self._replaced: list[tuple[weakref.ref[dict[Any, AnyHook]], Any, weakref.ref[Watched | WatchedObject]]] = []

    def of_module(
        self, module: nn.Module, path: str, call: object, watcher: HookWatcher, *, is_backward_only: bool = False
    ) -> list[HookPlace]:
        """Lead the hooks of one call of a module past the watcher.

        PyTorch copies those of backward at forward, so their stand-ins live on in the autograd graph.

        Returns:
            Their places; hooks that are switched off are not among them.
        """
        return [
            place
            for table in call_tables(module)
            if not is_backward_only or table.kind in ("backward_pre", "backward")
            for place in self._lead(table, path, call, watcher)
        ]

    def of_tensor(self, tensor: torch.Tensor, path: str, watcher: HookWatcher) -> list[HookPlace]:
        """Lead the hooks of a parameter, or another tensor, past the watcher; PyTorch asks for them in backward."""
        with torch._C.DisableTorchFunction():
            tables = list(tensor_tables(tensor, with_nodes=False))
        return [place for table in tables for place in self._lead(table, path, None, watcher)]

    def _lead(self, table: HookTable, path: str, call: object, watcher: HookWatcher) -> Iterator[HookPlace]:
        for key, value in list(table.hooks.items()):
            if stand_in.is_off(value) or _is_ours(value):
                continue
            hook = stand_in.hidden(value)
            watch = _watch(hook, watcher, HookPlace(table.kind, path, key), call, value)
            led = Watched(hook, watch) if stand_in.is_plain(hook) else WatchedObject(hook, watch)
            # An assignment to a key that is there keeps the order and disturbs nobody who iterates.
            table.hooks[key] = led
            self._replaced.append((weakref.ref(table.hooks), key, weakref.ref(led)))
            yield watch.place

    def remove(self) -> None:
        """Put the hooks back, but for those that somebody removed or replaced meanwhile."""
        while self._replaced:
            reference, key, stand_in_reference = self._replaced.pop()
            table, led = reference(), stand_in_reference()
            if table is not None and led is not None:
                _take_out(table, key, led)


def _take_out(table: dict[Any, AnyHook], key: Any, led: Watched | WatchedObject) -> None:
    value = table.get(key)
    if value is led:
        table[key] = led._watch.replaced
        return
    # Another session may have begun to look later than this one, and looks on.
    while isinstance(value, StandIn) and type(value) in (Watched, WatchedObject):
        above: Watch = value._watch  # type: ignore[attr-defined]  # both have it
        if above.replaced is led:
            above.replaced = led._watch.replaced
            return
        value = above.replaced


def has_call_hooks(module: nn.Module) -> bool:
    """Whether anything runs with calls of the module, or in backward; quick where there is nothing."""
    attributes = module.__dict__
    return bool(
        attributes.get("_forward_hooks")
        or attributes.get("_forward_pre_hooks")
        or attributes.get("_backward_hooks")
        or attributes.get("_backward_pre_hooks")
    )


def _watch(hook: AnyHook, watcher: HookWatcher, place: HookPlace, call: object, replaced: AnyHook) -> Watch:
    function = hook.function if type(hook) is WrittenHook else None
    if type(function) is InterventionHook and function.is_on_gradient:
        return GradientWatch(function, watcher, place, call, replaced)
    return Watch(watcher, place, call, replaced)


def _is_ours(value: object) -> bool:
    """Whether it is the last pre-hook of a call that looks at what forward receives."""
    return type(value) is types.MethodType and type(value.__self__) is InputTail
