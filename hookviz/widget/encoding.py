"""The records of the other parts, as they cross to the browser."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import cast

from hookviz.capture.summary import TensorSummary
from hookviz.diagram.direction import Direction
from hookviz.graph.collapse import max_depth
from hookviz.graph.graph import Graph, Node, Pill
from hookviz.graph.node_data import NodeData
from hookviz.hooks.shape_text import shape_text
from hookviz.widget.graph_wire import EdgeWire, GraphWire, GroupWire, NodeDataWire, NodeWire
from hookviz.widget.hook_wire import PillWire
from hookviz.widget.summary_wire import HistogramWire, SummaryWire


def graph_to_wire(
    graph: Graph, deepest: int, depth: int | None = None, direction: Direction = "TB", *, leads_back: bool = False
) -> GraphWire:
    """The visible graph; ``deepest`` is the depth of the whole one, ``depth`` the one that was asked for.

    Edges that only hold the layout stay behind.
    """
    return {
        "title": graph.title,
        "nodes": [_node_to_wire(node) for node in graph.nodes],
        "groups": [
            GroupWire(
                id=group.id,
                path=group.path,
                name=group.name,
                type_name=group.type_name,
                parent=group.parent,
                calls=group.calls,
                pills=_pills_to_wire(group.pills),
            )
            for group in graph.groups
        ],
        "edges": [
            EdgeWire(id=edge.id, source=edge.source, target=edge.target, shape=shape_text(edge.shape))
            for edge in graph.edges
            if edge.kind == "flow"
        ],
        "is_traced": graph.is_traced,
        "depth": max_depth(graph) if depth is None else depth,
        "max_depth": deepest,
        "direction": direction,
        "leads_back": leads_back,
    }


def _node_to_wire(node: Node) -> NodeWire:
    fields = asdict(node)
    # The inspector has the shape of each tensor.
    del fields["shape"]
    fields["pills"] = _pills_to_wire(node.pills)
    fields["members"] = list(node.members)
    return cast(NodeWire, fields)


def _pills_to_wire(pills: Iterable[Pill]) -> list[PillWire]:
    return [PillWire(hook_ids=list(pill.hook_ids), text=pill.text, side=pill.side, title=pill.title) for pill in pills]


def node_data_to_wire(node_data: Mapping[str, NodeData]) -> dict[str, NodeDataWire]:
    """The live lines of all cards, by node or group id."""
    return {
        node_id: NodeDataWire(
            state=data.state,
            spark=data.spark,
            value=data.value,
            gradient=data.gradient,
            trouble=data.trouble,
            note=data.note,
        )
        for node_id, data in node_data.items()
    }


def summary_to_wire(summary: TensorSummary) -> SummaryWire:
    """Statistics in numbers that JSON can carry."""
    histogram = summary.histogram
    notes = [summary.note, "zeros are estimated from a sample" if summary.zeros_sampled else ""]
    return {
        "shape": list(summary.shape),
        "dtype": summary.dtype,
        "device": summary.device,
        "mean": number_to_wire(summary.mean),
        "std": number_to_wire(summary.std),
        "min": number_to_wire(summary.min),
        "max": number_to_wire(summary.max),
        "norm": number_to_wire(summary.norm),
        "zeros": summary.zeros,
        "nans": summary.nans,
        "infs": summary.infs,
        "numel": summary.numel,
        "histogram": None
        if histogram is None
        else HistogramWire(
            low=histogram.low,
            high=histogram.high,
            counts=list(histogram.counts),
            sampled=histogram.sampled,
            of=histogram.of,
        ),
        "note": " · ".join(note for note in notes if note),
    }


def number_to_wire(value: float | None) -> float | str | None:
    """A number, or ``nan``, ``inf`` or ``-inf`` as text: JSON has none of them."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
