"""The objects that stand in a hook table in place of somebody's hook.

Only the value in the table changes: key, order, flags and the owner's handle stay as they are. A
stand-in is equal to its hook, and copies, pickles and deep copies as it, through the standard library
alone, so that what was saved with a hook off loads without hookviz and has the hook.
"""

from __future__ import annotations

import copy
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

from hookviz.hooks.intervening import InterventionHook
from hookviz.hooks.written import WrittenHook

AnyHook = Callable[..., Any]

_PLAIN = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    functools.partial,
    WrittenHook,
    InterventionHook,
)


class StandIn:
    """Stands for a function, a method, a partial, or a hook that was written through a session.

    It passes no attributes on: ``torch.compile`` would look through it and run what it hides.
    """

    __slots__ = ("__weakref__", "_hook")

    def __init__(self, hook: AnyHook) -> None:
        object.__setattr__(self, "_hook", hook)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What happens in place of the hook: each subclass has its own answer, this one is never in a table."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        hook, other = _behind(self), hidden(other)
        return hook is other or bool(hook == other)

    def __hash__(self) -> int:
        return hash(_behind(self))

    def __repr__(self) -> str:
        return f"<hookviz stands in for {_behind(self)!r}>"

    def __copy__(self) -> object:
        return _behind(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> object:
        return copy.deepcopy(_behind(self), memo)

    def __reduce_ex__(self, _protocol: object) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return operator.getitem, ((_behind(self),), 0)


class ObjectStandIn(StandIn):
    """Stands for a callable object: its attributes and its class are those of the object.

    ``remove_weight_norm``, ``prune.is_pruned`` and the like look for their hook by ``isinstance``.
    """

    # An empty one, which torch.compile asks for.
    __slots__ = ("__dict__",)

    @property  # type: ignore[misc]  # read-only is what is wanted
    def __class__(self) -> type:
        """What isinstance() takes it for."""
        return type(_behind(self))

    def __getattr__(self, name: str) -> Any:
        return getattr(_behind(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_behind(self), name, value)


class Off(StandIn):
    """A function that is switched off."""

    __slots__ = ()

    def __call__(self, *_args: Any, **_kwargs: Any) -> None:
        """Nothing: as if the hook had only looked."""
        return


class OffObject(ObjectStandIn):
    """A callable object that is switched off."""

    __slots__ = ()

    def __call__(self, *_args: Any, **_kwargs: Any) -> None:
        """Nothing: as if the hook had only looked."""
        return


def is_plain(hook: object) -> bool:
    """True for what needs no attributes passed on: nobody looks for it by its class."""
    return type(hook) in _PLAIN


def off(hook: AnyHook) -> StandIn:
    """What stands for a hook while it is off."""
    return Off(hook) if is_plain(hook) else OffObject(hook)


def is_off(value: object) -> bool:
    """True for a stand-in of a hook that is off."""
    return type(value) in (Off, OffObject)


def hidden(value: object) -> Any:
    """The hook behind a stand-in; anything else is given back as it is."""
    while issubclass(type(value), StandIn):
        value = _behind(value)
    return value


def _behind(stand_in: object) -> Any:
    return StandIn._hook.__get__(stand_in)  # type: ignore[attr-defined]  # a slot
