"""A text finds modules, operations and shapes in the whole picture, also those that are folded away."""

from collections.abc import Iterator

import pytest
import torch
from torch import nn

from hookviz.graph.graph import Graph, Group, Node
from hookviz.session import Session, watch
from hookviz.widget.commands import answer
from hookviz.widget.finding import find
from hookviz.widget.presentation import presentation_of


def net() -> Graph:
    layer, inner = "module:layer3", "module:layer3.0"
    return Graph(
        "Net",
        (
            Node("module:conv", "module", "conv", "conv", "Conv2d", shape=(8, 16, 32, 32)),
            Node("module:layer3.0.conv", "module", "layer3.0.conv", "conv", "Conv2d", group=inner, shape=(8, 512)),
            Node("op:layer3.0:add:0", "op", "layer3.0", "add", group=inner, shape=(8, 512)),
            Node("module:head", "module", "head", "head", "Linear", shape=(8, 512, 10)),
        ),
        (
            Group(layer, "layer3", "layer3", "Sequential", None),
            Group(inner, "layer3.0", "0", "ConvBlock", layer),
        ),
        (),
        True,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Conv2d", ["module:conv", "module:layer3.0.conv"]),
        ("conv2D", ["module:conv", "module:layer3.0.conv"]),
        ("layer3.*", ["module:layer3.0", "module:layer3.0.conv"]),
        ("layer3", ["module:layer3", "module:layer3.0", "module:layer3.0.conv"]),
        ("*Block", ["module:layer3.0"]),
        ("add", ["op:layer3.0:add:0"]),
        ("8×512", ["module:layer3.0.conv", "op:layer3.0:add:0", "module:head"]),
        ("8x512", ["module:layer3.0.conv", "op:layer3.0:add:0", "module:head"]),
        ("(512, 10)", ["module:head"]),
        ("8×*×10", ["module:head"]),
        ("8×51", []),
        ("", []),
        ("nowhere", []),
    ],
)
def test_text_means_paths_classes_operations_and_shapes(text: str, expected: list[str]) -> None:
    assert [hit["node_id"] for hit in find(net(), text)["hits"]] == expected


def test_nearest_hits_are_listed_first() -> None:
    found = find(net(), "conv")

    assert [(hit["path"], hit["matched"]) for hit in found["hits"]] == [
        ("conv", "path"),
        ("layer3.0", "class"),
        ("layer3.0.conv", "class"),
    ]


def test_hit_tells_name_class_and_shape() -> None:
    found = find(net(), "add")

    assert found["hits"] == [
        {
            "path": "layer3.0",
            "node_id": "op:layer3.0:add:0",
            "name": "add",
            "type_name": "",
            "shape": "8×512",
            "matched": "operation",
        }
    ]


def test_of_many_hits_fifty_are_sent_and_all_are_counted() -> None:
    nodes = tuple(Node(f"module:blocks.{i}", "module", f"blocks.{i}", str(i), "Linear") for i in range(5000))
    graph = Graph("Deep", nodes, (), (), True)

    found = find(graph, "linear")

    assert (found["total"], len(found["hits"])) == (5000, 50)


@pytest.fixture
def session() -> Iterator[Session]:
    model = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
    with watch(model, every=1) as session:
        model(torch.ones(1, 2))
        yield session


def test_command_finds_a_module_inside_a_folded_container(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(0)

    content, _ = answer(presentation, {"id": 1, "command": "find", "text": "1.1"})

    assert [hit["node_id"] for hit in content["reply"]["hits"]] == ["module:1.1"]
