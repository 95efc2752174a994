"""Marks in a drawn SVG what looks wrong, as the browser does: a badge on each card, and the way of a NaN."""

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from hookviz.diagram.coloured_svg import coloured_svg
from hookviz.diagram.drawing import without_namespace
from hookviz.diagram.ids import attribute_id
from hookviz.diagram.style import FONTS, PALETTE
from hookviz.graph.badges import Badge, Badges, Way
from hookviz.graph.colouring import Colouring

RADIUS = 8
WAY_WIDTH = 2.6
"""Of edges on the way of a NaN; cards on it have a border of ``WAY_BORDER``."""
WAY_BORDER = 1.8

_NOTHING = Badges()


def finished_svg(svg: str, colouring: Colouring | None = None, badges: Badges = _NOTHING) -> str:
    """The same drawing with all that lies over it: colours and their legend, badges, the way of a NaN."""
    coloured = svg if colouring is None else coloured_svg(svg, colouring)
    return coloured if badges == _NOTHING else badged_svg(coloured, badges)


def badged_svg(svg: str, badges: Badges) -> str:
    """The same drawing with a badge on each card that has one, and the way of a NaN in red."""
    root = without_namespace(ET.fromstring(svg))
    _mark_cards(root, {attribute_id(node_id): badge for node_id, badge in badges.cards.items()})
    _mark_way(root, badges.way)
    root.attrib = {"xmlns": "http://www.w3.org/2000/svg"} | root.attrib
    return ET.tostring(root, encoding="unicode")


def _mark_cards(root: ET.Element, badges: Mapping[str, Badge]) -> None:
    for card in root.iter("g"):
        badge = badges.get(card.get("data-node", ""))
        shape = card.find("rect[@class='hv-shape']")
        if badge is not None and shape is not None:
            card.append(_drawn(badge, float(shape.get("x", "0")), float(shape.get("y", "0"))))


def _drawn(badge: Badge, x: float, y: float) -> ET.Element:
    """On the card's left upper corner, where nothing else stands."""
    drawn = ET.Element("g", {"class": "hv-badge", "transform": f"translate({x + 2:g} {y + 1:g})"})
    ET.SubElement(drawn, "title").text = badge.words
    fill = PALETTE.trouble if badge.alarms else PALETTE.muted
    ET.SubElement(drawn, "circle", {"r": f"{RADIUS}", "fill": fill, "stroke": PALETTE.paper, "stroke-width": "1.5"})
    look = {"font-family": FONTS.text_css, "font-size": "11", "font-weight": "bold", "text-anchor": "middle"}
    ET.SubElement(drawn, "text", {"y": "4", "fill": PALETTE.paper, **look}).text = badge.sign
    return drawn


def _mark_way(root: ET.Element, way: Way) -> None:
    nodes = {attribute_id(node_id) for node_id in way.nodes}
    edges = {attribute_id(edge_id) for edge_id in way.edges}
    for part in root.iter("g"):
        if part.get("data-node") in nodes and "hv-node" in part.get("class", "").split():
            for shape in part.iterfind("*[@class='hv-shape']"):
                shape.attrib |= {"stroke": PALETTE.trouble, "stroke-width": f"{WAY_BORDER}"}
        if f"{part.get('data-source')}->{part.get('data-target')}" in edges:
            for line in part.iterfind("path"):
                line.attrib |= {"stroke": PALETTE.trouble, "stroke-width": f"{WAY_WIDTH}"}
            for arrow in part.iterfind("polygon"):
                arrow.attrib |= {"stroke": PALETTE.trouble, "fill": PALETTE.trouble}
