"""The live texts of a card have the size of their places, whatever the values."""

from hypothesis import given
from hypothesis import strategies as st

from hookviz.diagram.slots import LIVE_WIDTH, hover_text, live_text, slot_color
from hookviz.diagram.style import PALETTE, SIZES
from hookviz.diagram.typography import columns, text_width
from hookviz.graph.node_data import NodeData
from tests.graphs import CAPTURED

ANY_TEXT = st.text(st.characters(exclude_categories=()))
NO_BREAK_SPACE = "\u00a0"


def test_values_stand_in_their_slots() -> None:
    live = live_text(CAPTURED)

    assert live.spark == "▁▂▅▇▅▂▁▁"
    assert live.value == f"+1.20e-02{NO_BREAK_SPACE}±5.70e-01"
    assert live.gradient == f"∇{NO_BREAK_SPACE}3.10e-03"
    assert live.trouble == ""


def test_nothing_known_is_blank_of_the_same_size() -> None:
    live = live_text(NodeData())

    assert live.spark == NO_BREAK_SPACE * 8
    assert live.value == live.gradient == NO_BREAK_SPACE


def test_a_note_says_why_there_is_no_gradient() -> None:
    assert live_text(NodeData(note="no backward yet")).gradient == "no backward yet".replace(" ", NO_BREAK_SPACE)
    assert live_text(NodeData(gradient="∇ 1", note="whole tensor")).gradient == f"∇{NO_BREAK_SPACE}1"


def test_of_a_note_that_is_too_long_a_card_has_what_comes_before_the_colon() -> None:
    long = NodeData(note="not called: run 15 was of head alone")
    without = NodeData(note="returned {'loss': 0.25, 'steps': 12}")

    assert live_text(long).gradient == "not called".replace(" ", NO_BREAK_SPACE)
    assert hover_text("fc", long).splitlines() == ["fc", long.note]
    assert live_text(without).gradient == "returned {'loss': 0.25, 'step…".replace(" ", NO_BREAK_SPACE)


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_no_text_is_wider_than_its_place(spark: str, value: str, gradient: str, trouble: str) -> None:
    live = live_text(NodeData("captured", spark, value, gradient, trouble))

    assert columns(live.spark) <= 8
    assert columns(live.value) <= 21
    assert columns(live.gradient) <= 30
    assert text_width(live.trouble, SIZES.detail, is_bold=True) <= LIVE_WIDTH


def test_colour_means_something() -> None:
    assert slot_color("value", "captured", "+1.20e-02") == PALETTE.value
    assert slot_color("gradient", "captured", "∇ 3.10e-03") == PALETTE.gradient
    assert slot_color("gradient", "captured", "frozen: does not require grad") == PALETTE.muted
    assert slot_color("name", "off", "fc") == PALETTE.off
    assert slot_color("trouble", "off", "NaN") == PALETTE.trouble


def test_the_pointer_shows_trouble_and_note_in_full() -> None:
    data = NodeData("failed", trouble="RuntimeError: " + "long " * 20, note="line\nbreak")

    text = hover_text("fc · Linear", data)

    assert text.splitlines() == ["fc · Linear", "RuntimeError: " + "long " * 20, r"line\nbreak"]
