"""Graph and node data to DOT; ``tail``, ``head`` and ``cluster`` are Graphviz's words and stay in here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hookviz.diagram.badged_dot import badged, on_the_way
from hookviz.diagram.coloured_dot import coloured, legend
from hookviz.diagram.direction import Direction
from hookviz.diagram.ids import encode_id
from hookviz.diagram.labels import card_label, escaped, group_label, short_name, small_label, small_width
from hookviz.diagram.loops import below_loops
from hookviz.diagram.slots import HOVER_COLUMNS, hover_text, live_text
from hookviz.diagram.style import FONTS, PALETTE, SIZES, look_of
from hookviz.diagram.typography import shorten, visible
from hookviz.graph.badges import Badges
from hookviz.graph.colouring import Colouring
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.graph.node_data import NodeData
from hookviz.hooks.shape_text import shape_text

if TYPE_CHECKING:
    import graphviz

CLUSTER_PREFIX = "cluster_"
"""Begins the name of every cluster: Graphviz knows clusters by it."""

TROUBLED = "hv-troubled"
"""Class of an operation, input or parameter with a trouble: it has no place for the text, only for the colour."""

_POINTS_PER_INCH = 72
# Graphviz sets the label of an edge right beside its line.
_LABEL_GAP = "\u00a0"
_NOTHING = NodeData()
_NO_BADGES = Badges()


def to_dot(
    graph: Graph,
    node_data: Mapping[str, NodeData],
    *,
    direction: Direction = "TB",
    colouring: Colouring | None = None,
    badges: Badges = _NO_BADGES,
) -> str:
    """DOT source of the picture, for graphviz-pure and for Graphviz itself.

    The layout depends on the graph and the direction alone: node data changes texts and colours. A
    colouring adds a line to each card that it has a number for, and so do badges. An edge is drawn only if both of its
    ends are nodes; Graphviz would make up the others.
    """
    import graphviz  # noqa: PLC0415  # 26 modules that a script which draws nothing does not need

    dot = graphviz.Digraph(
        name=encode_id(graph.title),
        graph_attr={
            "rankdir": direction,
            "bgcolor": PALETTE.paper,
            "fontname": FONTS.text,
            "nodesep": "0.3",
            "ranksep": "0.34" if direction == "TB" else "0.6",
            # What runs between two members of a box, outside of it, then lies between them.
            "newrank": "true",
            "pad": "0.15",
        },
        node_attr={"fontname": FONTS.text},
        edge_attr={
            "color": PALETTE.line,
            "arrowsize": "0.6",
            "fontname": FONTS.text,
            "fontsize": f"{SIZES.shape:g}",
            "fontcolor": PALETTE.muted,
        },
    )
    _add_members(dot, None, _Members(graph), node_data, colouring=colouring, badges=badges)
    labelled = _labelled_edges(graph)
    nodes = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in nodes and edge.target in nodes:
            _add_edge(dot, edge, nodes, on_the_way(edge.id, badges), is_labelled=edge.id in labelled)
    for upper, lower in below_loops(graph):
        dot.edge(encode_id(upper), encode_id(lower), style="invis")
    # At the end: boxes inherit what stands before them.
    dot.attr(None, **legend(colouring))
    return str(dot.source)


class _Members:
    """What is directly inside of each group, in the graph's order."""

    def __init__(self, graph: Graph) -> None:
        self.nodes: dict[str | None, list[Node]] = defaultdict(list)
        self.groups: dict[str | None, list[Group]] = defaultdict(list)
        for node in graph.nodes:
            self.nodes[node.group].append(node)
        for group in graph.groups:
            self.groups[group.parent].append(group)


def _add_members(
    dot: graphviz.Digraph,
    group_id: str | None,
    members: _Members,
    node_data: Mapping[str, NodeData],
    *,
    colouring: Colouring | None,
    badges: Badges,
) -> None:
    for node in members.nodes[group_id]:
        data = node_data.get(node.id, _NOTHING)
        attributes = _card_attributes(node, data) if node.kind == "module" else _small_attributes(node, data)
        finished = coloured(badged(attributes, node.id, badges), node.id, colouring)
        dot.node(encode_id(node.id), id=encode_id(node.id), **finished)
    for group in members.groups[group_id]:
        with dot.subgraph(name=CLUSTER_PREFIX + encode_id(group.id)) as cluster:
            attributes = _cluster_attributes(group, node_data.get(group.id, _NOTHING))
            cluster.attr(**coloured(badged(attributes, group.id, badges), group.id, colouring))
            _add_members(cluster, group.id, members, node_data, colouring=colouring, badges=badges)


