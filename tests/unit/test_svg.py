"""The SVG carries the names and values that the browser relies on, and takes new values without a layout."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookviz.diagram.dot import to_dot
from hookviz.diagram.ids import attribute_id
from hookviz.diagram.labels import short_name
from hookviz.diagram.render import render_svg
from hookviz.diagram.style import PALETTE
from hookviz.diagram.svg import fill_svg, svg_from_engine
from hookviz.diagram.typography import shorten, visible
from hookviz.graph.graph import Graph, Group, Node
from hookviz.graph.node_data import NodeData
from tests.golden import golden
from tests.graphs import (
    CAPTURED,
    EVERY_STATE_DATA,
    RESIDUAL_DATA,
    WITH_VALUES,
    edge,
    every_state,
    graph,
    module,
    node,
    one_card,
    residual,
)

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {"svg", "g", "title", "path", "polygon", "polyline", "ellipse", "rect", "text"}


@pytest.mark.parametrize(
    ("name", "drawn", "data"),
    [("residual.svg", residual(), RESIDUAL_DATA), ("every_state.svg", every_state(), EVERY_STATE_DATA)],
)
def test_pictures_are_drawn_as_expected(name: str, drawn: Graph, data: dict[str, NodeData]) -> None:
    svg = draw(drawn, data)

    assert svg == golden(name, svg)


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize(("drawn", "data"), WITH_VALUES)
def test_filling_an_old_drawing_gives_what_a_new_one_gives(
    drawn: Graph, data: dict[str, NodeData], direction: Any
) -> None:
    full = render_svg(to_dot(drawn, data, direction=direction))
    empty = render_svg(to_dot(drawn, {}, direction=direction))

    assert fill_svg(empty, data) == full
    assert fill_svg(full, {}) == empty
    assert fill_svg(full, data) == full


def test_an_operation_with_a_trouble_is_marked_and_says_it_where_the_pointer_is() -> None:
    drawn = graph(node("op", "log"), edges=())
    data = {"op:log": NodeData("captured", trouble="NaN made here")}

    svg = draw(drawn, data)

    oval = find(ET.fromstring(svg), "op:log")
    assert oval.get("data-trouble") == ""
    assert oval.findtext(f"{SVG}title") == "log · op\nNaN made here"
    assert [shape.get("stroke") for shape in oval if shape.get("class") == "hv-shape"] == [PALETTE.trouble]
    assert fill_svg(draw(drawn, {}), data) == svg
    assert fill_svg(svg, {}) == draw(drawn, {})


DATA = st.builds(
    NodeData,
    state=st.sampled_from(["idle", "captured", "off", "failed", "unobservable"]),
    **{
        name: st.text(st.characters(exclude_categories=()))
        for name in ("spark", "value", "gradient", "trouble", "note")
    },
)


@settings(max_examples=30, deadline=None)
@given(DATA, DATA, st.sampled_from(["", "16→10"]))
def test_filling_equals_drawing_for_any_values(before: NodeData, after: NodeData, detail: str) -> None:
    drawn = one_card(detail)

    filled = fill_svg(draw(drawn, {"module:fc": before}), {"module:fc": after})

    assert filled == draw(drawn, {"module:fc": after})


NAME = st.text(st.characters(exclude_categories=()), max_size=40)


@settings(max_examples=60, deadline=None)
@given(NAME, NAME, NAME, NAME)
def test_hostile_names_are_text_in_the_picture(name: str, type_name: str, path: str, title: str) -> None:
    hostile = Node(f"module:{path}", "module", path, name, type_name, type_name, group="group" + path)
    small = Node(f"op:{path}", "op", path, name)
    group = Group("group" + path, path, name, type_name, None)
    drawn = Graph(title, (hostile, small), (group,), (edge(small.id, hostile.id, 1),), is_traced=True)

    root = ET.fromstring(draw(drawn, {hostile.id: NodeData(trouble=name, note=type_name)}))

    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= HARMLESS
    assert {element.get("data-node") for element in root.iter()} - {None} == {
        attribute_id(item) for item in (hostile.id, small.id, group.id)
    }
    card = find(root, hostile.id)
    assert text_of(card, "name") == short_name(hostile)
    assert text_of(card, "type") == shorten(visible(type_name), 32) or not type_name
    assert card.findtext(f"{SVG}title", "").split("\n")[1:] == [visible(line) for line in (name, type_name) if line]
    assert find(root, small.id).findtext(f"{SVG}text") == short_name(small)


@pytest.mark.parametrize(
    "name", ["</text><script>alert(1)</script>", 'a"b', "]]>", "a\\N\\\\b", "&amp;&#60;", "한국어"]
)
def test_names_with_markup_arrive_letter_for_letter(name: str) -> None:
    drawn = graph(Node("n", "module", name, name, name, name), node("op", name), node("input", name))

    root = ET.fromstring(draw(drawn, {}))

    assert [text_of(find(root, "n"), slot) for slot in ("name", "type", "detail")] == [name, name, name]
    assert find(root, f"op:{name}").findtext(f"{SVG}text") == name
    assert find(root, "n").findtext(f"{SVG}title") == f"{name} · {name}"


def test_the_picture_is_one_element_with_a_title_and_a_size_in_pixels() -> None:
    svg = draw(one_card(), {})

    root = ET.fromstring(svg)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" width=')
    assert (root.get("role"), root.get("aria-label"), root[0].text) == ("img", "Model", "Model")
    assert root.get("viewBox") == f"0.00 0.00 {float(root.get('width', 0)):.2f} {float(root.get('height', 0)):.2f}"
    assert not any(
        sign in svg for sign in ("<!--", "<?xml", "<!DOCTYPE", "href", "xlink", "<script", " id=", " style=")
    )


def test_nodes_groups_and_edges_say_what_they_are() -> None:
    root = ET.fromstring(draw(every_state(), EVERY_STATE_DATA))

    assert find(root, "module:failed").attrib == {
        "class": "hv-node hv-module",
        "data-node": "module:failed",
        "data-state": "failed",
        "data-trouble": "",
    }
    assert find(root, "module:layers").get("class") == "hv-node hv-module hv-foldable"
    assert find(root, "parameter:inner.W").get("class") == "hv-node hv-parameter"
    assert find(root, "module:inner").get("class") == "hv-group"
    assert root.find(f".//{SVG}g[@class='hv-edge']").attrib == {  # type: ignore[union-attr]  # it is there
        "class": "hv-edge",
        "data-source": "module:captured",
        "data-target": "module:layers",
    }


def test_each_live_text_has_its_slot() -> None:
    root = ET.fromstring(draw(residual(), RESIDUAL_DATA))

    for node_id in ("module:conv1", "module:layer1"):
        slots = [text.get("data-slot") for text in find(root, node_id).iter(f"{SVG}text")]
        assert {"name", "type", "spark", "value", "gradient", "trouble"} <= set(slots)
        assert len(slots) == len(set(slots))


def test_a_trouble_hides_the_detail_and_gives_it_back() -> None:
    troubled = draw(one_card("16→10"), {"module:fc": NodeData(trouble="NaN 12 of 80")})
    calm = fill_svg(troubled, {"module:fc": CAPTURED})

    card = find(ET.fromstring(troubled), "module:fc")
    assert (text_of(card, "trouble"), shown(card, "trouble"), shown(card, "detail")) == ("NaN 12 of 80", True, False)
    card = find(ET.fromstring(calm), "module:fc")
    assert (text_of(card, "trouble"), text_of(card, "detail"), shown(card, "detail")) == ("", "16→10", True)


def test_states_are_seen_in_border_and_text() -> None:
    root = ET.fromstring(draw(every_state(), EVERY_STATE_DATA))

    shapes = {
        name: find(root, f"module:{name}").find(f"{SVG}rect") for name in ("captured", "off", "failed", "unobservable")
    }
    strokes = {name: shape.get("stroke") for name, shape in shapes.items() if shape is not None}
    assert strokes == {
        "captured": PALETTE.line,
        "off": PALETTE.faint,
        "failed": PALETTE.trouble,
        "unobservable": PALETTE.line,
    }
    dashed = [name for name, shape in shapes.items() if shape is not None and shape.get("stroke-dasharray")]
    assert dashed == ["unobservable"]
    assert text_of(find(root, "module:unobservable"), "gradient") == "compiled: not observable".replace(" ", "\u00a0")


def test_edges_lie_under_groups_and_these_under_nodes() -> None:
    page = ET.fromstring(draw(residual(), {}))[1]

    classes = [part.get("class", "").split()[0] for part in page]
    assert classes == ["hv-paper", "hv-backdrop", *["hv-edge"] * 6, "hv-group", *["hv-node"] * 6]


def test_an_edge_into_a_group_is_seen_all_the_way_between_its_texts() -> None:
    group = find(ET.fromstring(draw(residual(), {})), "module:layer1")

    filled = [shape for shape in group if shape.tag == f"{SVG}rect" and shape.get("fill") != "none"]
    assert filled == []
    rims = {(text.get("stroke"), text.get("paint-order")) for text in group.iterfind(f"{SVG}text")}
    assert rims == {(PALETTE.group, "stroke")}


def test_the_histogram_has_the_same_width_in_any_font() -> None:
    spark = find(ET.fromstring(draw(one_card(), {})), "module:fc").find(f"{SVG}text[@data-slot='spark']")

    assert spark is not None
    assert (spark.get("textLength"), spark.get("lengthAdjust")) == ("48.16", "spacingAndGlyphs")


def test_a_note_is_shown_on_hover() -> None:
    svg = draw(graph(module("fc")), {"module:fc": NodeData(trouble="NaN", note="first seen in run 3")})

    assert find(ET.fromstring(svg), "module:fc").findtext(f"{SVG}title") == "fc · Linear\nNaN\nfirst seen in run 3"


def test_every_edge_tells_its_shape_on_hover() -> None:
    root = ET.fromstring(draw(residual(), {}))

    titles = [part.findtext(f"{SVG}title") for part in root[1] if part.get("class") == "hv-edge"]
    assert titles[:2] == ["x → conv1 · 8×3×32×32", "conv1 → conv1 · 8×16×32×32"]


def test_a_graph_without_nodes_is_an_empty_picture() -> None:
    root = ET.fromstring(draw(graph(), {}))

    assert [part.get("class") for part in root[1]] == ["hv-paper"]


def test_a_drawing_without_content_is_refused() -> None:
    with pytest.raises(ValueError, match="has no content"):
        svg_from_engine('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')


def draw(drawn: Graph, data: dict[str, NodeData]) -> str:
    return render_svg(to_dot(drawn, data))


def find(root: ET.Element, node_id: str) -> ET.Element:
    return next(part for part in root.iter(f"{SVG}g") if part.get("data-node") == attribute_id(node_id))


def text_of(card: ET.Element, slot: str) -> str:
    return card.findtext(f"{SVG}text[@data-slot='{slot}']", "(none)")


def shown(card: ET.Element, slot: str) -> bool:
    text = card.find(f"{SVG}text[@data-slot='{slot}']")
    return text is not None and text.get("display") != "none"
