"""The lines of the cards cross as one buffer of numbers and a few words; the browser's tests read the same example."""

import base64
import json
import math
from pathlib import Path
from typing import Any

import pytest

from hookviz.capture.capture import Capture
from hookviz.capture.moments import Moments
from hookviz.graph.graph import Graph, Group, Node
from hookviz.graph.node_data import CardNumbers, NodeData
from hookviz.session.values import gradient_line, value_line
from hookviz.widget.card_lines import ROW, cards_to_wire
from hookviz.widget.encoding import node_data_to_wire

EXAMPLE: Any = json.loads((Path(__file__).parents[1] / "wire" / "card_lines.json").read_text(encoding="utf-8"))

NUMBERS = {
    "module:usual": (0.012, 0.57, 0.0031),
    # 1.125 and 1.375 lie in the middle between two numbers of three digits: Python takes the even one.
    "module:ties": (1.125, 1.375, 2.5),
    "module:negative": (-1.625, 0.0, 0.0),
    "module:minus_zero": (-0.0, 1e-300, 1e300),
    "module:rounded_up": (9.999, 99.96, 0.9996),
    "module:nan": (math.nan, math.nan, math.nan),
    "module:inf": (math.inf, None, math.inf),
    "module:minus_inf": (-math.inf, math.nan, 5e-324),
    "module:single": (-3.0, None, 12345.678),
}


def captured(mean: float, std: float | None, norm: float) -> NodeData:
    value = Capture(Moments((2,), "float32", "cpu", 2, 2, mean=mean, std=std), None, "")
    gradient = Capture(Moments((2,), "float32", "cpu", 2, 2, norm=norm), None, "")
    return NodeData(
        "captured", "▁▂▃▄▅▆▇█", value_line(value), gradient_line(gradient), numbers=CardNumbers(mean, std, norm)
    )


CARDS = {
    **{node_id: captured(*numbers) for node_id, numbers in NUMBERS.items()},
    "module:plain": NodeData("captured", value="(4, 'x')", note="returned (4, 'x')"),
    "module:frozen": NodeData("captured", gradient="frozen", numbers=CardNumbers()),
    "module:off": NodeData("off", note="outputs off"),
    "module:failed": NodeData("failed", trouble="ValueError: lamp burnt out"),
    "op:add": NodeData("captured", trouble="may have made it"),
}


def node(node_id: str) -> Node:
    return Node(node_id, "module", "", "")


def test_numbers_and_words_are_those_of_the_example() -> None:
    groups = (Group("module:off", "", "", "", None),)
    nodes = tuple(node(node_id) for node_id in CARDS if node_id != "module:off")

    numbers, words = cards_to_wire(Graph("", (*nodes, node("input:x")), groups, (), True), CARDS)

    assert [*(each.id for each in nodes), "input:x", "module:off"] == EXAMPLE["ids"]
    assert numbers == base64.b64decode(EXAMPLE["numbers"])
    assert words == EXAMPLE["node_data"]


def test_lines_are_those_of_the_example() -> None:
    assert node_data_to_wire(CARDS) == EXAMPLE["lines"]


@pytest.mark.parametrize(
    ("node_id", "value", "gradient"),
    [
        ("module:usual", "+1.20e-02 ±5.70e-01", "∇ 3.10e-03"),
        ("module:ties", "+1.12e+00 ±1.38e+00", "∇ 2.50e+00"),
        ("module:minus_zero", "-0.00e+00 ±1.00e-300", "∇ 1.00e+300"),
        ("module:rounded_up", "+1.00e+01 ±1.00e+02", "∇ 1.00e+00"),
        ("module:single", "-3.00e+00          ", "∇ 1.23e+04"),
    ],
)
def test_example_has_what_python_writes(node_id: str, value: str, gradient: str) -> None:
    lines = EXAMPLE["lines"][node_id]

    assert (lines["value"], lines["gradient"]) == (value, gradient)


def test_thousand_cards_take_34_kilobytes() -> None:
    nodes = tuple(node(f"module:{number}") for number in range(1000))

    numbers, words = cards_to_wire(Graph("", nodes, (), (), True), {})

    assert (ROW.size, len(numbers), words) == (34, 34_000, {})
