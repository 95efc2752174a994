"""Reading what an engine drew: shapes and texts with the cell of the label that they are in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from hookviz.diagram.labels import SLOT_PREFIX

_SVG = "{http://www.w3.org/2000/svg}"
_TOOLTIP = "{http://www.w3.org/1999/xlink}title"
_POINT = re.compile(r"(-?[\d.]+),(-?[\d.]+)")
_LEAVES = {"path", "polygon", "polyline", "ellipse", "text"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """A shape or a text."""

    element: ET.Element
    slot: str
    """Which text of a card it is, empty for shapes and for texts outside of cards."""
    tooltip: str
    """What Graphviz would show where the pointer is over it."""


def leaves_of(drawn: ET.Element) -> list[Leaf]:
    """Shapes and texts in the order of drawing, out of the groups and links that Graphviz wraps them in."""
    return list(_leaves(drawn, "", ""))


def box_of(shape: ET.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a path or polygon, from all of its points."""
    points = [(float(x), float(y)) for x, y in _POINT.findall(shape.get("d") or shape.get("points") or "")]
    horizontal, vertical = zip(*points, strict=True)
    return min(horizontal), min(vertical), max(horizontal), max(vertical)


def without_namespace(element: ET.Element) -> ET.Element:
    """The element with plain tag names, which ElementTree writes without a prefix."""
    for each in element.iter():
        each.tag = each.tag.removeprefix(_SVG)
    return element


def _leaves(drawn: ET.Element, slot: str, tooltip: str) -> Iterator[Leaf]:
    for child in drawn:
        if child.tag in {"g", "a"}:
            inner_slot = child.get("id", "").partition(SLOT_PREFIX)[2] or slot
            yield from _leaves(child, inner_slot, child.get(_TOOLTIP, tooltip))
        elif child.tag in _LEAVES:
            yield Leaf(child, slot, tooltip)
