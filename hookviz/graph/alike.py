"""Folds identical siblings: 48 equal blocks in a row, or 8 equal experts side by side, become one node.

The node is that of the first of them, with ``repeats`` and ``members``: what is asked of it, values
and hooks included, is asked of the first. Unfolding it takes that one out, and the rest stay together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hookviz.graph.graph import Edge, Graph, Node
from hookviz.graph.likeness import Kind, Likeness

LEAST_ALIKE: Final = 4
"""So many identical siblings become one node; three are seen at a glance."""


def fold_alike(seen: Graph, likeness: Likeness, taken_out: Collection[str]) -> Graph:
    """The visible graph with identical siblings folded into one node each.

    Siblings are identical if their class, their detail and all that is inside of them are equal. They are
    folded where they follow each other, each fed by the one before and giving the same shape, or stand
    side by side, and if apart from that all are joined to the same others. Operations that belong to one
    of them each, such as the product of each expert with its weight, are folded like them. An edge keeps
    its shape where all that it stands for have the same.

    Args:
        seen: The graph, its containers folded as far as wanted.
        likeness: Of the whole graph that it came from.
        taken_out: Paths of modules that are to stand by themselves.
    """
    alone = set(taken_out)
    graph = _marked(seen, likeness, alone)
    modules = {node.id: likeness.of(node) for node in seen.nodes if node.kind == "module" and node.path not in alone}
    folded = _folded(graph, modules)
    while folded is not graph:
        graph = folded
        folded = _folded(graph, _ops_beside(graph))
    return graph


def _marked(graph: Graph, likeness: Likeness, alone: set[str]) -> Graph:
    """The graph in which cards that were taken out can be put back."""
    layers = [node for node in graph.nodes if _is_layer(node)]
    if alone.isdisjoint(node.path for node in layers):
        return graph
    sizes = Counter((node.group, likeness.of(node)) for node in layers)
    taken_out = {
        node.id for node in layers if node.path in alone and sizes[node.group, likeness.of(node)] >= LEAST_ALIKE
    }
    return replace(
        graph,
        nodes=tuple(replace(node, is_taken_out=True) if node.id in taken_out else node for node in graph.nodes),
    )


def _is_layer(node: Node) -> bool:
    return node.kind == "module" and not node.is_foldable


def _ops_beside(graph: Graph) -> dict[str, Kind]:
    """Operations that a folded node feeds or that feed it, with what makes them equal."""
    many = {node.id for node in graph.nodes if node.repeats > 1}
    beside = {edge.target for edge in graph.edges if edge.source in many}
    beside |= {edge.source for edge in graph.edges if edge.target in many}
    return {
        node.id: (node.name, node.calls, node.in_place)
        for node in graph.nodes
        if node.kind == "op" and node.repeats == 1 and node.id in beside
    }


def _folded(graph: Graph, kinds: dict[str, Kind]) -> Graph:
    """The graph with each row of equal nodes as one; the same object if there is no such row."""
    rows = list(_rows(graph, kinds))
    if not rows:
        return graph
    nodes = {node.id: node for node in graph.nodes}
    stands_for = {member: row[0] for row in rows for member in row}
    row_of = {row[0]: [nodes[member] for member in row] for row in rows}
    return Graph(
        graph.title,
        tuple(
            _together(row_of[node.id]) if node.id in row_of else node
            for node in graph.nodes
            if stands_for.get(node.id, node.id) == node.id
        ),
        graph.groups,
        _moved(graph.edges, stands_for),
        graph.is_traced,
    )


def _together(row: Sequence[Node]) -> Node:
    first, last = row[0], row[-1]
    if first.kind == "op":
        return replace(first, repeats=len(row))
    return replace(
        first,
        name=f"{first.name} … {last.name}",
        detail=" · ".join(
            part for part in (f"{first.detail} each" * bool(first.detail), f"values of {first.name}") if part
        ),
        is_foldable=True,
        repeats=len(row),
        members=tuple(node.path for node in row),
    )


def _moved(edges: Iterable[Edge], stands_for: dict[str, str]) -> tuple[Edge, ...]:
    moved: dict[str, Edge] = {}
    for edge in edges:
        source, target = stands_for.get(edge.source, edge.source), stands_for.get(edge.target, edge.target)
        if source == target and edge.source != edge.target:
            continue
        edge_id = f"{source}->{target}"
        known = moved.get(edge_id)
        if known is None:
            moved[edge_id] = edge if edge_id == edge.id else Edge(edge_id, source, target, edge.shape, edge.kind)
        elif known.shape != edge.shape:
            moved[edge_id] = replace(known, shape=None)
    return tuple(moved.values())


def _rows(graph: Graph, kinds: dict[str, Kind]) -> Iterator[list[str]]:
    """Ids of the nodes of each row that is folded."""
    siblings: defaultdict[tuple[str | None, Kind], list[Node]] = defaultdict(list)
    for node in graph.nodes:
        if node.id in kinds:
            siblings[node.group, kinds[node.id]].append(node)
    joints = _Joints(graph)
    for equal in siblings.values():
        if len(equal) >= LEAST_ALIKE:
            yield from (row for row in joints.rows([node.id for node in equal]) if len(row) >= LEAST_ALIKE)


class _Joints:
    """What each node is joined to; operations of one name in one container count as one and the same there."""

    def __init__(self, graph: Graph) -> None:
        self._sources: defaultdict[str, set[str]] = defaultdict(set)
        self._targets: defaultdict[str, set[str]] = defaultdict(set)
        for edge in graph.edges:
            self._targets[edge.source].add(edge.target)
            self._sources[edge.target].add(edge.source)
        self._shapes = {node.id: node.shape for node in graph.nodes}
        self._names: dict[str, Kind] = {
            node.id: ("op", node.name, node.group) if node.kind == "op" else node.id for node in graph.nodes
        }

    def rows(self, equal: Sequence[str]) -> Iterator[list[str]]:
        """The longest rows in this order, in which each node feeds the next or none feeds another."""
        together = set(equal)
        start = 0
        while start < len(equal):
            row = max(self._chain(equal, start, together), self._side_by_side(equal, start, together), key=len)
            yield row
            start += len(row)

    def _chain(self, equal: Sequence[str], start: int, together: set[str]) -> list[str]:
        """The longest one from here in which all links but its ends have the same besides each other."""
        row = [equal[start]]
        fed: frozenset[Kind] | None = None
        feeds: frozenset[Kind] | None = None
        for node in equal[start + 1 :] if self._targets[row[0]] & together else ():
            before = row[-1]
            fed_too, feeds_too = self._sources[node] - {before}, self._targets[before] - {node}
            is_link = node in self._targets[before] and self._shapes[node] == self._shapes[before]
            if not is_link or (fed_too | feeds_too) & together:
                break
            fed, feeds = (
                self._named(fed_too) if fed is None else fed,
                self._named(feeds_too) if feeds is None else feeds,
            )
            if fed != self._named(fed_too) or feeds != self._named(feeds_too):
                break
            if len(row) == 1 and not fed <= self._named(self._sources[before]):
                break
            row.append(node)
        if feeds is not None and not feeds <= self._named(self._targets[row[-1]]):
            row.pop()
        is_loop = row[0] in self._targets[row[-1]]
        return row[:1] if is_loop else row

    def _side_by_side(self, equal: Sequence[str], start: int, together: set[str]) -> list[str]:
        row = [equal[start]]
        if not self._neighbours(row[0]).isdisjoint(together):
            return row
        for node in equal[start + 1 :]:
            if self._ends(node) != self._ends(row[0]) or not self._neighbours(node).isdisjoint(together):
                break
            row.append(node)
        return row

    def _neighbours(self, node: str) -> set[str]:
        return self._sources[node] | self._targets[node]

    def _ends(self, node: str) -> tuple[frozenset[Kind], frozenset[Kind]]:
        return self._named(self._sources[node]), self._named(self._targets[node])

    def _named(self, ids: Iterable[str]) -> frozenset[Kind]:
        return frozenset(self._names[node_id] for node_id in ids)
