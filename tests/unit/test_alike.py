"""Identical siblings are folded into one node."""

from typing import Any

import torch
from torch import nn

from hookviz.graph.alike import fold_alike
from hookviz.graph.collapse import collapse
from hookviz.graph.graph import Graph
from hookviz.graph.likeness import Likeness
from tests.graphs import ids, node_of, pairs, traced
from tests.models import fc, wired

X = torch.ones(2, 4)


def folded(graph: Graph, *expanded: str) -> Graph:
    return fold_alike(collapse(graph, expanded), Likeness(graph), expanded)


def chain(count: int) -> Graph:
    return traced(nn.Sequential(*(fc() for _ in range(count)), nn.ReLU()), X)


def experts() -> Graph:
    """Five experts side by side, the outputs of which are weighted and summed."""

    def forward(self: Any, x: Any) -> Any:
        weight = self.gate(x).softmax(-1)
        total = 0
        for number, expert in enumerate(self.experts):
            total = expert(x) * weight[..., number : number + 1] + total
        return total

    blocks = nn.ModuleList(nn.Sequential(fc(), nn.Tanh()) for _ in range(5))
    return traced(wired(forward, gate=nn.Linear(4, 5), experts=blocks), X)


def test_identical_siblings_in_a_row_become_one_node_of_the_first() -> None:
    graph = folded(chain(5))

    assert ids(graph) == ["input:input", "module:0", "module:5", "output"]
    assert pairs(graph) == [("input:input", "module:0"), ("module:0", "module:5"), ("module:5", "output")]
    row = node_of(graph, "module:0")
    assert (row.name, row.type_name, row.detail) == ("0 … 4", "Linear", "4→4 · 20 params each · values of 0")
    assert (row.repeats, row.members, row.is_foldable) == (5, ("0", "1", "2", "3", "4"), True)


def test_three_siblings_stay_as_they_are() -> None:
    assert folded(chain(3)) == chain(3)


def test_one_that_is_taken_out_parts_the_row_and_can_be_put_back() -> None:
    graph = folded(chain(10), "4")

    assert [(node.name, node.repeats, node.is_taken_out) for node in graph.nodes[1:4]] == [
        ("0 … 3", 4, False),
        ("4", 1, True),
        ("5 … 9", 5, False),
    ]
    assert pairs(graph)[:3] == [("input:input", "module:0"), ("module:0", "module:4"), ("module:4", "module:5")]


def test_an_unfolded_block_leaves_the_others_together() -> None:
    graph = traced(nn.Sequential(*(nn.Sequential(fc(), nn.ReLU()) for _ in range(6))), X)

    assert ids(folded(graph, "0")) == ["input:input", "module:0.0", "module:0.1", "module:1", "output"]
    assert node_of(folded(graph, "0"), "module:1").members == ("1", "2", "3", "4", "5")


def test_blocks_with_other_content_do_not_belong_to_the_row() -> None:
    blocks = [nn.Sequential(fc(), nn.ReLU()) for _ in range(4)]
    other = nn.Sequential(fc(), nn.GELU())

    graph = folded(traced(nn.Sequential(*blocks, other), X))

    assert ids(graph) == ["input:input", "module:0", "module:4", "output"]


def test_layers_that_are_read_in_between_are_not_folded() -> None:
    model = wired(lambda self, x: self.d(self.c(self.b(self.a(x)))) + 0, a=fc(), b=fc(), c=fc(), d=fc())
    skipping = wired(lambda self, x: self.d(self.c(h := self.b(self.a(x)))) + h, a=fc(), b=fc(), c=fc(), d=fc())

    assert node_of(folded(traced(model, X)), "module:a").repeats == 4
    assert [node.repeats for node in folded(traced(skipping, X)).nodes] == [1] * 7


def test_what_all_are_fed_with_besides_does_not_part_them() -> None:
    def forward(self: Any, x: Any) -> Any:
        memory = self.encoder(x)
        for layer in self.layers:
            x = layer(x, memory)
        return x

    layers = nn.ModuleList(wired(lambda self, x, memory: self.fc(x) + memory, fc=fc()) for _ in range(6))
    graph = folded(traced(wired(forward, encoder=fc(), layers=layers), X), "layers")

    assert pairs(graph) == [
        ("input:x", "module:encoder"),
        ("input:x", "module:layers.0"),
        ("module:encoder", "module:layers.0"),
        ("module:layers.0", "output"),
    ]


def test_experts_are_folded_with_the_operations_that_belong_to_each() -> None:
    graph = folded(experts(), "experts")

    assert [(node.id, node.repeats) for node in graph.nodes] == [
        ("input:x", 1),
        ("module:gate", 1),
        ("op::softmax:0", 1),
        ("module:experts.0", 5),
        ("op::mul:0", 5),
        ("op::add:0", 5),
        ("output", 1),
    ]


def test_an_edge_that_stands_for_several_shapes_shows_none() -> None:
    def forward(self: Any, x: Any) -> Any:
        return torch.cat([layer(x[:size]) for size, layer in enumerate(self.layers, start=1)])

    layers = nn.ModuleList(fc() for _ in range(4))
    graph = folded(traced(wired(forward, layers=layers), torch.ones(4, 4)), "layers")

    assert {edge.shape for edge in graph.edges if edge.source == "module:layers.0"} == {None}


def test_a_row_whose_end_feeds_its_beginning_stays_as_it_is() -> None:
    def forward(self: Any, x: Any) -> Any:
        for _ in range(2):
            for layer in self.layers:
                x = layer(x)
        return x

    graph = traced(wired(forward, layers=nn.ModuleList(fc() for _ in range(4))), X)

    assert [node.repeats for node in folded(graph, "layers").nodes] == [1] * 6
