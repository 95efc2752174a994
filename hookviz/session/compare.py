"""Two values side by side with their difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hookviz.hooks.shape_text import shape_text

if TYPE_CHECKING:
    from hookviz.capture.summary import TensorSummary
    from hookviz.session.compare_values import ValueDifference

Number = Literal["mean", "std", "min", "max", "norm", "zeros", "nans", "infs"]
NUMBERS: Final[tuple[Number, ...]] = ("mean", "std", "min", "max", "norm", "zeros", "nans", "infs")

MOST_ROWS: Final = 40
"""So many values are shown when several are printed."""


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Two values, A and B, with their difference. Printed, it is a table."""

    label: str
    """What was compared, where several values were; else empty."""
    a: TensorSummary
    b: TensorSummary
    difference: ValueDifference | None
    """Value by value; None where that cannot be had."""
    why: str
    """Why there is no ``difference``, else what is to be known of it: ``float32 → float64``; may be empty."""

    def delta(self, number: Number) -> float | None:
        """That of A less that of B; None where one of them has none."""
        of_a, of_b = getattr(self.a, number), getattr(self.b, number)
        return None if of_a is None or of_b is None else of_a - of_b

    @property
    def is_equal(self) -> bool | None:
        """Whether both hold the same values in one shape; None where that is not known."""
        if self.difference is not None:
            return self.difference.is_equal
        if self.a.shape != self.b.shape or any(
            getattr(self.a, number) != getattr(self.b, number) for number in ("min", "max") if not _is_nan(self, number)
        ):
            return False
        return None

    def __repr__(self) -> str:
        head = ("", f"A {_kind(self.a)}", f"B {_kind(self.b)}", "A − B")
        rows = [
            (number, _text(getattr(self.a, number)), _text(getattr(self.b, number)), _text(self.delta(number)))
            for number in NUMBERS
            if number not in ("nans", "infs") or getattr(self.a, number) or getattr(self.b, number)
        ]
        name = f"<Comparison of {self.label}" if self.label else "<Comparison"
        return "\n".join([name, *_table([head, *rows]), *(f"  {line}" for line in self.sentences())]) + ">"

    def sentences(self) -> list[str]:
        """The difference value by value in words, or why there is none."""
        found = self.difference
        if found is None:
            return [f"not compared value by value: {self.why}"]
        if found.is_equal:
            return [f"all {found.numel:,} values are equal", *filter(None, [self.why])]
        lines = [f"{found.differing:,} of {found.numel:,} values differ"]
        if found.largest == 0:
            lines.append("where both are finite, they are equal")
        elif found.index is not None:
            place = f" at {list(found.index)}" if found.index else ""
            lines.append(
                f"largest difference {_text(found.largest)}{place}: A {_value(found.at_a)}, B {_value(found.at_b)}"
            )
            lines.append(f"mean difference {_text(found.mean)}, relative difference {_text(found.relative)}")
            lines.append(f"cosine similarity {'–' if found.cosine is None else f'{found.cosine:.6f}'}")
        if found.not_finite and found.largest:
            lines.append(f"left out of these: {found.not_finite:,} places where A or B is NaN or infinite")
        return [*lines, *filter(None, [self.why])]


@dataclass(frozen=True, slots=True, repr=False)
class Comparisons:
    """Many values compared, in order, such as the outputs of all modules. Printed, it is a table."""

    pairs: tuple[Comparison, ...]
    only_a: tuple[str, ...]
    """What only A has."""
    only_b: tuple[str, ...]

    @property
    def first_difference(self) -> Comparison | None:
        """The first that differs and, of modules, holds no other that does; None where all are equal or not known."""
        differing = [pair for pair in self.pairs if pair.is_equal is False]
        labels = [pair.label for pair in differing]
        return next((pair for pair in differing if not any(_is_inside(label, pair.label) for label in labels)), None)

    @property
    def is_equal(self) -> bool | None:
        """Whether all are equal; None where that is not known of some, and no other differs."""
        found = [pair.is_equal for pair in self.pairs]
        if False in found or self.only_a or self.only_b:
            return False
        return None if None in found else True

    def __getitem__(self, label: str) -> Comparison:
        for pair in self.pairs:
            if pair.label == label:
                return pair
        raise KeyError(label)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        first = self.first_difference
        if first is not None:
            state = f"{_named(first.label)} is the first that differs"
        elif not self.pairs:
            state = "A and B have none in common"
        elif self.is_equal is None:
            state = "nothing is known to differ"
        else:
            state = "nothing differs" if self.is_equal else "nothing that both have differs"
        rows = [("", "relative", "largest", "at")]
        rows += [(_named(pair.label), *_short(pair)) for pair in self.pairs[:MOST_ROWS]]
        more = len(self.pairs) - MOST_ROWS
        ends = [f"  … {more} more"] if more > 0 else []
        ends += [f"  only in A: {', '.join(map(_named, self.only_a))}"] if self.only_a else []
        ends += [f"  only in B: {', '.join(map(_named, self.only_b))}"] if self.only_b else []
        return "\n".join([f"<Comparisons of {len(self.pairs)} values: {state}", *_table(rows), *ends]) + ">"


def _is_inside(label: str, other: str) -> bool:
    """Whether a label is that of a module inside of the other's."""
    return label != other and (other == "" or label.startswith(f"{other}."))


def _is_nan(pair: Comparison, number: str) -> bool:
    of_a, of_b = getattr(pair.a, number), getattr(pair.b, number)
    return of_a is not None and of_b is not None and math.isnan(of_a) and math.isnan(of_b)


def _short(pair: Comparison) -> tuple[str, str, str]:
    found = pair.difference
    if found is None:
        return ("–", "–", pair.why)
    if found.is_equal:
        return ("equal", "", "")
    index = str(list(found.index)) if found.index else ""
    return (_text(found.relative), _text(found.largest), index)


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _named(label: str) -> str:
    return label or "(the model)"


def _kind(summary: TensorSummary) -> str:
    return f"{shape_text(summary.shape)} {summary.dtype}"


def _text(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _value(value: complex | None) -> str:
    return "–" if value is None else f"{value:.6g}"
