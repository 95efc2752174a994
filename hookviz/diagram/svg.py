"""The SVG of a diagram: the engine's drawing with our names on it, and new values in an old drawing.

What the browser may rely on:

- a node is ``<g class="hv-node hv-module|hv-op|..." data-node="its id" data-state="...">``, a group
  the same with ``hv-group``, an edge ``<g class="hv-edge" data-source="..." data-target="...">``;
- its shape has the class ``hv-shape``, the second border of a folded container ``hv-outline``;
- a text of a card has ``data-slot``. Each card has ``spark``, ``value``, ``gradient`` and ``trouble``, and
  so has each group but one that is only a place for others; the text that a trouble hides has
  ``data-under="trouble"``;
- a hook's mark is a pill, see ``pill_svg``;
- ``data-trouble`` is on the node while its trouble has a text, and ``display="none"`` on what it hides;
- the layers from the back: ``hv-paper``, the insides of groups as ``hv-backdrop``, edges, groups,
  nodes. So a group's ``hv-shape`` has no fill, edges are seen all the way through it, and its texts,
  which are above them, have a rim of its colour.

``fill_svg`` does in Python what the browser does when values change.
"""

from collections.abc import Mapping
from typing import cast, get_args
from xml.etree import ElementTree as ET

from hookviz.diagram.dot import CLUSTER_PREFIX, TROUBLED
from hookviz.diagram.drawing import Leaf, box_of, leaves_of, without_namespace
from hookviz.diagram.ids import attribute_id, decode_id
from hookviz.diagram.markup import to_markup
from hookviz.diagram.paint import GROUP_CLASS, SHAPE_CLASSES, paint_card
from hookviz.diagram.pill_svg import fill_pill, is_pill, pills_of
from hookviz.diagram.slots import HOVER_COLUMNS, SPARK_WIDTH, hover_text, live_text
from hookviz.diagram.style import FONTS, PALETTE, SIZES
from hookviz.diagram.typography import shorten, visible
from hookviz.graph.node_data import NodeData, NodeState

_NAMESPACE = "http://www.w3.org/2000/svg"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_STATES = cast(tuple[NodeState, ...], get_args(NodeState))
_LIVE_SLOTS = ("spark", "value", "gradient")
_LAYERS = ("hv-paper", "hv-backdrop", "hv-edge", GROUP_CLASS, "hv-node")
_RIM_WIDTH = 8.5


def svg_from_engine(drawing: str) -> str:
    """What an engine drew, as one SVG element for a page: no declaration, link, script or comment."""
    engine = without_namespace(ET.fromstring(drawing))
    _, _, width, height = engine.get("viewBox", "0 0 0 0").split()
    canvas = engine.find("g")
    if canvas is None:
        raise ValueError("The engine's drawing has no content.")
    title = shorten(visible(decode_id(canvas.findtext("title", ""))), HOVER_COLUMNS)
    root = _element("svg", width=f"{float(width):g}", height=f"{float(height):g}", viewBox=engine.get("viewBox", ""))
    root.attrib |= {"class": "hv-diagram", "role": "img", "aria-label": title}
    ET.SubElement(root, "title").text = title
    page = ET.SubElement(root, "g", {"transform": canvas.get("transform", ""), "font-family": FONTS.text_css})
    page.text = "\n"
    parts = [part for drawn in canvas for part in _parts(drawn)]
    page.extend(sorted(parts, key=_layer))
    return _to_text(root)


def fill_svg(svg: str, node_data: Mapping[str, NodeData]) -> str:
    """The same drawing with the values of another run; what has none gets blank.

    The result equals a new drawing of the same graph with these values.
    """
    root = without_namespace(ET.fromstring(svg))
    data_of = {attribute_id(node_id): data for node_id, data in node_data.items()}
    for card in root.iter("g"):
        node_id = card.get("data-node")
        if node_id is None:
            continue
        data = data_of.get(node_id, NodeData())
        _fill(card, data)
        for pill in card.iterfind("g[@data-hooks]"):
            fill_pill(pill, data.hooks_off)
    return _to_text(root)


def _fill(card: ET.Element, data: NodeData) -> None:
    live = live_text(data)
    texts = {"spark": live.spark, "value": live.value, "gradient": live.gradient, "trouble": live.trouble}
    if data.trouble:
        card.set("data-trouble", "")
    else:
        card.attrib.pop("data-trouble", None)
    for text in card.iter("text"):
        text.text = texts.get(text.get("data-slot", ""), text.text)
    title = card.find("title")
    if title is not None:
        first_line = (title.text or "").split("\n", 1)[0]
        title.text = hover_text(first_line, data)
    card.set("data-state", data.state)
    paint_card(card)


def _parts(drawn: ET.Element) -> list[ET.Element]:
    """What becomes of one part of the engine's drawing; a group gets its inside apart."""
    kind, _, classes = drawn.get("class", "").partition(" ")
    if drawn.tag == "polygon":
        return [_element("polygon", classes="hv-paper", points=drawn.get("points", ""), fill=PALETTE.paper)]
    if kind == "edge":
        return [_edge(drawn)]
    if kind == "node":
        return [_card(drawn, classes.split())]
    if kind == "cluster":
        group = _card(drawn, classes.split())
        backdrop = _border(leaves_of(drawn)[0].element, "hv-backdrop")
        backdrop.set("fill", PALETTE.group)
        return [backdrop, group]
    return []


def _layer(part: ET.Element) -> int:
    """How far in front a part is drawn; parts of one layer keep their order."""
    part.tail = "\n"
    return next(layer for layer, name in enumerate(_LAYERS) if name in part.get("class", "").split())


