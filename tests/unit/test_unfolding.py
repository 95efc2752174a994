"""How far a picture is unfolded where nobody says."""

from typing import Any

import torch
from torch import nn

from hookviz.graph.build import build_graph
from hookviz.graph.graph import Graph
from hookviz.graph.likeness import Likeness
from hookviz.graph.unfolding import default_expanded, seen_graph
from hookviz.session import watch
from tests.graphs import ids, traced
from tests.models import fc, wired

X = torch.ones(2, 4)


def block() -> nn.Module:
    return nn.Sequential(fc(), nn.ReLU())


def nested() -> Graph:
    """``stem``, then ``body`` with two blocks of two layers each, then ``head``: eight nodes with the ends."""

    def forward(self: Any, x: Any) -> Any:
        return self.head(self.body(self.stem(x)))

    return traced(wired(forward, stem=fc(), body=nn.Sequential(block(), block()), head=fc()), X)


def unfolded(graph: Graph, limit: int = 60) -> frozenset[str]:
    return default_expanded(graph, Likeness(graph), limit)


def test_by_default_as_much_is_unfolded_as_fits() -> None:
    graph = nested()

    assert unfolded(graph) == {"body", "body.0", "body.1"}
    assert unfolded(graph, limit=8) == {"body", "body.0", "body.1"}
    assert unfolded(graph, limit=7) == {"body"}
    assert unfolded(graph, limit=6) == {"body"}
    assert unfolded(graph, limit=5) == frozenset()


def test_of_identical_blocks_the_first_is_unfolded_as_an_example() -> None:
    blocks = nn.ModuleList([block() for _ in range(48)])
    graph = build_graph(wired(lambda self, x: x, stem=fc(), blocks=blocks), None, title="Model")

    assert unfolded(graph) == {"blocks", "blocks.0"}
    assert ids(seen_graph(graph, Likeness(graph), unfolded(graph))) == [
        "module:stem",
        "module:blocks.0.0",
        "module:blocks.0.1",
        "module:blocks.1",
    ]


def test_of_identical_layers_none_is_taken_out() -> None:
    graph = build_graph(nn.Sequential(*(fc() for _ in range(9))), None, title="Model")

    assert unfolded(graph) == frozenset()
    assert ids(seen_graph(graph, Likeness(graph), frozenset())) == ["module:0"]


def test_a_model_of_thousands_opens_on_few_nodes() -> None:
    stages = [nn.Sequential(*(nn.Sequential(fc(), nn.ReLU(), fc()) for _ in range(30))) for _ in range(30)]
    graph = build_graph(nn.Sequential(*stages), None, title="Model")

    assert len(graph.nodes) == 2700
    assert ids(seen_graph(graph, Likeness(graph), unfolded(graph))) == [
        "module:0.0.0",
        "module:0.0.1",
        "module:0.0.2",
        "module:0.1",
        "module:1",
    ]


def test_a_model_of_five_thousand_modules_opens_folded() -> None:
    model = nn.Sequential(*(nn.Sequential(*(nn.Identity() for _ in range(99))) for _ in range(50)))
    session = watch(model)

    graph = session.graph()

    assert len(session.paths()) == 5001
    assert len([node for node in graph.nodes if node.kind == "module"]) <= 60
