"""What stands in the live places of a card: the texts that change with every run.

Each card has one place for each of these texts, of a size that does not depend on them, so values
change without a new layout. A trouble takes the place of the detail line; on a card without one it
takes the place of the gradient.
"""

import re
from dataclasses import dataclass
from typing import Literal

from hookviz.diagram.style import PALETTE, SIZES
from hookviz.diagram.typography import clip, clip_to_width, columns, mono_width, shorten, visible
from hookviz.graph.node_data import NodeData, NodeState

Slot = Literal["fold", "name", "type", "calls", "detail", "spark", "value", "gradient", "trouble"]
"""Every text of a card. The last four and whether ``detail`` shows change with ``NodeData``."""

SPARK_COLUMNS = 8
"""Bars of the histogram in a card."""

HOVER_COLUMNS = 300
"""Longer lines are shortened even where the pointer shows them."""

LIVE_WIDTH = mono_width(SIZES.live_columns, SIZES.live)
"""Width in pixels that every card has at least: that of its live lines."""

SPARK_WIDTH = mono_width(SPARK_COLUMNS, SIZES.live)
"""Width in pixels of the histogram in a card."""

_COLORS: dict[Slot, str] = {
    "fold": PALETTE.muted,
    "name": PALETTE.ink,
    "type": PALETTE.muted,
    "calls": PALETTE.ink,
    "detail": PALETTE.muted,
    "spark": PALETTE.value,
    "value": PALETTE.value,
}
_SAID = re.compile(r"[A-Za-z_ ]+(?=: )")
_NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True, slots=True)
class LiveText:
    """The live texts of one card, each short enough for its place and none of them empty but the trouble."""

    spark: str
    value: str
    gradient: str
    trouble: str


def live_text(data: NodeData) -> LiveText:
    """The texts for what is known of a node; blank ones where nothing is known.

    Where there is neither a gradient nor a word on it, the note stands in its place: it says why.
    """
    spark = _solid(data.spark, SPARK_COLUMNS)
    return LiveText(
        spark=spark + _NO_BREAK_SPACE * (SPARK_COLUMNS - columns(spark)),
        value=_solid(data.value, SIZES.live_columns - SPARK_COLUMNS - 1),
        gradient=_solid(data.gradient or _brief(data.note), SIZES.live_columns),
        trouble=clip_to_width(visible(data.trouble), LIVE_WIDTH, SIZES.detail, is_bold=True),
    )


def slot_color(slot: Slot, state: NodeState, text: str) -> str:
    """Colour of a text: all grey where capturing is off, else by what it means."""
    if slot == "trouble":
        return PALETTE.trouble
    if state == "off":
        return PALETTE.off
    if slot == "gradient":
        return PALETTE.gradient if text.startswith("∇") else PALETTE.muted
    return _COLORS[slot]


def hover_text(first_line: str, data: NodeData) -> str:
    """What the pointer shows over a card: what it is, then its trouble and its note in full."""
    told = [shorten(visible(line), HOVER_COLUMNS) for line in (data.trouble, data.note) if line]
    return "\n".join([first_line, *told])


def _brief(note: str) -> str:
    """A note as a card has room for it: of one that is too long, what it says before it explains it."""
    said = _SAID.match(note)
    return said[0] if said and columns(note) > SIZES.live_columns else note


def _solid(text: str, limit: int) -> str:
    """Text of a fixed-width line whose spaces stay as they are in DOT, SVG and HTML."""
    return clip(visible(text), limit).replace(" ", _NO_BREAK_SPACE) or _NO_BREAK_SPACE
