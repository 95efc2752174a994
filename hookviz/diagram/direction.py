"""Which way a picture had better run: from the top to the bottom, or from left to right."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, Literal

from hookviz.diagram.labels import small_width
from hookviz.diagram.slots import LIVE_WIDTH
from hookviz.diagram.style import SIZES
from hookviz.graph.graph import Graph, Group, Node

Direction = Literal["TB", "LR"]
"""The way that data flows in the picture: ``TB`` from the top to the bottom, ``LR`` from left to right."""

PANE: Final = (1000.0, 560.0)
"""Width and height of the room that a picture usually has, in pixels."""

GAIN: Final = 1.25
"""So much larger the picture must be seen from left to right to be drawn so: downwards is how a notebook is read."""

LEGIBLE: Final = 0.5
"""Seen smaller than this, a picture cannot be read as a whole."""

_BESIDE = 22.0
_BETWEEN = 26.0
_SHAPE_WIDTH = 70.0


def natural_direction(graph: Graph) -> Direction:
    """The direction in which the whole picture can be seen at the larger scale.

    Where it cannot be read as a whole in either, it is the one in which its width can be seen at the larger
    scale: one scrolls down rather than sideways. Its size is estimated from the ranks of the nodes, so nothing
    is laid out. Where both are much the same, the picture runs down.
    """
    ranks: dict[int, list[tuple[float, float]]] = defaultdict(list)
    rank_of = _ranks(graph)
    for node in graph.nodes:
        ranks[rank_of[node.id]].append(_size_of(node))
    rows = list(ranks.values())
    borders = 2 * SIZES.group_margin * len(graph.groups)
    down = (
        max((sum(width + _BESIDE for width, _ in row) for row in rows), default=0.0),
        sum(max(height for _, height in row) + _BETWEEN for row in rows)
        + borders
        + sum(_title_height(group) for group in graph.groups),
    )
    right = (
        sum(max(width for width, _ in row) + _BETWEEN + _SHAPE_WIDTH for row in rows) + borders,
        # Titles of boxes that follow each other lie side by side here.
        max((sum(height + _BESIDE for _, height in row) for row in rows), default=0.0) + _titles_above(graph),
    )
    scale = _scale if max(_scale(*down), _scale(*right)) >= LEGIBLE else _scale_across
    return "LR" if scale(*right) > GAIN * scale(*down) else "TB"


def _title_height(group: Group) -> float:
    return SIZES.title_row if group.calls == 0 else SIZES.title_row + 2 * SIZES.row


def _titles_above(graph: Graph) -> float:
    """Height of the titles of boxes that lie in one another, where they are most."""
    heights: dict[str | None, float] = {None: 0.0}
    # A group stands after those around it.
    for group in graph.groups:
        heights[group.id] = heights[group.parent] + _title_height(group) + 2 * SIZES.group_margin
    return max(heights.values())


def _scale(width: float, height: float) -> float:
    return min(1.0, PANE[0] / max(width, 1.0), PANE[1] / max(height, 1.0))


def _scale_across(width: float, _height: float) -> float:
    return min(1.0, PANE[0] / max(width, 1.0))


def _ranks(graph: Graph) -> dict[str, int]:
    """How many nodes lie before each on the longest way; edges that lead back count nothing."""
    position = {node.id: place for place, node in enumerate(graph.nodes)}
    fed: defaultdict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        if position.get(edge.source, len(position)) < position.get(edge.target, -1):
            fed[edge.target].append(edge.source)
    ranks: dict[str, int] = {}
    # The graph's order is that of the first calls: what feeds a node stands before it.
    for node in graph.nodes:
        ranks[node.id] = max((ranks[source] + 1 for source in fed[node.id]), default=0)
    return ranks


def _size_of(node: Node) -> tuple[float, float]:
    if node.kind != "module":
        return small_width(node) + 18, 24.0
    rows = 3 if node.detail else 2
    pills = -(-len(node.pills) // 2) * (SIZES.pill_height + 4)
    return LIVE_WIDTH + 16, SIZES.title_row + rows * SIZES.row + 10 + pills
