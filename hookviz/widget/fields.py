"""The fields of a command, each checked to be what its handler expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from hookviz.errors import HookvizError

Fields = Mapping[str, Any]
Answer = tuple[Mapping[str, Any], list[bytes]]
"""What to say, and binary data that goes with it."""

T = TypeVar("T")


def field(fields: Fields, name: str, kind: type[T]) -> T:
    """A field of a certain type.

    Raises:
        HookvizError: if it is missing, or of another one.
    """
    value = fields.get(name)
    # type() and not isinstance(): a bool would pass for a number.
    if type(value) is not kind:
        raise HookvizError(
            f"The command {fields.get('command')!r} needs {name!r} as {kind.__name__}, got {value!r:.200}."
        )
    return value


def optional_int(fields: Fields, name: str) -> int | None:
    """A whole number that may be left out."""
    return None if fields.get(name) is None else field(fields, name, int)


def whole_numbers(fields: Fields, name: str) -> list[int] | None:
    """A list of whole numbers that may be left out."""
    if fields.get(name) is None:
        return None
    numbers = field(fields, name, list)
    if any(type(number) is not int for number in numbers):
        raise HookvizError(
            f"The command {fields.get('command')!r} needs {name!r} as a list of whole numbers, got {numbers!r:.200}."
        )
    return numbers


def texts(fields: Fields, name: str) -> list[str]:
    """A list of texts."""
    found = field(fields, name, list)
    if any(type(text) is not str for text in found):
        raise HookvizError(
            f"The command {fields.get('command')!r} needs {name!r} as a list of texts, got {found!r:.200}."
        )
    return found


def choice(fields: Fields, name: str, choices: tuple[Any, ...]) -> Any:
    """One of several values."""
    value = fields.get(name)
    if value not in choices:
        raise HookvizError(
            f"The command {fields.get('command')!r} needs {name!r} as one of {', '.join(choices)}, got {value!r:.200}."
        )
    return value
