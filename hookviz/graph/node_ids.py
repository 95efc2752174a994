"""Which node of the picture each node of a flow becomes."""

from collections import Counter
from collections.abc import Mapping

from hookviz.tracing.flow import Flow

CALLS = frozenset({"module", "container"})
"""Kinds of flow nodes that are calls of a module."""


def node_ids(flow: Flow) -> Mapping[int, str]:
    """Id in the picture by flow node; a container has none, as long as something is shown inside."""
    containers = {node.path for node in flow.nodes if node.kind == "container"}
    ids: dict[int, str] = {}
    ordinals: Counter[tuple[int | None, str]] = Counter()
    for node in flow.nodes:
        if node.kind == "op":
            # Counted within one call, so that the n-th call of a container has the same ids as the first.
            ids[node.id] = f"op:{node.path}:{node.label}:{ordinals[node.parent, node.label]}"
            ordinals[node.parent, node.label] += 1
        elif node.kind == "output":
            ids[node.id] = "output"
        elif node.kind not in CALLS:
            ids[node.id] = f"{node.kind}:{node.path or node.label}"
        elif node.path not in containers:
            ids[node.id] = f"module:{node.path}"
    filled = _filled(flow, ids)
    empty = (node for node in flow.nodes if node.kind in CALLS and node.path not in filled)
    return ids | {node.id: f"module:{node.path}" for node in empty}


def _filled(flow: Flow, ids: Mapping[int, str]) -> set[str]:
    """Paths of containers that have something to show inside."""
    filled: set[str] = set()
    for node in flow.nodes:
        parent = node.parent if node.id in ids else None
        while parent is not None and flow.nodes[parent].path not in filled:
            filled.add(flow.nodes[parent].path)
            parent = flow.nodes[parent].parent
    return filled
