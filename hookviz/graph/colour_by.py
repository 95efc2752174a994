"""By what the cards of a picture can be coloured: one number for each module."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from hookviz.errors import OptionError
from hookviz.graph.counts import short_count

ColourBy = Literal["scale", "gradient", "zeros", "time", "memory", "parameters"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One of the numbers, and how it is written."""

    title: str
    """What the legend says."""
    explanation: str
    """What it is for a module, and for a container."""
    text: Callable[[float], str]
    """A number in a few characters."""
    span: tuple[float, float] | None = None
    """Where the colours begin and end; None: at the least and the greatest number in the picture."""


def short_number(value: float) -> str:
    """``3.1e-03``, ``0.57``, ``12.3``, ``NaN``: at most seven characters."""
    if value != value:  # noqa: PLR0124  # NaN
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Inf" if value > 0 else "-Inf"
    if value == 0:
        return "0"
    return f"{value:.3g}" if 0.01 <= abs(value) < 1000 else f"{value:.1e}"


def seconds_text(seconds: float) -> str:
    """``12.3 µs``, ``4.56 ms``, ``7.8 s``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1000 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def bytes_text(count: float) -> str:
    """``48 B``, ``3.1 kB``, ``12.6 MB``; a kilobyte is 1,000 bytes."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * size:
            return f"{count / size:.3g} {unit}" if count < 1000 * size else f"{count / size:,.0f} {unit}"
    return f"{count:.0f} B"


def share_text(share: float) -> str:
    """``45 %``; less than half a per cent is not 0 %."""
    return "<1 %" if 0 < share < 0.005 else ">99 %" if 0.995 < share < 1 else f"{100 * share:.0f} %"


MEASURES: Mapping[ColourBy, Measure] = {
    "scale": Measure(
        "scale of the output",
        "root mean square of what a module returned; of a container the largest inside",
        short_number,
    ),
    "gradient": Measure(
        "gradient norm",
        "Euclidean norm of the gradient at the output; of a container the largest inside",
        short_number,
    ),
    "zeros": Measure(
        "zeros in the output",
        "share of zeros in what a module returned; of a container the largest inside",
        share_text,
        (0.0, 1.0),
    ),
    "time": Measure(
        "time of forward",
        "wall-clock time of its calls with the modules inside, without what capturing took",
        seconds_text,
    ),
    "memory": Measure(
        "memory of activations",
        "bytes of the tensors that it and the modules inside returned, without views and what was handed on",
        bytes_text,
    ),
    "parameters": Measure(
        "parameters",
        "how many numbers its parameters and those of the modules inside hold",
        lambda count: short_count(round(count)),
    ),
}
"""All of them, in the order in which they are offered."""


def measure_named(given: object) -> ColourBy:
    """What somebody asked to colour by.

    Raises:
        OptionError: if there is no such number.
    """
    names: tuple[ColourBy, ...] = get_args(ColourBy)
    for name in names:
        if name == given:
            return name
    near = difflib.get_close_matches(str(given), names, n=1)
    raise OptionError(
        f"Cards are not coloured by {given!r:.60}.{f' Nearest: {near[0]!r}.' if near else ''} "
        f"There are {', '.join(map(repr, names))}; without colours: None."
    )
