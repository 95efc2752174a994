"""Small graphs by hand, one idea each."""

from dataclasses import replace
from typing import Any

from torch import nn

from hookviz.graph.build import build_graph
from hookviz.graph.graph import Edge, Graph, Group, Node, NodeKind, Pill, PillSide
from hookviz.graph.node_data import NodeData
from tests.tracing_seam import trace

CAPTURED = NodeData("captured", "▁▂▅▇▅▂▁▁", "+1.20e-02 ±5.70e-01", "∇ 3.10e-03")


def node(kind: NodeKind, name: str, *shape: int) -> Node:
    """A node whose id is its kind and name."""
    return Node(f"{kind}:{name}", kind, name, name, shape=shape or None)


def module(
    path: str,
    type_name: str = "Linear",
    detail: str = "16→10 · 170 params",
    group: str | None = None,
    shape: tuple[int, ...] | None = None,
) -> Node:
    """A module's card."""
    name = path.rpartition(".")[2]
    return Node(f"module:{path}", "module", path, name, type_name, detail, group, shape=shape)


def edge(source: str, target: str, *shape: int) -> Edge:
    """A tensor's way."""
    return Edge(f"{source}->{target}", source, target, shape)


def graph(*nodes: Node, groups: tuple[Group, ...] = (), edges: tuple[Edge, ...] = ()) -> Graph:
    """A traced graph with the title ``Model``."""
    return Graph("Model", nodes, groups, edges, is_traced=True)


def ids(graph: Graph) -> list[str]:
    """Ids of the nodes, in order."""
    return [node.id for node in graph.nodes]


def pairs(graph: Graph) -> list[tuple[str, str]]:
    """Source and target of each edge, in order."""
    return [(edge.source, edge.target) for edge in graph.edges]


def node_of(graph: Graph, node_id: str) -> Node:
    """The node with this id."""
    return next(node for node in graph.nodes if node.id == node_id)


def traced(model: nn.Module, *args: Any) -> Graph:
    """The whole graph of one traced run."""
    return build_graph(model, trace(model, *args), title="Model")


def one_card(detail: str = "16→10 · 170 params") -> Graph:
    """A single module ``fc``."""
    return graph(module("fc", detail=detail))


def residual() -> Graph:
    """A convolution, and a block around which its output goes too."""
    block, shape = "module:layer1", (8, 16, 32, 32)
    return Graph(
        "ResNetTiny",
        (
            node("input", "x", 8, 3, 32, 32),
            module("conv1", "Conv2d", "3→16 · 3×3 · 448 params", shape=shape),
            module("layer1.conv1", "Conv2d", "16→16 · 3×3", block, shape),
            Node("op:layer1:relu:0", "op", "layer1", "relu", group=block, shape=shape),
            Node("op:layer1:add:0", "op", "layer1", "add", group=block, shape=shape),
            node("output", "output"),
        ),
        (Group(block, "layer1", "layer1", "ResBlock", None),),
        (
            edge("input:x", "module:conv1", 8, 3, 32, 32),
            edge("module:conv1", "module:layer1.conv1", 8, 16, 32, 32),
            edge("module:layer1.conv1", "op:layer1:relu:0", 8, 16, 32, 32),
            edge("op:layer1:relu:0", "op:layer1:add:0", 8, 16, 32, 32),
            edge("module:conv1", "op:layer1:add:0", 8, 16, 32, 32),
            edge("op:layer1:add:0", "output:output", 8, 16, 32, 32),
        ),
        is_traced=True,
    )


RESIDUAL_DATA = {
    "module:conv1": CAPTURED,
    "module:layer1": NodeData("captured", "▁▁▁▂▇▂▁▁", "      nan ±nan", "∇ 1.00e-03", "NaN 12 of 80"),
    "module:layer1.conv1": NodeData("failed", trouble="ValueError: no", note="raised in run 3"),
}
"""Values for ``residual`` with a trouble in a group and in a card."""


def hooked() -> Graph:
    """Hooks of all sides on everything that has pills; two share one, and one has a hostile name."""
    block = "module:block"
    pills = (
        pill("scale", "gradient"),
        pill("record", "output"),
        pill("clip_input", "input"),
        pill("weight · mask", "parameter"),
        Pill(("forward:1:block.fc", "forward:2:block.fc"), "+2", "output"),
    )
    return graph(
        Node("input:x", "input", "x", "x", pills=(pill("check", "input"),)),
        Node("module:block.fc", "module", "block.fc", "fc", "Linear", "16→10", block, pills=pills),
        Node("parameter:W", "parameter", "W", "W", pills=(pill("a", "parameter"), pill("b", "parameter"))),
        groups=(Group(block, "block", "block", "Block", None, pills=(pill('<b>"&\\N', "output"),)),),
    )


def pill(text: str, side: PillSide) -> Pill:
    """The pill of one hook."""
    return Pill((f"forward:{text}:block.fc",), text, side, f"{text} · forward · In [3]:7")


HOOKED_DATA = {
    "module:block.fc": replace(CAPTURED, hooks_off=frozenset({"forward:record:block.fc", "forward:1:block.fc"})),
    "input:x": NodeData(hooks_off=frozenset({"forward:check:block.fc"})),
}
"""Values for ``hooked``: one hook is off, and one of the two that share a pill."""


def every_state() -> Graph:
    """One card for each state, a folded one, one without a detail line, and a group."""
    inner = "module:inner"
    return graph(
        module("idle"),
        module("captured", shape=(8, 10)),
        *(module(state) for state in ("off", "failed", "unobservable")),
        Node("module:layers", "module", "layers", "layers", "Block", "7.1M params", is_foldable=True, repeats=48),
        Node("module:inner.act", "module", "inner.act", "act", "ReLU", group=inner, calls=3),
        Node("parameter:inner.W", "parameter", "inner.W", "W", group=inner, shape=()),
        groups=(Group(inner, "inner", "inner", "Container", None, calls=2),),
        edges=(edge("module:captured", "module:layers", 8, 10), edge("parameter:inner.W", "module:inner.act")),
    )


EVERY_STATE_DATA = {
    "module:captured": CAPTURED,
    "module:off": NodeData("off", note="outputs off"),
    "module:failed": NodeData(
        "failed", trouble="RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 5x2)"
    ),
    "module:unobservable": NodeData("unobservable", note="compiled: not observable"),
    "module:layers": NodeData("captured", "▁▂▅▇▅▂▁▁", "+1.00e+00 ±0.00e+00", "frozen: does not require grad"),
    "module:inner": NodeData("captured", "▁▂▅▇▅▂▁▁", "      inf ±nan", "∇ 1.00e-03", "Inf 1 of 80"),
    "module:inner.act": NodeData("captured", "▁▂▅▇▅▂▁▁", "      nan ±nan", "", "NaN 12 of 80", "no backward yet"),
}
"""A value for each card of ``every_state`` but the idle one."""

WITH_VALUES = [(residual(), RESIDUAL_DATA), (every_state(), EVERY_STATE_DATA)]
"""Graphs with values for their cards."""
