"""Colours the cards of a drawn SVG by a number, and says what the colours mean; the layout stays."""

from xml.etree import ElementTree as ET

from hookviz.diagram.drawing import without_namespace
from hookviz.diagram.ids import attribute_id
from hookviz.diagram.ramp import colour_at
from hookviz.diagram.style import FONTS, PALETTE, SIZES
from hookviz.diagram.typography import text_width
from hookviz.graph.colouring import Colouring, Mark

MARK_HEIGHT = 14
MARK_SIZE = 9.5
"""Of the text in a mark."""

LEGEND_HEIGHT = 34
LEGEND_STEPS = 24
"""So many rectangles are the scale: a gradient would need an id, and a page may show several pictures."""

_STEP_WIDTH = 5
_INSET = 8
_SCALE_TOP = 14


def coloured_svg(svg: str, colouring: Colouring) -> str:
    """The same drawing with a colour and a number on each card that has one, and a legend below."""
    root = without_namespace(ET.fromstring(svg))
    marks = {attribute_id(node_id): mark for node_id, mark in colouring.marks.items()}
    for card in root.iter("g"):
        mark = marks.get(card.get("data-node", ""))
        shape = next((each for each in card if each.get("class") == "hv-shape"), None)
        if mark is not None and shape is not None and shape.tag == "rect":
            _colour(card, shape, mark, colouring.title)
    _add_legend(root, colouring)
    root.attrib = {"xmlns": "http://www.w3.org/2000/svg"} | root.attrib
    return ET.tostring(root, encoding="unicode")


def legend_texts(colouring: Colouring) -> tuple[str, str, str]:
    """What the legend says: the title, and the texts at the beginning and the end of the scale."""
    if not colouring.low:
        return f"{colouring.title}: {colouring.note}", "", ""
    return colouring.title, colouring.low, colouring.high + (" · log scale" if colouring.is_log else "")


def _colour(card: ET.Element, shape: ET.Element, mark: Mark, title: str) -> None:
    if mark.place is not None:
        shape.set("fill", colour_at(mark.place))
        for text in card.iterfind("text"):
            # Blue and orange are not readable on all of the scale.
            text.set("fill", PALETTE.ink)
    hover = card.find("title")
    if hover is not None:
        hover.text = f"{hover.text or ''}\n{title}: {mark.text}"
    width = text_width(mark.text, MARK_SIZE) + 10
    right = float(shape.get("x", "0")) + float(shape.get("width", "0")) - _INSET
    top = float(shape.get("y", "0")) - MARK_HEIGHT / 2
    box = {
        "x": f"{right - width:g}",
        "y": f"{top:g}",
        "width": f"{width:g}",
        "height": f"{MARK_HEIGHT}",
        "rx": f"{MARK_HEIGHT / 2:g}",
        "fill": PALETTE.paper,
        "stroke": PALETTE.line,
    }
    ET.SubElement(card, "rect", {"class": "hv-mark-box", **box})
    text = _text(mark.text, right - width / 2, top + 10.2, "hv-mark")
    text.set("text-anchor", "middle")
    card.append(text)


def _add_legend(root: ET.Element, colouring: Colouring) -> None:
    left, top, width, height = (float(number) for number in root.get("viewBox", "0 0 0 0").split())
    title, low, high = legend_texts(colouring)
    scale = _STEP_WIDTH * LEGEND_STEPS if low else 0
    begin = left + _INSET
    from_scale = begin + text_width(low, MARK_SIZE) + _INSET
    end = max(from_scale + scale + _INSET + text_width(high, MARK_SIZE), begin + text_width(title, SIZES.small))
    below = top + height
    wider = max(width, end + _INSET - left)
    legend = ET.SubElement(root, "g", {"class": "hv-colour-legend", "font-family": FONTS.text_css})
    paper = {"x": f"{left:g}", "y": f"{below:g}", "width": f"{wider:g}", "height": f"{LEGEND_HEIGHT}"}
    ET.SubElement(legend, "rect", {**paper, "fill": PALETTE.paper})
    legend.append(_text(title, begin, below + 9, "hv-label"))
    if low:
        legend.append(_text(low, begin, below + _SCALE_TOP + 8.5, "hv-label"))
        legend.append(_text(high, from_scale + scale + _INSET, below + _SCALE_TOP + 8.5, "hv-label"))
    for step in range(LEGEND_STEPS if low else 0):
        place = {"x": f"{from_scale + step * _STEP_WIDTH:g}", "y": f"{below + _SCALE_TOP:g}"}
        size = {"width": f"{_STEP_WIDTH}", "height": "10", "fill": colour_at(step / (LEGEND_STEPS - 1))}
        ET.SubElement(legend, "rect", {**place, **size})
    root.set("viewBox", f"{left:g} {top:g} {wider:g} {height + LEGEND_HEIGHT:g}")
    root.set("width", f"{wider:g}")
    root.set("height", f"{height + LEGEND_HEIGHT:g}")


def _text(content: str, x: float, y: float, name: str) -> ET.Element:
    place = {"x": f"{x:g}", "y": f"{y:g}", "font-size": f"{MARK_SIZE:g}", "fill": PALETTE.ink}
    text = ET.Element("text", {"class": name, **place})
    text.text = content
    return text
