"""Turns the calls of a run into nodes: a module that was called n times is one node."""

from collections import defaultdict
from collections.abc import Mapping

from torch import nn

from hookviz.graph.detail import module_detail, parameter_detail
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.graph.node_ids import CALLS, node_ids
from hookviz.graph.places import Places, box_id
from hookviz.tracing.flow import Flow, FlowNode


class FlowGraph:
    """The calls of a flow, merged by what they are calls of.

    Args:
        modules: The model's modules by path.
        flow: Its last known flow.
    """

    def __init__(self, modules: Mapping[str, nn.Module], flow: Flow) -> None:
        self._modules = modules
        self._flow = flow
        self._containers = {node.path: node.label for node in flow.nodes if node.kind == "container"}
        self._places = Places(
            modules, {node.path for node in flow.nodes if node.kind == "module"} - self._containers.keys()
        )
        self._ids = node_ids(flow)

    def graph(self, title: str) -> Graph:
        """The graph with everything unfolded."""
        members: defaultdict[str, list[FlowNode]] = defaultdict(list)
        for call in self._flow.nodes:
            if call.id in self._ids:
                members[self._ids[call.id]].append(call)
        nodes = [self._node(node_id, calls) for node_id, calls in members.items()]
        return Graph(title, tuple(nodes), self._groups(nodes), self._edges(), is_traced=True)

    def _node(self, node_id: str, calls: list[FlowNode]) -> Node:
        first = calls[0]
        match first.kind:
            case "module" | "container":
                return self._card(calls)
            case "parameter":
                owner, _, name = first.path.rpartition(".")
                detail = parameter_detail(self._modules[owner], name) if owner in self._modules else ""
            case _:
                detail = ""
        return Node(
            node_id,
            first.kind,
            first.path,
            first.label,
            detail=detail,
            group=box_id(self._flow.nodes[first.parent].path) if first.parent is not None else None,
            calls=len(calls) if first.kind == "op" else 1,
            in_place=any(call.in_place for call in calls),
            shape=_shape(calls),
        )

    def _card(self, calls: list[FlowNode]) -> Node:
        path = calls[0].path
        module = self._modules.get(path)
        return self._places.card(
            path,
            calls[0].label,
            detail=module_detail(module) if module is not None else "",
            calls=len(calls),
            in_place=any(call.in_place for call in calls),
            passes_through=all(call.passes_through for call in calls),
            shape=_shape(calls),
        )

    def _groups(self, nodes: list[Node]) -> tuple[Group, ...]:
        """The boxes around these nodes, each after those around it."""
        calls: defaultdict[str, list[FlowNode]] = defaultdict(list)
        for node in self._flow.nodes:
            if node.kind in CALLS:
                calls[node.path].append(node)
        groups: dict[str, Group] = {}
        for card in nodes:
            innermost = card.group.removeprefix("module:") if card.group is not None else ""
            for path in self._places.boxes(innermost):
                if path not in groups:
                    # Of a past run, a list of modules may be gone by now, and was never called itself.
                    registered = "" if path not in self._modules else type(self._modules[path]).__name__
                    type_name = self._containers.get(path) or registered
                    groups[path] = self._places.group(
                        path, type_name, calls=len(calls[path]), shape=_shape(calls[path])
                    )
        return tuple(groups.values())

    def _edges(self) -> tuple[Edge, ...]:
        """Edges between nodes; an edge into a call without a node of its own goes on to where its data went."""
        fed: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for edge in self._flow.edges:
            fed[edge.target].append((edge.source, edge.shape))
        edges: dict[str, Edge] = {}
        real: dict[int, set[int]] = {}
        for target in sorted(fed):
            real[target] = set()
            for source, shape in fed[target]:
                origins = {source} if source in self._ids else real.get(source, set())
                real[target] |= origins
                for origin in sorted(origins) if target in self._ids else ():
                    start, end = self._ids[origin], self._ids[target]
                    edges.setdefault(f"{start}->{end}", Edge(f"{start}->{end}", start, end, shape))
        return tuple(edges.values())


def _shape(calls: list[FlowNode]) -> tuple[int, ...] | None:
    """What the last call gave; it is the one whose values are shown."""
    return calls[-1].shape if calls else None
