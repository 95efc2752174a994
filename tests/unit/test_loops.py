"""What follows a loop is drawn below all of it."""

from hookviz.diagram.dot import to_dot
from hookviz.diagram.loops import below_loops
from hookviz.graph.graph import Edge, Graph, Node
from tests.graphs import graph
from tests.layout import layout


def chained(*ways: tuple[str, str]) -> Graph:
    names = dict.fromkeys(name for way in ways for name in way)
    edges = tuple(Edge(f"{source}->{target}", source, target) for source, target in ways)
    return graph(*(Node(name, "module", name, name) for name in names), edges=edges)


RESIDUAL = chained(
    ("conv1", "relu"), ("relu", "conv2"), ("conv2", "add"), ("conv1", "add"), ("add", "relu"), ("relu", "head")
)
"""A block that calls its one ReLU twice."""


def test_what_follows_a_loop_belongs_below_where_it_leads_back() -> None:
    assert below_loops(RESIDUAL) == [("add", "head")]


def test_without_a_loop_the_edges_say_all() -> None:
    assert below_loops(chained(("a", "b"), ("b", "c"), ("a", "c"))) == []


def test_a_module_that_feeds_itself_holds_nothing_up() -> None:
    assert below_loops(chained(("a", "a"), ("a", "b"))) == []


def test_picture_has_what_follows_below_the_loop() -> None:
    height = {node["name"]: float(node["pos"].split(",")[1]) for node in layout(to_dot(RESIDUAL, {}))["objects"]}

    assert height["relu"] > height["add"] > height["head"]
