"""A graph becomes DOT whose layout depends on the graph alone."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_svg
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.graph.node_data import NodeData
from tests.golden import golden
from tests.graphs import (
    CAPTURED,
    RESIDUAL_DATA,
    WITH_VALUES,
    edge,
    graph,
    module,
    node,
    one_card,
    residual,
)
from tests.layout import layout


def test_a_residual_block_is_drawn_as_expected() -> None:
    dot = to_dot(residual(), RESIDUAL_DATA)

    assert dot == golden("residual.dot", dot)


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize(("drawn", "data"), WITH_VALUES)
def test_values_change_no_coordinate(drawn: Graph, data: dict[str, NodeData], direction: Any) -> None:
    full = to_dot(drawn, data, direction=direction)
    empty = to_dot(drawn, {}, direction=direction)

    assert full != empty
    assert layout(full) == layout(empty)


def test_a_trouble_changes_no_coordinate_of_a_card_whose_detail_is_wide() -> None:
    wide = one_card(detail="256→256 · 3×3 · stride 2 · padding 1 · groups 32")

    assert layout(to_dot(wide, {"module:fc": NodeData(trouble="NaN")})) == layout(to_dot(wide, {}))


def test_a_shape_stands_where_it_changed_and_once_for_each_node_that_it_leaves() -> None:
    drawn = graph(
        node("input", "x"),
        *(node("op", name) for name in "abc"),
        edges=(
            edge("input:x", "op:a", 8, 3),
            edge("input:x", "op:b", 8, 3),
            edge("op:a", "op:b", 8, 3),
            edge("op:b", "op:c", 8),
            edge("op:b", "op:a", 8, 3),
        ),
    )

    dot = to_dot(drawn, {})

    assert labels_of_edges(dot) == {"input_3a_x -> op_3a_a": "8×3", "op_3a_b -> op_3a_c": "8"}


def test_an_edge_after_a_view_tells_both_shapes_where_the_pointer_is() -> None:
    drawn = graph(
        node("op", "a", 8, 4),
        node("op", "b"),
        node("op", "c"),
        edges=(edge("op:a", "op:b", 32), edge("op:a", "op:c", 8, 4)),
    )

    dot = to_dot(drawn, {})

    assert 'tooltip="a → b · 8×4 → 32"' in dot
    assert 'tooltip="a → c · 8×4"' in dot


def test_order_edges_are_invisible_and_keep_the_order() -> None:
    order = Edge("module:a->module:b", "module:a", "module:b", kind="order")
    drawn = Graph("Model", (module("b"), module("a")), (), (order,), is_traced=False)

    dot = to_dot(drawn, {})

    assert "module_3a_a -> module_3a_b [style=invis]" in dot
    assert height_of(dot, "module_3a_a") > height_of(dot, "module_3a_b")


def test_an_edge_without_an_end_makes_up_no_node() -> None:
    dot = to_dot(graph(module("a"), edges=(edge("module:a", "module:gone", 1),)), {})

    assert [item["name"] for item in layout(dot)["objects"]] == ["module_3a_a"]


def test_only_modules_carry_live_lines() -> None:
    drawn = graph(node("op", "add"), node("input", "x"), node("output", "y"), node("parameter", "W"))

    dot = to_dot(drawn, {item.id: CAPTURED for item in drawn.nodes})

    assert "slot." not in dot
    assert "▁" not in dot


def test_an_operation_that_writes_in_place_says_so_on_hover() -> None:
    dot = to_dot(graph(Node("op::add:0", "op", "", "add", in_place=True)), {})

    assert 'tooltip="add · in place"' in dot


def test_a_graph_without_nodes_is_valid() -> None:
    assert layout(to_dot(graph(), {}))["name"] == "Model"


def height_of(dot: str, name: str) -> float:
    found = next(item for item in layout(dot)["objects"] if item["name"] == name)
    return float(found["pos"].split(",")[1])


def labels_of_edges(dot: str) -> dict[str, str]:
    edges = [line.strip() for line in dot.splitlines() if " -> " in line and "label=" in line]
    return {line.split(" [")[0]: line.split("label=")[1].split('"')[1].strip("\u00a0") for line in edges}


def test_what_runs_between_two_members_of_a_box_lies_between_them() -> None:
    box = Group("module:up", "up", "up", "ModuleList", None, calls=0)
    first, second = module("up.0", group=box.id), module("up.1", group=box.id)
    between = Node("op::interpolate:0", "op", "", "interpolate")
    edges = (edge(first.id, between.id), edge(between.id, second.id))

    drawn = ET.fromstring(render_svg(to_dot(graph(first, between, second, groups=(box,), edges=edges), {})))

    def top(node_id: str) -> float:
        card = next(each for each in drawn.iter() if each.get("data-node") == node_id)
        shape = next(each for each in card if "hv-shape" in each.get("class", ""))
        return float(shape.get("y") or shape.get("cy") or "nan")

    assert top(first.id) < top(between.id) < top(second.id)


def test_hovering_tells_which_of_several_calls_is_shown() -> None:
    dot = to_dot(graph(replace(module("fc"), calls=2), module("once")), {})

    assert 'tooltip="fc · Linear · last of 2 calls"' in dot
    assert 'tooltip="once · Linear"' in dot
