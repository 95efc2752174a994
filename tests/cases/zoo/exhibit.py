"""A model of the zoo: how it is made, and what it is fed."""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn


@dataclass(frozen=True)
class Specimen:
    """A model with the arguments of one call; those that require grad are differentiated."""

    model: nn.Module
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Exhibit:
    """A name, and what makes the specimen: the same one from the same random numbers."""

    name: str
    make: Callable[[], Specimen]


def tensors_in(value: object) -> Iterator[Tensor]:
    """The tensors of a nested value, in order: those in tuples, lists, dicts and dataclasses."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)
    elif dataclasses.is_dataclass(value):
        for part in dataclasses.fields(value):
            yield from tensors_in(getattr(value, part.name, None))


def with_tensors(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """The same nested value of tuples, lists and dicts with each tensor replaced."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, list):
        return [with_tensors(part, change) for part in value]
    if type(value) is tuple:
        return tuple(with_tensors(part, change) for part in value)
    if isinstance(value, dict):
        return {key: with_tensors(part, change) for key, part in value.items()}
    return value
