"""Where what follows a loop is drawn: below all of the loop.

A module that is called twice is one node, so the way through a residual block leads back to its one
ReLU, and what comes next leaves from there. Graphviz turns the edge that leads back around, and knows
nothing then that keeps the next block from standing beside the rest of this one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from hookviz.graph.graph import Edge, Graph


def below_loops(graph: Graph) -> list[tuple[str, str]]:
    """Pairs of node ids, of which the second belongs below the first although no edge says so."""
    position = {node.id: place for place, node in enumerate(graph.nodes)}
    edges = [edge for edge in graph.edges if edge.source in position and edge.target in position]
    leaving: dict[str, list[str]] = defaultdict(list)
    entering: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        leaving[edge.source].append(edge.target)
        entering[edge.target].append(edge.source)
    pairs: dict[tuple[str, str], None] = {}
    for back in _leading_back(edges, position):
        loop = _reaching(back.target, entering)
        for follower in leaving[back.target]:
            if follower not in loop:
                pairs[back.source, follower] = None
    return list(pairs)


def _leading_back(edges: Iterable[Edge], position: Mapping[str, int]) -> Iterator[Edge]:
    """Edges to a node that comes earlier in the order of the first calls."""
    return (edge for edge in edges if position[edge.target] < position[edge.source])


def _reaching(target: str, entering: Mapping[str, list[str]]) -> set[str]:
    """All nodes from which a way leads to the target, and the target."""
    found = {target}
    waiting = [target]
    while waiting:
        for source in entering.get(waiting.pop(), ()):
            if source not in found:
                found.add(source)
                waiting.append(source)
    return found
