"""What a session was asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hookviz.errors import LimitError
from hookviz.hooks.paths import Pattern


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """The options of ``watch``; see there.

    Raises:
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

    def __post_init__(self) -> None:
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


def as_patterns(given: Pattern | Sequence[Pattern] | None) -> tuple[Pattern, ...] | None:
    """One pattern or several as a tuple."""
    if given is None:
        return None
    return (given,) if isinstance(given, (str, type)) else tuple(given)
