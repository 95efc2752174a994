"""Folds containers: what is inside becomes one node that carries the edges of its content."""

from collections.abc import Collection, Iterable

from hookviz.graph.graph import Edge, Graph, Group, Node


def collapse(graph: Graph, expanded: Collection[str]) -> Graph:
    """The graph as it is seen when just these containers are unfolded.

    A container inside a folded one is not seen, whether it is unfolded or not. Edges within a folded
    container vanish; a module that feeds itself keeps its loop while it is seen.

    Args:
        graph: The whole graph.
        expanded: Paths of unfolded containers; paths that are none are ignored.
    """
    paths = set(expanded)
    seen = _seen_as({group.id: group for group in graph.groups}, paths)
    folds = {
        group.id: _folded(group) for group in graph.groups if seen[group.id] == group.id and group.path not in paths
    }
    nodes: dict[str, Node] = {}
    place: dict[str, str] = {}
    for node in graph.nodes:
        box = seen[node.group] if node.group is not None else None
        shown = folds.get(box) if box is not None else None
        shown = node if shown is None else shown
        nodes[shown.id] = shown
        place[node.id] = shown.id
    groups = tuple(group for group in graph.groups if seen[group.id] == group.id and group.id not in folds)
    return Graph(graph.title, tuple(nodes.values()), groups, _moved(graph.edges, place), graph.is_traced)


def expanded_to_depth(graph: Graph, depth: int) -> frozenset[str]:
    """Paths of the containers to unfold so that ``depth`` levels of boxes are seen; none for 0."""
    levels = _levels(graph.groups)
    return frozenset(group.path for group in graph.groups if levels[group.id] <= depth)


def max_depth(graph: Graph) -> int:
    """How many boxes lie in one another at most."""
    return max(_levels(graph.groups).values(), default=0)


def _levels(groups: Iterable[Group]) -> dict[str, int]:
    """Depth of each box, 1 at the top; a group stands after those around it."""
    levels: dict[str, int] = {}
    for group in groups:
        levels[group.id] = 1 + (levels[group.parent] if group.parent is not None else 0)
    return levels


def _seen_as(groups: dict[str, Group], expanded: set[str]) -> dict[str, str]:
    """The id under which each box is seen: its own, or that of the folded box around it."""
    seen: dict[str, str] = {}
    for group in groups.values():
        around = group.parent
        if around is None or (seen[around] == around and groups[around].path in expanded):
            seen[group.id] = group.id
        else:
            seen[group.id] = seen[around]
    return seen


def _folded(group: Group) -> Node:
    return Node(
        group.id,
        "module",
        group.path,
        group.name,
        group.type_name,
        group.detail,
        group.parent,
        max(group.calls, 1),
        is_foldable=True,
        shape=group.shape,
    )


def _moved(edges: Iterable[Edge], place: dict[str, str]) -> tuple[Edge, ...]:
    moved: dict[str, Edge] = {}
    for edge in edges:
        source, target = place[edge.source], place[edge.target]
        if source == target and (edge.source, edge.target) != (source, target):
            continue
        edge_id = f"{source}->{target}"
        moved.setdefault(edge_id, edge if edge_id == edge.id else Edge(edge_id, source, target, edge.shape, edge.kind))
    return tuple(moved.values())
