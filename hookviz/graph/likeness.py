"""What two nodes of a picture have to share to count as identical, whatever they are called.

Shapes do not count: experts are identical modules even if each got another number of rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
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
        groups = {group.id: group for group in self._whole.groups}
        around: dict[str | None, tuple[str, ...]] = {None: ()}
        for group in self._whole.groups:
            around[group.id] = (group.id, *around[group.parent])
        inside: defaultdict[str, list[Kind]] = defaultdict(list)
        position: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for node in self._whole.nodes:
            for box in around[node.group]:
                position[box][node.id] = len(inside[box])
                inside[box].append((node.path.removeprefix(groups[box].path), node.kind, node.name, _kind_of(node)))
        links: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        where = {node.id: around[node.group] for node in self._whole.nodes}
        for edge in self._whole.edges:
            for box in _common(where.get(edge.source, ()), where.get(edge.target, ())):
                links[box].append((position[box][edge.source], position[box][edge.target]))
        numbers: dict[Kind, int] = {}
        return {
            group.id: numbers.setdefault(
                (
                    group.type_name,
                    group.detail,
                    group.calls,
                    tuple(inside[group.id]),
                    frozenset(links[group.id]),
                ),
                len(numbers),
            )
            for group in self._whole.groups
        }


def _kind_of(node: Node) -> Kind:
    return (node.type_name, node.detail, node.calls, node.in_place, node.passes_through)


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[str]:
    """The containers that are around both."""
    others = set(second)
    return (box for box in first if box in others)
