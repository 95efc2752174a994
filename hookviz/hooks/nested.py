"""The tensors inside of what a module takes or returns, and the same value with one of them replaced.

Opens what ``capture.leaves`` opens, and names places as it does: ``[1]``, ``['logits']``. What is built
anew is of the same type, and shares all that was not replaced.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor is: positions, keys and field names from the outside in."""

    steps: tuple[int | str, ...] = ()

    def label(self, root: str) -> str:
        """How one writes it: ``output[0]['logits']``."""
        return root + "".join(f"[{step!r}]" for step in self.steps)


def tensors_in(value: object) -> list[tuple[Place, torch.Tensor]]:
    """Every tensor with its place, in a fixed order."""
    return list(_walk(value, (), frozenset()))


def _walk(value: Any, steps: tuple[int | str, ...], above: frozenset[int]) -> Iterator[tuple[Place, torch.Tensor]]:
    if issubclass(type(value), torch.Tensor):
        yield Place(steps), value
    elif len(steps) < MAX_DEPTH and id(value) not in above:
        above |= {id(value)}
        for step, part in _parts(value):
            yield from _walk(part, (*steps, step), above)


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    kind = type(value)
    if issubclass(kind, tuple):
        names = getattr(kind, "_fields", None)
        steps = names if names and len(names) == tuple.__len__(value) else range(tuple.__len__(value))
        yield from zip(steps, tuple.__iter__(value), strict=True)
    elif issubclass(kind, list):
        yield from enumerate(list.__iter__(value))
    elif issubclass(kind, dict):
        yield from dict.items(value)
    elif dataclasses.is_dataclass(kind):
        for field in dataclasses.fields(kind):
            # The stored value; never a property, which would run the user's code.
            stored = value.__dict__ if hasattr(value, "__dict__") else {}
            yield field.name, stored[field.name] if field.name in stored else getattr(value, field.name, None)


def with_tensor(value: Any, place: Place, tensor: torch.Tensor) -> Any:
    """The value with another tensor at a place; the value itself is not changed."""
    if not place.steps:
        return tensor
    step, inner = place.steps[0], Place(place.steps[1:])
    part = with_tensor(next(part for key, part in _parts(value) if key == step), inner, tensor)
    kind = type(value)
    if issubclass(kind, tuple):
        parts = [part if key == step else old for key, old in _parts(value)]
        make = getattr(kind, "_make", None)
        return tuple(parts) if kind is tuple else make(parts) if make is not None else kind(parts)
    changed = copy.copy(value)
    if issubclass(kind, (list, dict)):
        changed[step] = part
    else:
        # A frozen dataclass refuses setattr().
        object.__setattr__(changed, str(step), part)
    return changed
