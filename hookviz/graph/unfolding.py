"""Which containers are unfolded where nobody chose."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Final

from hookviz.graph.alike import fold_alike
from hookviz.graph.collapse import collapse
from hookviz.graph.graph import Graph
from hookviz.graph.likeness import Likeness

MOST_NODES: Final = 60
"""A picture opens with no more: so many can be taken in."""


def seen_graph(whole: Graph, likeness: Likeness, expanded: frozenset[str]) -> Graph:
    """The graph with just these containers unfolded, and identical siblings folded into one."""
    return fold_alike(collapse(whole, expanded), likeness, expanded)


def default_expanded(whole: Graph, likeness: Likeness, limit: int = MOST_NODES) -> frozenset[str]:
    """Paths of the containers to unfold so that at most ``limit`` nodes are seen, outer ones first.

    Of identical siblings that are folded into one node, the first is unfolded as an example. Others of one
    class that lie side by side are unfolded all or none: to open three of ten alike would tell nothing
    that opening one by hand does not.
    """
    containers = {group.path for group in whole.groups}

    def families(graph: Graph, parents: frozenset[str | None]) -> list[list[str]]:
        found: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
        for node in graph.nodes:
            if node.group in parents and node.is_foldable and node.path in containers:
                found[node.type_name, node.repeats > 1].append(node.path)
        return list(found.values())

    expanded: frozenset[str] = frozenset()
    waiting = deque(families(seen_graph(whole, likeness, expanded), frozenset([None])))
    while waiting:
        family = waiting.popleft()
        more = expanded.union(family)
        graph = seen_graph(whole, likeness, more)
        if len(graph.nodes) <= limit:
            expanded = more
            # All of a family are opened together, so what is inside of them is too.
            waiting.extend(families(graph, frozenset(f"module:{path}" for path in family)))
    return expanded
