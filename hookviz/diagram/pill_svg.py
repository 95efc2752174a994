"""Pills in the SVG: ``<g class="hv-pill hv-pill-output" data-hooks="..." data-state="on|off|partly">``.

``data-hooks`` has the encoded ids of its hooks with spaces between, so that a drawing takes a new state
without the graph. In it are a title, a rectangle ``hv-pill-shape`` and a text ``hv-pill-text``.
"""

from collections.abc import Collection, Sequence
from typing import cast
from xml.etree import ElementTree as ET

from hookviz.diagram.drawing import Leaf, box_of
from hookviz.diagram.ids import decode_id
from hookviz.diagram.pills import PILL_SLOT, PillState, pill_look, pill_mark, pill_state
from hookviz.diagram.style import SIZES
from hookviz.graph.graph import PillSide

PILL_CLASS = "hv-pill"
"""Class of a pill; another one tells its side."""

_ON_BASELINE = 4.1


def is_pill(leaf: Leaf) -> bool:
    """Whether what the engine drew belongs to a pill."""
    return leaf.slot.startswith(PILL_SLOT)


def pills_of(leaves: Sequence[Leaf]) -> list[ET.Element]:
    """One group for each pill that the engine drew, in the order of drawing."""
    parts: dict[str, list[Leaf]] = {}
    for leaf in filter(is_pill, leaves):
        parts.setdefault(leaf.slot, []).append(leaf)
    return [_pill(slot, drawn) for slot, drawn in parts.items()]


def fill_pill(pill: ET.Element, hooks_off: Collection[str]) -> None:
    """Give a pill the state of its hooks: its mark and its colours."""
    hook_ids = [decode_id(encoded) for encoded in pill.get("data-hooks", "").split()]
    _, _, name = pill.findtext("text", "").partition(" ")
    _paint(pill, pill_state(hook_ids, hooks_off), name)


def _pill(slot: str, drawn: Sequence[Leaf]) -> ET.Element:
    side, *hooks = slot.removeprefix(PILL_SLOT).split(".")
    pill = ET.Element("g", {"class": f"{PILL_CLASS} {PILL_CLASS}-{side}", "data-hooks": " ".join(hooks)})
    ET.SubElement(pill, "title").text = drawn[0].tooltip
    left, top, right, bottom = box_of(drawn[0].element)
    size = {"width": f"{right - left:g}", "height": f"{bottom - top:g}", "rx": f"{(bottom - top) / 2:g}"}
    ET.SubElement(pill, "rect", {"class": f"{PILL_CLASS}-shape", "x": f"{left:g}", "y": f"{top:g}", **size})
    place = {"x": f"{(left + right) / 2:g}", "y": f"{bottom - _ON_BASELINE:g}", "text-anchor": "middle"}
    ET.SubElement(pill, "text", {"class": f"{PILL_CLASS}-text", **place, "font-size": f"{SIZES.pill:g}"})
    mark, _, name = (drawn[-1].element.text or "").partition(" ")
    is_on, is_off = "●" in mark, "○" in mark
    _paint(pill, "partly" if is_on and is_off else "off" if is_off else "on", name)
    return pill


def _paint(pill: ET.Element, state: PillState, name: str) -> None:
    side = cast(PillSide, pill.get("class", "").rpartition("-")[2])
    look = pill_look(side, state)
    pill.set("data-state", state)
    for part in pill:
        if part.tag == "rect":
            part.attrib |= {"fill": look.fill, "stroke": look.border}
        elif part.tag == "text":
            part.set("fill", look.ink)
            part.text = f"{pill_mark(side, state)} {name}"
