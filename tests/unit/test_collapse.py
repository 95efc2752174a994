"""Containers are folded, and the edges with them."""

from typing import Any

import torch
from torch import nn

from hookviz.graph.build import build_graph
from hookviz.graph.collapse import collapse, expanded_to_depth, max_depth
from hookviz.graph.graph import Edge, Graph, Group, Node
from tests.graphs import ids, pairs, traced
from tests.models import fc, wired
from tests.tracing_seam import trace

X = torch.ones(2, 4)


def nested() -> Graph:
    """``stem``, then ``body`` with two blocks of two layers each, then ``head``, and a residual around ``body.0``."""

    def forward(self: Any, x: Any) -> Any:
        h = self.stem(x)
        return self.head(self.body[1](self.body[0](h) + h))

    def block() -> nn.Module:
        return nn.Sequential(fc(), nn.ReLU())

    model = wired(forward, stem=fc(), body=nn.Sequential(block(), block()), head=fc())
    return traced(model, X)


def test_a_folded_container_is_one_node_with_the_edges_of_its_content() -> None:
    graph = collapse(nested(), {"body"})

    assert ids(graph) == [
        "input:x",
        "module:stem",
        "module:body.0",
        "op::add:0",
        "module:body.1",
        "module:head",
        "output",
    ]
    assert pairs(graph) == [
        ("input:x", "module:stem"),
        ("module:stem", "module:body.0"),
        ("module:body.0", "op::add:0"),
        ("module:stem", "op::add:0"),
        ("op::add:0", "module:body.1"),
        ("module:body.1", "module:head"),
        ("module:head", "output"),
    ]
    assert [group.id for group in graph.groups] == ["module:body"]
    assert next(node for node in graph.nodes if node.id == "module:body.0") == Node(
        "module:body.0",
        "module",
        "body.0",
        "0",
        "Sequential",
        "20 params",
        "module:body",
        is_foldable=True,
        shape=(2, 4),
    )


def test_what_lies_in_a_folded_container_is_not_seen_even_if_it_is_unfolded() -> None:
    graph = collapse(nested(), {"body.0", "body.1"})

    assert ids(graph) == ["input:x", "module:stem", "module:body", "op::add:0", "module:head", "output"]
    assert pairs(graph) == [
        ("input:x", "module:stem"),
        ("module:stem", "module:body"),
        ("module:body", "op::add:0"),
        ("module:stem", "op::add:0"),
        ("op::add:0", "module:body"),
        ("module:body", "module:head"),
        ("module:head", "output"),
    ]
    assert graph.groups == ()


def test_all_unfolded_is_the_whole_graph() -> None:
    graph = nested()

    assert collapse(graph, {"body", "body.0", "body.1", "unknown"}) == graph


def test_edges_within_a_folded_container_vanish_and_a_loop_of_a_seen_module_stays() -> None:
    group = Group("module:a", "a", "a", "Block", None)
    nodes = (
        Node("module:a.x", "module", "a.x", "x", group="module:a"),
        Node("module:a.y", "module", "a.y", "y", group="module:a"),
        Node("module:b", "module", "b", "b", calls=3),
    )
    edges = tuple(
        Edge(f"{source}->{target}", source, target, (1,))
        for source, target in (
            ("module:a.x", "module:a.y"),
            ("module:a.y", "module:a.x"),
            ("module:a.x", "module:a.x"),
            ("module:b", "module:b"),
        )
    )

    assert pairs(collapse(Graph("M", nodes, (group,), edges, is_traced=True), set())) == [("module:b", "module:b")]


def test_of_several_edges_that_become_one_the_first_shape_stands() -> None:
    group = Group("module:a", "a", "a", "Block", None)
    nodes = (
        Node("module:a.x", "module", "a.x", "x", group="module:a"),
        Node("module:a.y", "module", "a.y", "y", group="module:a"),
        Node("output", "output", "", "output"),
    )
    edges = (Edge("1", "module:a.x", "output", (1,)), Edge("2", "module:a.y", "output", (2,)))

    folded = collapse(Graph("M", nodes, (group,), edges, is_traced=True), set())

    assert folded.edges == (Edge("module:a->output", "module:a", "output", (1,)),)


def test_operations_and_parameters_inside_vanish_with_their_container() -> None:
    class Scale(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.by = nn.Parameter(torch.ones(4))
            self.fc = fc()

        def forward(self, x: torch.Tensor) -> Any:
            return (self.fc(x) * self.by).relu()

    model = wired(lambda self, x: self.scale(x), scale=Scale())
    graph = collapse(build_graph(model, trace(model, X), title="Model"), set())

    assert ids(graph) == ["input:x", "module:scale", "output"]
    assert pairs(graph) == [("input:x", "module:scale"), ("module:scale", "output")]


def test_depth_counts_boxes_from_the_outside() -> None:
    graph = nested()

    assert max_depth(graph) == 2
    assert expanded_to_depth(graph, 0) == frozenset()
    assert expanded_to_depth(graph, 1) == {"body"}
    assert expanded_to_depth(graph, 2) == {"body", "body.0", "body.1"}
    assert max_depth(collapse(graph, frozenset())) == 0


def test_order_edges_survive_folding() -> None:
    model = nn.Sequential(nn.Sequential(fc(), fc()), fc())

    graph = collapse(build_graph(model, None, title="Model"), set())

    assert graph.edges == (Edge("module:0->module:1", "module:0", "module:1", None, "order"),)
