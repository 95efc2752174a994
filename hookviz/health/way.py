"""The way of a NaN or an infinity through the picture: from where it was made to the loss."""

from __future__ import annotations

from collections import defaultdict

from hookviz.capture.not_finite import holds
from hookviz.capture.run import Run
from hookviz.graph.badges import Way
from hookviz.graph.graph import Graph
from hookviz.graph.node_ids import node_ids
from hookviz.graph.origin import Origin
from hookviz.tracing.flow import Flow


def way_of(origin: Origin, run: Run, graph: Graph) -> Way:
    """Where what is not finite went from its origin on: with the data to the output, as a gradient to the inputs.

    It ends at modules whose values are finite again. Of operations nobody knows their values: those that lie
    between two modules on the way are taken to be on it.
    """
    edges = [edge for edge in graph.edges if edge.kind == "flow"]
    onwards: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        source, target = (edge.target, edge.source) if origin.is_gradient else (edge.source, edge.target)
        onwards[source].append(target)
    sound = _sound_nodes(origin, run, graph)
    starts = _starts(origin, run, graph)
    reached = _reached(starts, onwards, sound)
    ends = {node for node in reached if node == "output" or node.startswith("module:")}
    backwards: defaultdict[str, list[str]] = defaultdict(list)
    for source, targets in onwards.items():
        for target in targets:
            if {source, target} <= reached:
                backwards[target].append(source)
    if "output" in ends:
        # A side way that leads nowhere is none to the loss.
        ends = {"output"}
    nodes = _reached(ends | starts, backwards, set()) & reached
    return Way(frozenset(nodes), frozenset(edge.id for edge in edges if {edge.source, edge.target} <= nodes))


def _sound_nodes(origin: Origin, run: Run, graph: Graph) -> set[str]:
    """Nodes of modules all of whose values, or gradients, are finite or unknown."""
    bad = set()
    for call in run.calls:
        captures = call.output_gradients() if origin.is_gradient else call.output_captures
        if any(holds(capture, kind) for capture in captures for kind in ("NaN", "Inf")):
            bad.add(call.path)
    return {node.id for node in graph.nodes if node.kind == "module" and node.path not in bad}


def _starts(origin: Origin, run: Run, graph: Graph) -> set[str]:
    there = {node.id: node.path for node in graph.nodes}
    if isinstance(run.flow, Flow):
        ids = node_ids(run.flow)
        suspects = {ids[node.id] for node in origin.suspects if node.id in ids} & there.keys()
        if suspects:
            return suspects
    path = origin.call.path
    while True:
        if f"module:{path}" in there:
            return {f"module:{path}"}
        inside = {node_id for node_id, place in there.items() if place == path and node_id.startswith("op:")}
        if inside or not path:
            return inside
        path = path.rpartition(".")[0]


def _reached(starts: set[str], onwards: dict[str, list[str]], closed: set[str]) -> set[str]:
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        node = waiting.pop()
        if node not in seen and (node in starts or node not in closed):
            seen.add(node)
            waiting += onwards.get(node, ())
    return seen
