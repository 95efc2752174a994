"""The tensors inside whatever a module takes or returns, in a fixed order, and the way back.

Only containers whose inside is plain to see are opened: tuples, lists, dicts, sets, dataclasses and
Hugging Face's ``ModelOutput`` (a dict). Everything else is opaque: a generator is not consumed, and
of a foreign object no method runs, so that one whose ``==``, ``bool`` or ``len`` raises does no harm.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch

Nested: TypeAlias = Any
"""A value nested like the module's own: leaves, tuples and dicts of them, and plain values."""

MAX_DEPTH = 20
"""Deeper nesting than this is taken as opaque; real outputs have three or four levels."""

_PLAIN = (type(None), bool, int, float, complex, str, bytes)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The place of the tensor number ``index``."""

    index: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """The place of an object that is neither a tensor, a container nor a plain value."""

    type_name: str


class ListParts(tuple[Nested, ...]):
    """The skeleton of a list: like that of a tuple, it can be hashed and compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is ListParts and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


@dataclass(frozen=True, slots=True)
class SetParts:
    """The place of a set: numbers, texts, and tuples and frozen sets of them; all else in it is opaque."""

    parts: frozenset[Nested]
    size: int
    """Opaque parts of one type are one here."""
    is_frozen: bool


SINGLE = Leaf(0)
"""The skeleton of a value that is one tensor, by far the most frequent one."""


ONE_ARGUMENT = ((SINGLE,), dict[str, Nested]())
"""The skeleton of the arguments of a call with one tensor."""

NO_ARGUMENTS = ((), dict[str, Nested]())
"""That of a call without any."""


def split(value: object) -> tuple[Nested, list[torch.Tensor]]:
    """The skeleton of a value, with a ``Leaf`` where a tensor was, and its tensors in order."""
    # type() instead of isinstance(): an object may answer isinstance() with code of its own.
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        return SINGLE, [value]  # type: ignore[list-item]  # issubclass() does not narrow
    tensors: list[torch.Tensor] = []
    return _split(value, tensors, frozenset(), 0), tensors


def split_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Nested, list[torch.Tensor]]:
    """``split`` of the pair; what most modules get, one tensor, the fast way."""
    if len(args) == 1 and not kwargs and issubclass(type(args[0]), torch.Tensor):
        return ONE_ARGUMENT, [args[0]]
    return split((args, kwargs))


def _split(  # noqa: PLR0911  # one return for each kind of container
    value: Any, tensors: list[torch.Tensor], above: frozenset[int], depth: int
) -> Nested:
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        tensors.append(value)
        return Leaf(len(tensors) - 1)
    if kind in _PLAIN:
        return value
    if depth >= MAX_DEPTH or id(value) in above:
        return Opaque(kind.__name__)
    above |= {id(value)}
    # The base classes' own iteration: a subclass may have replaced it.
    if issubclass(kind, tuple):
        names = getattr(kind, "_fields", None)
        parts = [_split(part, tensors, above, depth + 1) for part in tuple.__iter__(value)]
        return dict(zip(names, parts, strict=False)) if names and len(names) == len(parts) else tuple(parts)
    if issubclass(kind, list):
        return ListParts(_split(part, tensors, above, depth + 1) for part in list.__iter__(value))
    if issubclass(kind, dict):
        return {str(key): _split(part, tensors, above, depth + 1) for key, part in dict.items(value)}
    if kind is set or kind is frozenset:
        return _of_set(value, depth)
    if dataclasses.is_dataclass(kind):
        return {
            field.name: _split(_field(value, field.name), tensors, above, depth + 1)
            for field in dataclasses.fields(kind)
        }
    return Opaque(kind.__name__)


def _of_set(value: set[Any] | frozenset[Any], depth: int) -> SetParts:
    # A tensor in a set has no place that could be written in Python.
    return SetParts(frozenset(_member(part, depth + 1) for part in value), len(value), type(value) is frozenset)


def _member(value: Any, depth: int) -> Nested:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if depth < MAX_DEPTH and kind is frozenset:
        return _of_set(value, depth)
    if depth < MAX_DEPTH and kind is tuple:
        return tuple(_member(part, depth + 1) for part in value)
    return Opaque(kind.__name__)


def _field(value: object, name: str) -> object:
    """A field's stored value; never a property, which would run user code."""
    try:
        return object.__getattribute__(value, "__dict__").get(name)
    except AttributeError:
        return object.__getattribute__(value, name)


def join(skeleton: Nested, leaves: Sequence[object]) -> Nested:
    """The skeleton with its leaves put back; objects come back as dicts."""
    if type(skeleton) is Leaf:
        return leaves[skeleton.index]
    if type(skeleton) is tuple:
        return tuple(join(part, leaves) for part in skeleton)
    if type(skeleton) is ListParts:
        return [join(part, leaves) for part in skeleton]
    if type(skeleton) is dict:
        return {key: join(part, leaves) for key, part in skeleton.items()}
    if type(skeleton) is SetParts:
        members = (join(part, leaves) for part in skeleton.parts)
        return frozenset(members) if skeleton.is_frozen else set(members)
    return skeleton


def labels(skeleton: Nested, root: str) -> list[str]:
    """How each leaf is written in Python, in order: ``output``, ``output[1]``, ``output['logits']``."""
    found: list[str] = []
    _visit(skeleton, root, found.append)
    return found


def _visit(skeleton: Nested, label: str, add: Callable[[str], None]) -> None:
    if type(skeleton) is Leaf:
        add(label)
    elif type(skeleton) in (tuple, ListParts):
        for position, part in enumerate(skeleton):
            _visit(part, f"{label}[{position}]", add)
    elif type(skeleton) is dict:
        for key, part in skeleton.items():
            _visit(part, f"{label}[{key!r}]", add)
