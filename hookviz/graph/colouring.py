"""From numbers to places on a scale of colours: what each card is coloured with, and what the legend says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from hookviz.graph.colour_by import MEASURES, ColourBy

LOG_FROM = 30.0
"""Where the greatest number is at least so many times the least above 0, the scale is logarithmic."""

MIDDLE = 0.5
"""The place of numbers that are all the same."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a card gets: its number as text, and its place on the scale."""

    text: str
    place: float | None
    """From 0 to 1; None where there is only the text: on boxes around cards, and of NaN and infinities."""


@dataclass(frozen=True, slots=True)
class Colouring:
    """How the cards of one picture are coloured. Cards without a mark have no such number."""

    by: ColourBy
    low: str = ""
    """The number at the beginning of the scale; empty if no card has one."""
    high: str = ""
    is_log: bool = False
    note: str = ""
    """Why no card has a number, else empty."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """By the id of the node or group."""

    @property
    def title(self) -> str:
        """What is shown, in words."""
        return MEASURES[self.by].title


def colouring_of(
    by: ColourBy, cards: Mapping[str, float], boxes: Mapping[str, float], *, note: str = "", is_about: bool = False
) -> Colouring:
    """The colouring for these numbers.

    Args:
        by: What they are.
        cards: Those of the cards, by node id: they span the scale.
        boxes: Those of the boxes around cards, by group id: they are told, and not coloured.
        note: Why there are none, where that is so.
        is_about: Some were estimated, which their texts say.
    """
    measure = MEASURES[by]
    finite = [number for number in cards.values() if math.isfinite(number)]
    about = "≈" if is_about else ""
    texts = {node_id: about + measure.text(number) for node_id, number in {**cards, **boxes}.items()}
    if not finite:
        return Colouring(by, note=note, marks={node_id: Mark(text, None) for node_id, text in texts.items()})
    low, high = measure.span or (min(finite), max(finite))
    least = min((number for number in finite if number > 0), default=0.0)
    is_log = measure.span is None and least > 0 and high >= LOG_FROM * least
    if is_log:
        # A zero has no logarithm: it lies at the beginning, with the least number above it.
        low = least
    places = {
        node_id: _place(number, low, high, is_log=is_log) for node_id, number in cards.items() if math.isfinite(number)
    }
    return Colouring(
        by,
        measure.text(low),
        measure.text(high),
        is_log,
        marks={node_id: Mark(text, places.get(node_id)) for node_id, text in texts.items()},
    )


def _place(number: float, low: float, high: float, *, is_log: bool) -> float:
    if high <= low:
        return MIDDLE
    if is_log:
        number, low, high = math.log(max(number, low)), math.log(low), math.log(high)
    return round((number - low) / (high - low), 3)
