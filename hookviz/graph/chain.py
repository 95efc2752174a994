"""The edges of a package: what flows between its programs need not be tensors, and is known all the same."""

from dataclasses import replace
from itertools import pairwise

from hookviz.graph.graph import Edge, Graph, Node
from hookviz.package import Package

INPUT_ID = "input:value"
"""Node of what a package is called with, where no tensor of it was traced."""


def chained(graph: Graph, package: Package) -> Graph:
    """The graph of a package with an edge from each program to the next.

    Edges that a run showed stay as they are; a program that is drawn as a box has those of its inside.
    """
    nodes = list(graph.nodes)
    known = {node.id for node in nodes}
    if not any(node.kind == "input" for node in nodes):
        nodes.insert(0, Node(INPUT_ID, "input", "", "value"))
        known.add(INPUT_ID)
    if "output" not in known:
        nodes.append(Node("output", "output", "", "output"))
        known.add("output")
    edges = {edge.id: edge for edge in graph.edges if edge.kind == "flow"}
    left = {edge.source for edge in edges.values()}
    entered = {edge.target for edge in edges.values()}
    way = [INPUT_ID, *(f"module:{name}" for name, _ in package.named_children()), "output"]
    for source, target in pairwise(way):
        if {source, target} <= known and source not in left and target not in entered:
            edges[f"{source}->{target}"] = Edge(f"{source}->{target}", source, target)
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges.values()))