def _card_attributes(node: Node, data: NodeData) -> dict[str, str]:
    kinds = "hv-node hv-module hv-foldable" if node.is_foldable else "hv-node hv-module"
    return {
        "label": card_label(node, data),
        "tooltip": _tooltip(hover_text(_title(node, node.type_name, _call_shown(node)), data)),
        "shape": "box",
        "margin": "0.11,0.07",
        "peripheries": "2" if node.is_foldable else "1",
        **_look("module", kinds, data),
    }


def _cluster_attributes(group: Group, data: NodeData) -> dict[str, str]:
    return {
        "id": encode_id(group.id),
        "label": group_label(group, data),
        "labeljust": "l",
        "margin": f"{SIZES.group_margin}",
        "tooltip": _tooltip(hover_text(_title(group, group.type_name, _call_shown(group)), data)),
        **_look("group", "hv-group", data),
    }


def _small_attributes(node: Node, data: NodeData) -> dict[str, str]:
    is_oval = node.kind == "op"
    # The text must stay inside of the oval, which is narrower above and below its middle.
    width = small_width(node) / 0.86 + 12 if is_oval else small_width(node) + 18
    height = 20 if is_oval else 24
    size = {
        "fixedsize": "true",
        "width": f"{max(width, 34) / _POINTS_PER_INCH:.4f}",
        "height": f"{height / _POINTS_PER_INCH:.4f}",
    }
    more = "in place" if node.in_place else node.kind
    kinds = f"hv-node hv-{node.kind}" + (f" {TROUBLED}" if data.trouble else "")
    return {
        **small_label(node, data),
        "tooltip": _tooltip(hover_text(_title(node, more), data)),
        "shape": "ellipse" if is_oval else "box",
        **({"margin": "0.08,0.05"} if node.pills else size),
        **_look(node.kind, kinds, data, is_rounded=node.kind in {"input", "output"}),
    }


def _look(kind: str, kinds: str, data: NodeData, *, is_rounded: bool = True) -> dict[str, str]:
    has_trouble = bool(live_text(data).trouble)
    look = look_of(kind, data.state, has_trouble=has_trouble)
    styles = ["rounded"] * is_rounded + ["filled"] + ["dashed"] * look.is_dashed
    return {
        "class": f"{kinds} hv-{data.state}",
        "style": ",".join(styles),
        "color": look.border,
        "fillcolor": look.fill,
        "penwidth": f"{SIZES.border:g}",
    }


def _add_edge(
    dot: graphviz.Digraph, edge: Edge, nodes: Mapping[str, Node], look: Mapping[str, str], *, is_labelled: bool
) -> None:
    attributes: dict[str, Any] = {"style": "invis"}
    if edge.kind == "flow":
        shape = shape_text(edge.shape)
        source = nodes[edge.source]
        way = f"{short_name(source)} → {short_name(nodes[edge.target])}"
        given = "" if source.shape in {None, edge.shape} else f"{shape_text(source.shape)} → "
        tooltip = _tooltip(f"{way} · {given}{shape}" if shape else way)
        attributes = {"class": "hv-edge", "tooltip": tooltip, **look}
        if is_labelled:
            attributes |= {"label": f"{_LABEL_GAP}{shape}{_LABEL_GAP}", "labeltooltip": tooltip}
    dot.edge(encode_id(edge.source), encode_id(edge.target), **attributes)


def _labelled_edges(graph: Graph) -> set[str]:
    """Ids of the edges that show their shape: where it changed, and once for each node that it leaves."""
    entering: dict[str, set[tuple[int, ...] | None]] = defaultdict(set)
    for edge in graph.edges:
        entering[edge.target].add(edge.shape)
    labelled = set()
    for edge in graph.edges:
        shown = entering[edge.source]
        if edge.kind == "flow" and edge.shape is not None and edge.shape not in shown:
            labelled.add(edge.id)
            shown.add(edge.shape)
    return labelled


def _title(item: Node | Group, *more: str) -> str:
    name = item.path if isinstance(item, Group) or item.kind == "module" else item.name
    parts = (visible(part) for part in (name or item.name or "(unnamed)", *more) if part)
    return shorten(" · ".join(parts), HOVER_COLUMNS)


def _call_shown(item: Node | Group) -> str:
    return f"last of {item.calls} calls" if item.calls > 1 else ""


def _tooltip(text: str) -> str:
    # Graphviz takes escapes out of these tooltips twice, of labels and of the tooltips of cells once.
    return escaped(text).replace("\\", r"\\").replace("\n", r"\n")
