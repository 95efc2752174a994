"""Hooks stand on their card as pills: on or off, on the input's side or the output's, in a fixed size."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookviz.diagram.dot import to_dot
from hookviz.diagram.labels import card_label
from hookviz.diagram.pills import PillState, pill_hover, pill_look, pill_rows, pill_state, pill_text, pill_width
from hookviz.diagram.png import dot_for_png
from hookviz.diagram.render import render_png, render_svg
from hookviz.diagram.style import PALETTE
from hookviz.diagram.svg import fill_svg
from hookviz.diagram.text import to_text
from hookviz.graph.graph import Node, Pill
from hookviz.graph.node_data import NodeData
from tests.golden import golden
from tests.graphs import HOOKED_DATA, graph, hooked, pill

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("off", "state"), [((), "on"), (("a",), "partly"), (("a", "b", "another"), "off"), (("another",), "on")]
)
def test_a_pill_is_off_when_all_of_its_hooks_are(off: tuple[str, ...], state: str) -> None:
    assert pill_state(("a", "b"), off) == state


def test_a_pill_tells_where_its_hook_acts_and_whether_it_is_on() -> None:
    assert pill_text(pill("clip", "input"), "on") == "→● clip"
    assert pill_text(pill("record", "output"), "off") == "○ record"
    assert pill_text(pill("scale", "gradient"), "on") == "∇● scale"
    assert pill_text(pill("weight · mask", "parameter"), "on") == "● weight · mask"
    assert pill_text(Pill(("a", "b"), "+2", "output"), "partly") == "●○ +2"


def test_a_pill_has_the_colour_of_what_its_hook_acts_on_and_none_where_it_is_off() -> None:
    assert pill_look("output", "on").ink == PALETTE.value
    assert pill_look("gradient", "on").ink == PALETTE.gradient
    assert pill_look("parameter", "partly").ink == PALETTE.parameter
    assert pill_look("gradient", "off") == pill_look("output", "off")
    assert pill_look("output", "off").ink == PALETTE.off


def test_pills_of_the_input_come_first_and_the_others_keep_their_order() -> None:
    pills = [pill("c", "gradient"), pill("a", "input"), pill("d", "output"), pill("b", "input")]

    assert [each.text for each in pill_rows(pills, 1000)[0]] == ["a", "b", "c", "d"]


def test_pills_wrap_where_a_row_is_full() -> None:
    pills = [pill("record", "output")] * 5

    assert [len(row) for row in pill_rows(pills, 180)] == [3, 2]


def test_a_pill_that_is_wider_than_the_card_has_a_row_of_its_own() -> None:
    pills = [pill("w" * 40, "output"), pill("record", "output")]

    assert [len(row) for row in pill_rows(pills, 60)] == [1, 1]


@given(ANY_TEXT, ANY_TEXT)
def test_hostile_names_of_hooks_are_text(text: str, title: str) -> None:
    card = Node("module:x", "module", "x", "x", pills=(Pill((text,), text, "output", title),))

    label = ET.fromstring(card_label(card, NodeData())[1:-1])

    assert {element.tag for element in label.iter()} == {"TABLE", "TR", "TD", "FONT"}


def test_the_size_of_a_pill_does_not_tell_whether_it_is_on() -> None:
    def places(data: NodeData) -> list[tuple[str | None, str | None, str | None]]:
        cells = ET.fromstring(card_label(hooked().nodes[1], data)[1:-1]).iter("TD")
        return [(cell.get("ID"), cell.get("WIDTH"), cell.get("HEIGHT")) for cell in cells]

    assert places(NodeData()) == places(HOOKED_DATA["module:block.fc"])


def test_a_pill_has_room_for_its_text_in_every_state() -> None:
    states: list[PillState] = ["on", "off", "partly"]
    shared = Pill(("a", "b"), "+2", "output")

    # Helvetica's digits and signs are 0.56 em wide, the marks up to 0.75: 10 px for each of 5 characters is plenty.
    assert all(pill_width(shared) > 6 * len(pill_text(shared, state)) for state in states)


def test_the_pointer_is_told_label_kind_and_source() -> None:
    assert pill_hover(pill("record", "output")) == "record · forward · In [3]:7"
    assert pill_hover(Pill(("a",), "record", "output")) == "record"


def test_a_pill_of_several_hooks_tells_each_on_a_line_of_its_own() -> None:
    both = Pill(("a", "b"), "+2", "output", "first · forward\nse\tcond · forward")

    assert pill_hover(both) == "first · forward\nse\\tcond · forward"
    svg = render_svg(to_dot(graph(Node("module:fc", "module", "fc", "fc", pills=(both,))), {}))
    assert "<title>first · forward\nse\\tcond · forward</title>" in svg


def test_hooked_cards_are_drawn_as_expected() -> None:
    svg = render_svg(to_dot(hooked(), HOOKED_DATA))

    assert svg == golden("hooked.svg", svg)


def test_switching_hooks_needs_no_new_layout() -> None:
    on = render_svg(to_dot(hooked(), {}))
    off = render_svg(to_dot(hooked(), HOOKED_DATA))

    assert fill_svg(on, HOOKED_DATA) == off
    assert fill_svg(off, {}) == on


def test_a_hook_that_is_off_is_off_in_every_picture() -> None:
    card = graph(Node("module:fc", "module", "fc", "fc", pills=(pill("record", "output"),)))
    off = {"module:fc": NodeData(hooks_off=frozenset({"forward:record:block.fc"}))}

    assert "● record" in render_svg(to_dot(card, {}))
    assert "● record" in to_text(card, {})
    assert "○ record" in render_svg(to_dot(card, off))
    assert "○ record" in to_text(card, off)
    assert render_png(to_dot(card, {}), scale=1) != render_png(to_dot(card, off), scale=1)


def test_a_pill_of_gradients_has_a_sign_that_the_fonts_of_the_png_have() -> None:
    card = graph(Node("module:fc", "module", "fc", "fc", pills=(pill("scale", "gradient"),)))

    assert "▼● scale" in dot_for_png(to_dot(card, {}))
