"""Random models of which the true edges are known, traced, built and folded."""

from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from hookviz.graph.build import build_graph
from hookviz.graph.collapse import collapse, expanded_to_depth, max_depth
from tests.folded import Edges, folded
from tests.models import fc
from tests.tracing_seam import trace


@dataclass(frozen=True)
class Step:
    """One line of a forward: what is done with which of the values so far, counted from the last."""

    kind: Literal["layer", "again", "view", "add", "relu_", "block"]
    first: int
    second: int
    block: "tuple[Step, ...]" = ()


def steps(depth: int) -> st.SearchStrategy[tuple[Step, ...]]:
    back = st.integers(0, 3)
    plain = st.builds(Step, st.sampled_from(["layer", "again", "view", "add", "relu_"]), back, back)
    any_step = plain if depth == 0 else plain | st.builds(Step, st.just("block"), back, back, steps(depth - 1))
    # A block begins with a layer, so that it has an inside.
    return st.lists(any_step, max_size=5).map(lambda rest: (Step("layer", 0, 0), *rest))


class Program(nn.Module):
    """Runs steps."""

    def __init__(self, block: tuple[Step, ...]) -> None:
        super().__init__()
        self.block = block
        for index, step in enumerate(block):
            if step.kind == "layer":
                self.add_module(f"layer{index}", fc())
            elif step.kind == "block":
                self.add_module(f"block{index}", Program(step.block))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        values = [x]
        for index, step in enumerate(self.block):
            first, second = pick(values, step.first), pick(values, step.second)
            match step.kind:
                case "layer":
                    values.append(self.get_submodule(f"layer{index}")(first))
                case "again":
                    values.append(self.get_submodule("layer0")(first))
                case "view":
                    values.append(first.view(-1).unsqueeze(0).view(2, 4))
                case "add":
                    values.append(first + second)
                case "relu_":
                    first.relu_()
                case "block":
                    values.append(self.get_submodule(f"block{index}")(first))
        return values[-1]


def pick(values: list[Any], back: int) -> Any:
    return values[max(len(values) - 1 - back, 0)]


@dataclass
class Cell:
    """Memory that several values can share, and the node that wrote it last."""

    writer: str


@dataclass
class Truth:
    """What the steps mean, worked out without running them."""

    edges: list[tuple[str, str]] = field(default_factory=list)

    def run(self, block: tuple[Step, ...], path: str, x: Cell) -> Cell:
        values = [x]
        prefix = f"{path}." if path else ""
        for index, step in enumerate(block):
            first, second = pick(values, step.first), pick(values, step.second)
            match step.kind:
                case "layer":
                    values.append(self._node(f"module:{prefix}layer{index}", first))
                case "again":
                    values.append(self._node(f"module:{prefix}layer0", first))
                case "view":
                    values.append(first)
                case "add":
                    values.append(self._node(f"op:{path}:add:{len(self.edges)}", first, second))
                case "relu_":
                    first.writer = self._node(f"op:{path}:relu:{len(self.edges)}", first).writer
                case "block":
                    values.append(self.run(step.block, f"{prefix}block{index}", first))
        return values[-1]

    def _node(self, name: str, *cells: Cell) -> Cell:
        self.edges += [(cell.writer, name) for cell in cells]
        return Cell(name)

    def useful_edges(self) -> Edges:
        """Edges without operations that reach nothing, the operations counted by name within their container."""
        edges = self.edges
        while True:
            sources = {source for source, _ in edges}
            kept = [edge for edge in edges if not edge[1].startswith("op:") or edge[1] in sources]
            if kept == edges:
                break
            edges = kept
        numbers: dict[str, str] = {}
        counts: dict[str, int] = {}
        for _, target in edges:
            if target.startswith("op:") and target not in numbers:
                name = target.rpartition(":")[0]
                numbers[target] = f"{name}:{counts.get(name, 0)}"
                counts[name] = counts.get(name, 0) + 1
        return {(numbers.get(source, source), numbers.get(target, target)) for source, target in edges}


def true_edges(block: tuple[Step, ...]) -> Edges:
    truth = Truth()
    output = truth.run(block, "", Cell("input:x"))
    truth.edges.append((output.writer, "output"))
    return truth.useful_edges()


@settings(max_examples=60, deadline=None)
@given(steps(depth=2), st.randoms(use_true_random=False))
def test_traced_edges_are_the_true_ones_and_folding_maps_them(block: tuple[Step, ...], random: Any) -> None:
    model = Program(block)
    expected = true_edges(block)
    containers = {path for path, module in model.named_modules() if path and type(module) is Program}

    with torch.no_grad():
        graph = build_graph(model, trace(model, torch.ones(2, 4)), title="Program")

    assert {(edge.source, edge.target) for edge in graph.edges} == expected
    for depth in range(max_depth(graph) + 1):
        expanded = expanded_to_depth(graph, depth)
        found = {(edge.source, edge.target) for edge in collapse(graph, expanded).edges}
        assert found == folded(expected, containers - expanded)
    some = {path for path in containers if random.random() < 0.5}
    assert {(edge.source, edge.target) for edge in collapse(graph, some).edges} == folded(expected, containers - some)
