"""What a session was asked to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from torch import nn

from hookviz.errors import LimitError, OptionError
from hookviz.hooks.paths import Pattern

_WAYS: Final = 'a path ("fc"), a path with * ("layer4.*"), the name of a class ("Linear")'
ONE_PATTERN: Final = f"{_WAYS} or a module class"
PATTERNS: Final = f"{_WAYS}, a module class, or several in a list"


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """The options of ``watch``; see there.

    Raises:
        OptionError: if one is of a type that it cannot have.
        LimitError: if one of the limits lies outside of its range.
    """

    only: tuple[Pattern, ...] | None = None
    exclude: tuple[Pattern, ...] | None = None
    inputs: bool = False
    gradients: bool = True
    keep_bytes: int = 256 * 2**20
    overhead: float = 0.05
    every: int | None = None
    exact: bool = False
    history: int = 200
    stop_on_nan: bool = False

    def __post_init__(self) -> None:
        for name in ("inputs", "gradients", "exact", "stop_on_nan"):
            self._check(name, "True or False", isinstance(getattr(self, name), bool))
        self._check("keep_bytes", "a whole number of bytes, such as 64 * 2**20", _is_whole(self.keep_bytes))
        self._check("overhead", "a share of the time, such as 0.05", _is_number(self.overhead))
        self._check("every", "a whole number of runs, such as 10", self.every is None or _is_whole(self.every))
        self._check("history", "a whole number of runs, such as 200", _is_whole(self.history))
        if self.keep_bytes <= 0:
            raise LimitError(
                f"keep_bytes is how many bytes of tensors may be kept, 1 or more; got {self.keep_bytes!r}. "
                "The default is 268435456 (256 MB)."
            )
        if self.history <= 0:
            raise LimitError(
                f"history is how many captured runs are remembered, 1 or more; got {self.history!r}. "
                "The default is 200."
            )

    def _check(self, name: str, accepted: str, is_accepted: bool) -> None:
        if not is_accepted:
            given = getattr(self, name)
            raise OptionError(f"{name} is {accepted}; got {given!r} ({type(given).__name__}).")

    def changed(
        self,
        *,
        only: Pattern | Sequence[Pattern] | None = None,
        exclude: Pattern | Sequence[Pattern] | None = None,
        **others: bool | float | None,
    ) -> Self:
        """The same options but for those that are given; None gives none.

        ``overhead`` without ``every`` ends an ``every``: each replaces the other.

        Raises:
            OptionError: if there is no such option, or one is of a type that it cannot have.
            LimitError: if one of the limits lies outside of its range.
        """
        known = [field.name for field in dataclasses.fields(self)]
        unknown = [name for name in others if name not in known]
        if unknown:
            raise OptionError(f"There is no option {unknown[0]!r}. The options: {', '.join(known)}.")
        given: dict[str, Any] = {name: value for name, value in others.items() if value is not None}
        if only is not None:
            patterns = _patterns("only", only)
            given["only"] = None if patterns == ("*",) else patterns
        if exclude is not None:
            given["exclude"] = _patterns("exclude", exclude) or None
        if "overhead" in given and "every" not in given:
            given["every"] = None
        return dataclasses.replace(self, **given)

    def unusual(self) -> Iterator[tuple[str, object]]:
        """Names and values of those that are not as they are by default."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                yield field.name, value


def _patterns(name: str, given: object) -> tuple[Pattern, ...]:
    several = tuple(given) if isinstance(given, (list, tuple, set, frozenset)) else (given,)
    for pattern in several:
        if not (isinstance(pattern, str) or (isinstance(pattern, type) and issubclass(pattern, nn.Module))):
            raise OptionError(f"{name} is {PATTERNS}; got {pattern!r} ({type(pattern).__name__}).")
    return several


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
