"""What two nodes of a picture have to share to count as identical, whatever they are called.

Shapes do not count: experts are identical modules even if each got another number of rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from functools import cached_property

from hookviz.graph.graph import Graph, Node

Kind = Hashable
"""Equal for identical nodes."""


class Likeness:
    """The kinds of a graph's nodes and containers; those of containers are found when first asked for.

    Args:
        whole: The graph with everything unfolded.
    """

    def __init__(self, whole: Graph) -> None:
        self._whole = whole

    def of(self, node: Node) -> Kind:
        """The kind of a module's card: for a folded container, of all that is inside of it."""
        return (node.type_name, self._containers[node.id]) if node.is_foldable else _kind_of(node)

    @cached_property
    def _containers(self) -> dict[str, int]:
        """A number for each container, the same for equal content."""
        numbers: dict[Kind, int] = {}
        paths = {group.id: group.path for group in self._whole.groups}
        around: dict[str | None, tuple[str, ...]] = {None: ()}
        for group in self._whole.groups:
            around[group.id] = (*around[group.parent], group.id)
        content: defaultdict[str | None, list[Kind]] = defaultdict(list)
        for node in self._whole.nodes:
            content[node.group].append((_place(node, paths.get(node.group or "", "")), _kind_of(node)))
        links: defaultdict[str, set[Kind]] = defaultdict(set)
        nodes = {node.id: node for node in self._whole.nodes}
        for edge in self._whole.edges:
            source, target = nodes.get(edge.source), nodes.get(edge.target)
            if source is None or target is None:
                continue
            box = _innermost(around[source.group], around[target.group])
            if box is not None:
                links[box].add((_place(source, paths[box]), _place(target, paths[box])))
        found: dict[str, int] = {}
        # A container stands after those around it, so here what is inside of it comes first.
        for group in reversed(self._whole.groups):
            kind = (group.type_name, group.detail, group.calls, tuple(content[group.id]), frozenset(links[group.id]))
            found[group.id] = numbers.setdefault(kind, len(numbers))
            content[group.parent].append((group.name, found[group.id]))
        return found


def _kind_of(node: Node) -> Kind:
    return (node.type_name, node.detail, node.calls, node.in_place, node.passes_through)


def _place(node: Node, path: str) -> Kind:
    """Where it stands in the container at a path: equal for what has the same place in another one."""
    number = node.id[node.id.rindex(":") :] if node.kind == "op" else ""
    return node.path[len(path) :], node.kind, node.name, number


def _innermost(first: tuple[str, ...], second: tuple[str, ...]) -> str | None:
    """The innermost container that is around both; each tuple begins with the outermost."""
    common = None
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        common = one
    return common
