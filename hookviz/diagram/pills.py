"""Pills: the marks of hooks on a card, each of a size that does not depend on whether its hooks are on."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hookviz.diagram.ids import encode_id
from hookviz.diagram.slots import HOVER_COLUMNS
from hookviz.diagram.style import PALETTE, SIZES
from hookviz.diagram.typography import shorten, text_width, visible
from hookviz.graph.graph import Pill, PillSide

PillState = Literal["on", "off", "partly"]
"""``partly``: of several hooks that share a pill, some are on."""

PILL_COLUMNS = 20
"""Longer names of hooks are shortened in the middle."""

PILL_GAP = 3
"""Pixels between two pills, and around them."""

PILL_SLOT = "pill."
"""Begins the slot of a pill's cell; its side and the ids of its hooks follow, encoded, with dots between."""

_PADDING = 5
# All of them are in WGL4, so in the fonts of the PNG too; half a circle is not.
_MARKS: dict[PillState, str] = {"on": "●", "off": "○", "partly": "●○"}
_LEADS: dict[PillSide, str] = {"input": "→", "output": "", "gradient": "∇", "parameter": ""}


@dataclass(frozen=True, slots=True)
class PillLook:
    """Colours of a pill."""

    ink: str
    fill: str
    border: str


_LOOKS: dict[PillSide, PillLook] = {
    "input": PillLook(PALETTE.value, PALETTE.value_tint, PALETTE.value_line),
    "output": PillLook(PALETTE.value, PALETTE.value_tint, PALETTE.value_line),
    "gradient": PillLook(PALETTE.gradient, PALETTE.gradient_tint, PALETTE.gradient_line),
    "parameter": PillLook(PALETTE.parameter, PALETTE.parameter_tint, PALETTE.parameter_line),
}
_OFF = PillLook(PALETTE.off, PALETTE.shade, PALETTE.faint)


def pill_state(hook_ids: Collection[str], hooks_off: Collection[str]) -> PillState:
    """Whether the hooks of a pill run."""
    off = sum(hook_id in hooks_off for hook_id in hook_ids)
    if off == 0:
        return "on"
    return "off" if off == len(hook_ids) else "partly"


def pill_look(side: PillSide, state: PillState) -> PillLook:
    """Colours by what the hook acts on; grey where it is off."""
    return _OFF if state == "off" else _LOOKS[side]


def pill_text(pill: Pill, state: PillState) -> str:
    """``→● clip`` before the module, ``● record`` after it, ``∇● scale`` on gradients; ``○`` where it is off."""
    return f"{pill_mark(pill.side, state)} {_name(pill)}"


def pill_mark(side: PillSide, state: PillState) -> str:
    """What stands before the name: where the hook acts, and whether it is on."""
    return _LEADS[side] + _MARKS[state]


def pill_hover(pill: Pill) -> str:
    """What the pointer shows over a pill, one line for each hook."""
    return "\n".join(shorten(visible(line), HOVER_COLUMNS) for line in (pill.title or pill.text).split("\n"))


def pill_width(pill: Pill) -> float:
    """Width in pixels that is enough for every state."""
    states: Sequence[PillState] = ("on", "off", "partly") if len(pill.hook_ids) > 1 else ("on", "off")
    widest = max(text_width(pill_mark(pill.side, state), SIZES.pill) for state in states)
    return widest + text_width(f" {_name(pill)}", SIZES.pill) + 2 * _PADDING


def pill_rows(pills: Iterable[Pill], room: float) -> list[list[Pill]]:
    """The pills in rows of at most ``room`` pixels, what acts on the input first; else their order stays."""
    rows: list[list[Pill]] = []
    left = 0.0
    for pill in sorted(pills, key=lambda each: each.side != "input"):
        width = pill_width(pill) + PILL_GAP
        if not rows or width > left:
            rows.append([])
            left = room
        rows[-1].append(pill)
        left -= width
    return rows


def pill_slot(pill: Pill) -> str:
    """The slot of a pill's cell, from which ``side_of_slot`` and ``hooks_of_slot`` read again."""
    return f"{PILL_SLOT}{pill.side}.{'.'.join(map(encode_id, pill.hook_ids))}"


def _name(pill: Pill) -> str:
    return shorten(visible(pill.text or "(unnamed)"), PILL_COLUMNS)
