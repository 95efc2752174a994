"""What crosses to the browser of the colours; ``frontend/src/colour-wire.ts`` repeats these types."""

from __future__ import annotations

from typing import Final, TypedDict, get_args

from hookviz.diagram.ramp import DARK, LIGHT
from hookviz.graph.colour_by import MEASURES, ColourBy
from hookviz.graph.colouring import Colouring


class ColourChoiceWire(TypedDict):
    """One of the numbers that cards can be coloured by."""

    by: str
    title: str
    explanation: str


class MarkWire(TypedDict):
    """What a card gets; see ``graph.Mark``."""

    text: str
    place: float | None


class ColoursWire(TypedDict):
    """Trait ``colours``: how the cards are coloured, and what the legend says; see ``graph.Colouring``."""

    by: str
    """Empty where there are no colours."""
    title: str
    low: str
    high: str
    is_log: bool
    note: str
    marks: dict[str, MarkWire]
    """By node or group id."""
    light: list[str]
    """The scale on light paper, from its beginning to its end."""
    dark: list[str]
    choices: list[ColourChoiceWire]


_CHOICES: Final = [
    ColourChoiceWire(by=by, title=MEASURES[by].title, explanation=MEASURES[by].explanation) for by in get_args(ColourBy)
]


def colours_to_wire(colouring: Colouring | None) -> ColoursWire:
    """The colours of a picture; None for none."""
    return {
        "by": "" if colouring is None else colouring.by,
        "title": "" if colouring is None else colouring.title,
        "low": "" if colouring is None else colouring.low,
        "high": "" if colouring is None else colouring.high,
        "is_log": colouring is not None and colouring.is_log,
        "note": "" if colouring is None else colouring.note,
        "marks": {}
        if colouring is None
        else {node_id: MarkWire(text=mark.text, place=mark.place) for node_id, mark in colouring.marks.items()},
        "light": list(LIGHT),
        "dark": list(DARK),
        "choices": _CHOICES,
    }