def _card(drawn: ET.Element, classes: list[str]) -> ET.Element:
    state = next(state for state in _STATES if f"hv-{state}" in classes)
    kinds = [name for name in classes if name not in {f"hv-{state}", TROUBLED}]
    node_id = decode_id(drawn.findtext("title", "").removeprefix(CLUSTER_PREFIX))
    card = _element("g", classes=" ".join(kinds), **{"data-node": attribute_id(node_id), "data-state": state})
    if TROUBLED in classes:
        card.set("data-trouble", "")
    leaves = leaves_of(drawn)
    ET.SubElement(card, "title").text = leaves[0].tooltip
    slots = {leaf.slot for leaf in leaves}
    shape_classes = iter(SHAPE_CLASSES)
    for leaf in leaves:
        if is_pill(leaf):
            continue
        if leaf.element.tag == "text":
            card.extend(_texts(leaf, slots))
        else:
            card.append(_border(leaf.element, next(shape_classes)))
    if GROUP_CLASS in kinds:
        for text in card.iterfind("text"):
            _keep_clear(text)
    card.extend(pills_of(leaves))
    paint_card(card)
    return card


def _texts(leaf: Leaf, slots: set[str]) -> list[ET.Element]:
    """The texts of one cell: one, or a trouble and what it hides, whether or not there is a trouble now."""
    text = _text(leaf.element, leaf.slot)
    if leaf.slot == "trouble":
        hidden_slot = "detail" if "gradient" in slots else "gradient"
        hidden = _text(leaf.element, hidden_slot, leaf.tooltip)
        hidden.set("data-under", "trouble")
        return [hidden, text]
    if leaf.slot == "detail" or (leaf.slot == "gradient" and slots.isdisjoint({"detail", "trouble"})):
        text.set("data-under", "trouble")
        return [text, _text(leaf.element, "trouble", "")]
    return [text]


def _text(drawn: ET.Element, slot: str, content: str | None = None) -> ET.Element:
    """A text at the place of a drawn one; without a slot, the name of something small or a shape."""
    text = _element(
        "text",
        classes=f"hv-{slot or 'label'}",
        x=drawn.get("x", ""),
        y=drawn.get("y", ""),
        **{
            "font-size": f"{float(drawn.get('font-size', 0)):g}",
            "fill": drawn.get("fill", PALETTE.ink),
        },
    )
    if drawn.get("text-anchor", "start") != "start":
        text.set("text-anchor", drawn.get("text-anchor", ""))
    if slot in {"name", "trouble"} or (not slot and drawn.get("font-weight")):
        text.set("font-weight", "bold")
    if slot:
        text.set("data-slot", slot)
    if slot == "spark":
        # Wherever the block characters come from, they fill their place and no more.
        text.attrib |= {"textLength": f"{SPARK_WIDTH:g}", "lengthAdjust": "spacingAndGlyphs"}
    if slot in _LIVE_SLOTS:
        text.set("font-family", FONTS.spark_css if slot == "spark" else FONTS.mono_css)
        text.set(_SPACE, "preserve")
    text.text = drawn.text if content is None else content
    return text


def _border(drawn: ET.Element, name: str) -> ET.Element:
    """An ellipse as it was drawn, or a box as a rectangle: a tenth of the length of its path of curves."""
    if drawn.tag == "ellipse":
        return _element("ellipse", classes=name, **{key: drawn.get(key, "") for key in ("cx", "cy", "rx", "ry")})
    left, top, right, bottom = box_of(drawn)
    radius = {"rx": f"{SIZES.radius:g}"} if drawn.tag == "path" else {}
    size = {"width": f"{right - left:g}", "height": f"{bottom - top:g}"}
    return _element("rect", classes=name, x=f"{left:g}", y=f"{top:g}", **size, **radius)


def _keep_clear(text: ET.Element) -> None:
    """Give a text of a group a rim of the group's colour: an edge that passes below it stays whole around it."""
    text.attrib |= {
        "stroke": PALETTE.group,
        "stroke-width": f"{_RIM_WIDTH}",
        "stroke-linejoin": "round",
        "paint-order": "stroke",
    }


def _edge(drawn: ET.Element) -> ET.Element:
    source, _, target = drawn.findtext("title", "").partition("->")
    ends = {"data-source": attribute_id(decode_id(source)), "data-target": attribute_id(decode_id(target))}
    edge = _element("g", classes="hv-edge", **ends)
    leaves = leaves_of(drawn)
    ET.SubElement(edge, "title").text = leaves[0].tooltip
    for leaf in leaves:
        if leaf.element.tag == "text":
            edge.append(_text(leaf.element, ""))
        else:
            edge.append(_stroke(leaf.element))
    return edge


def _stroke(drawn: ET.Element) -> ET.Element:
    if drawn.tag == "path":
        return _element("path", classes="hv-line", d=drawn.get("d", ""), fill="none", stroke=PALETTE.line)
    return _element(
        "polygon", classes="hv-arrow", points=drawn.get("points", ""), fill=PALETTE.line, stroke=PALETTE.line
    )


def _element(tag: str, *, classes: str = "", **attributes: str) -> ET.Element:
    return ET.Element(tag, ({"class": classes} if classes else {}) | attributes)


def _to_text(root: ET.Element) -> str:
    # Parsing takes the namespace out of the attributes, so it is put back in front of them.
    root.attrib = {"xmlns": _NAMESPACE} | root.attrib
    return to_markup(root)
