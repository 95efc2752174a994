"""The colours of a card in the SVG, by its state and its texts: the same for a new drawing and a new run."""

from typing import cast
from xml.etree import ElementTree as ET

from hookviz.diagram.slots import Slot, slot_color
from hookviz.diagram.style import KINDS, PALETTE, CardLook, look_of
from hookviz.graph.node_data import NodeState

SHAPE_CLASSES = ("hv-shape", "hv-outline")
"""Classes of a card's borders: the inner one, and the outer one of a folded container."""

GROUP_CLASS = "hv-group"
"""Class of an unfolded container."""


def paint_card(card: ET.Element) -> None:
    """Give a node or group the colours of its state, and show its trouble or what the trouble hides."""
    state = cast(NodeState, card.get("data-state"))
    trouble = card.findtext("text[@data-slot='trouble']")
    has_trouble = "data-trouble" in card.attrib if trouble is None else bool(trouble)
    if has_trouble:
        card.set("data-trouble", "")
    else:
        card.attrib.pop("data-trouble", None)
    classes = card.get("class", "").split()
    kind = next(kind for kind in KINDS if f"hv-{kind}" in classes)
    look = look_of(kind, state, has_trouble=has_trouble)
    for element in card:
        slot = element.get("data-slot")
        if slot is not None:
            _show(element, is_shown=not (has_trouble and element.get("data-under") == "trouble"))
            element.set("fill", slot_color(cast(Slot, slot), state, element.text or ""))
        elif element.get("class") in SHAPE_CLASSES:
            _paint_shape(element, look, is_group=GROUP_CLASS in classes)


def _paint_shape(shape: ET.Element, look: CardLook, *, is_group: bool) -> None:
    is_filled = shape.get("class") == "hv-shape" and not is_group
    shape.set("fill", look.fill if is_filled else "none")
    is_calm_outline = shape.get("class") == "hv-outline" and look.border == PALETTE.line
    shape.set("stroke", PALETTE.faint if is_calm_outline else look.border)
    shape.set("stroke-width", f"{look.border_width:g}")
    if is_group:
        # A click anywhere inside of a group is a click on it, though its inside is drawn by another shape.
        shape.set("pointer-events", "all")
    if look.is_dashed:
        shape.set("stroke-dasharray", "5 3")
    else:
        shape.attrib.pop("stroke-dasharray", None)


def _show(text: ET.Element, *, is_shown: bool) -> None:
    if is_shown:
        text.attrib.pop("display", None)
    else:
        text.set("display", "none")
