"""Labels hold names as text, each in a cell of a fixed size."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookviz.diagram.labels import calls_text, card_label, detail_of, group_label, short_name, small_label
from hookviz.graph.graph import Group, Node
from hookviz.graph.node_data import NodeData
from tests.graphs import CAPTURED, module, node

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def test_a_card_says_names_detail_value_and_gradient() -> None:
    label = card_label(module("conv1", "Conv2d", "3→16 · 3×3"), CAPTURED)

    assert texts(label) == {
        "name": "conv1",
        "type": "Conv2d",
        "detail": "3→16 · 3×3",
        "spark": "▁▂▅▇▅▂▁▁",
        "value": "+1.20e-02\u00a0±5.70e-01",
        "gradient": "∇\u00a03.10e-03",
    }


def test_a_folded_container_and_a_group_have_a_place_for_the_fold_button() -> None:
    folded = Node("module:h", "module", "h", "h", "Block", is_foldable=True, repeats=48, calls=2)
    group = Group("module:h", "h", "h", "Block", None, calls=2)

    assert texts(card_label(folded, CAPTURED)) | {"fold": "►", "calls": "×48 alike · ×2"} == texts(
        card_label(folded, CAPTURED)
    )
    assert texts(group_label(group, CAPTURED)) | {"fold": "▼", "calls": "×2"} == texts(group_label(group, CAPTURED))


def test_a_trouble_stands_in_the_place_of_the_detail() -> None:
    label = card_label(module("fc", detail="16→10"), NodeData(gradient="∇ 1", trouble="NaN 12 of 80"))

    assert texts(label)["trouble"] == "NaN 12 of 80"
    assert "detail" not in texts(label)
    assert cells(label)["trouble"].get("TOOLTIP") == "16→10"


def test_a_trouble_without_a_detail_stands_in_the_place_of_the_gradient() -> None:
    label = card_label(module("relu", detail=""), NodeData(gradient="∇ 1", trouble="NaN 12 of 80"))

    assert texts(label)["trouble"] == "NaN 12 of 80"
    assert "gradient" not in texts(label)
    assert cells(label)["trouble"].get("TOOLTIP") == "∇\u00a01"


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_hostile_names_are_text(name: str, type_name: str, detail: str) -> None:
    hostile = Node("module:x", "module", "x", name, type_name, detail)

    label = card_label(hostile, NodeData(trouble=detail))

    assert {element.tag for element in ET.fromstring(label[1:-1]).iter()} == {"TABLE", "TR", "TD", "FONT"}
    assert texts(label)["name"] == short_name(hostile).replace("\\", r"\\")


@pytest.mark.parametrize(
    ("name", "label"),
    [("add", "add"), ("<script>", "&lt;script&gt;"), ('"', "&quot;"), (r"\N", r"\\N"), ("", "(unnamed)")],
)
def test_small_nodes_are_labelled_with_their_name_alone(name: str, label: str) -> None:
    assert small_label(node("op", name), NodeData())["label"] == label


def test_the_detail_tells_what_the_flow_saw() -> None:
    dropout = Node("module:d", "module", "d", "d", "Dropout", "p=0.5", passes_through=True)
    relu = Node("module:r", "module", "r", "r", "ReLU", in_place=True)

    assert detail_of(dropout) == "p=0.5 · passes through"
    assert detail_of(relu) == "in place"


def test_one_call_is_not_counted() -> None:
    assert calls_text(1, 1) == ""
    assert calls_text(3, 1) == "×3"


def test_every_cell_has_a_fixed_size_that_no_value_changes() -> None:
    card = module("fc")

    assert sizes(card_label(card, CAPTURED)) == sizes(card_label(card, NodeData()))
    assert sizes(card_label(card, NodeData("failed", trouble="x" * 100))) == sizes(card_label(card, NodeData()))


def cells(label: str) -> dict[str, ET.Element]:
    found = ET.fromstring(label[1:-1]).iter("TD")
    return {cell.get("ID", "").removeprefix("slot."): cell for cell in found if cell.get("ID")}


def texts(label: str) -> dict[str, str]:
    return {slot: cell.findtext("FONT", "") for slot, cell in cells(label).items()}


def sizes(label: str) -> list[tuple[str | None, str | None, str | None]]:
    return [(cell.get("WIDTH"), cell.get("HEIGHT"), cell.get("FIXEDSIZE")) for cell in cells(label).values()]


def test_a_container_that_is_only_a_place_for_others_has_its_names_alone() -> None:
    place = Group("module:h", "h", "h", "ModuleList", None, calls=0)

    label = group_label(place, NodeData())

    assert 'ID="slot.name"' in label
    assert 'ID="slot.value"' not in label
    assert 'ID="slot.value"' in group_label(replace(place, calls=1), NodeData())
