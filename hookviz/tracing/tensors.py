"""The tensors in whatever a module or a function takes or returns.

Of a foreign object no method runs: only types are asked, and containers are read by the methods of
their built-in base, so that an object whose ``==``, ``bool``, ``len`` or ``getattr`` raises does no harm.
"""

import dataclasses
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import nn

MAX_DEPTH = 12
"""Deeper nesting is taken as opaque; real arguments have three or four levels."""

MAX_ITEMS = 4096
"""How many items of one value are looked at, so that a list of a million numbers costs nothing."""

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, slice, range, torch.Size, torch.dtype})

_SEQUENCES: tuple[type[Any], ...] = (tuple, list, deque, set, frozenset)

_CLOSED = (nn.Module, type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType)
"""Objects whose attributes are not part of the data that flows."""


def is_tensor(value: object) -> bool:
    """Whether this is a tensor or of a subclass; an object that lies to ``isinstance`` is not believed."""
    return issubclass(type(value), torch.Tensor)


def tensors_in(value: Any) -> list[torch.Tensor]:
    """The tensors of a nested value in order; the same tensor as often as it occurs."""
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        return [value]
    if kind is tuple and len(value) <= MAX_ITEMS:
        # The arguments of nearly all calls are a flat tuple, so this way is worth its own lines.
        found = []
        for item in value:
            inner = type(item)
            if issubclass(inner, torch.Tensor):
                found.append(item)
            elif inner not in _PLAIN:
                break
        else:
            return found
    return [tensor for _, tensor in named_tensors_in("", value)]


def tensors_given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The tensors among the arguments of a call."""
    return tensors_in(args) + tensors_in(kwargs) if kwargs else tensors_in(args)


def named_tensors_in(name: str, value: Any) -> list[tuple[str, torch.Tensor]]:
    """The tensors of a nested value with the expression that reaches each: ``batch['labels']``, ``pair[0]``."""
    found: list[tuple[str, torch.Tensor]] = []
    _collect(name, value, found, _Walk())
    return found


class _Walk:
    """What one walk remembers: the containers above, whether an object is among them, and what is left to look at."""

    __slots__ = ("above", "budget", "in_object")

    def __init__(self) -> None:
        self.above: list[int] = []
        self.budget = MAX_ITEMS
        self.in_object = False


def _collect(name: str, value: Any, found: list[tuple[str, torch.Tensor]], walk: _Walk) -> None:
    if is_tensor(value):
        found.append((name, value))
        return
    if type(value) in _PLAIN or len(walk.above) >= MAX_DEPTH or id(value) in walk.above:
        return
    opens = not issubclass(type(value), (*_SEQUENCES, dict))
    if opens and (walk.in_object or issubclass(type(value), _CLOSED)):
        return
    walk.above.append(id(value))
    walk.in_object |= opens
    for suffix, item in _attributes(value) if opens else _items(value):
        walk.budget -= 1
        if walk.budget < 0:
            break
        _collect(name + suffix, item, found, walk)
    walk.in_object &= not opens
    walk.above.pop()


def _items(value: Any) -> Iterable[tuple[str, Any]]:
    kind = type(value)
    if issubclass(kind, dict):
        return ((f"[{key!r}]" if type(key) in {str, int} else "[...]", item) for key, item in dict.items(value))
    base = next(base for base in _SEQUENCES if issubclass(kind, base))
    return ((f"[{index}]", item) for index, item in enumerate(base.__iter__(value)))


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Fields of a dataclass, and attributes of a plain object as far as they are tensors or hold some directly.

    An object inside an object stays closed: a cache that is handed from layer to layer holds the
    tensors of all of them, and to follow those would connect every layer with every other.
    """
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        for field in dataclasses.fields(kind):
            try:
                yield f".{field.name}", object.__getattribute__(value, field.name)
            except AttributeError:
                continue
        return
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return
    if not issubclass(type(attributes), Mapping):
        return
    for name, item in list(attributes.items()):
        if is_tensor(item) or issubclass(type(item), (tuple, list, dict)):
            yield f".{name}", item
