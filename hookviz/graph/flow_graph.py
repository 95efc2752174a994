"""Turns the calls of a run into nodes: a module that was called n times is one node."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from torch import nn

from hookviz.graph.detail import module_detail, parameter_detail
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.graph.places import Places, box_id
from hookviz.tracing.flow import Flow, FlowNode

_CALLS = frozenset({"module", "container"})


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
        self._ids = self._node_ids()

    def graph(self, title: str) -> Graph:
        """The graph with everything unfolded."""
        members: defaultdict[str, list[FlowNode]] = defaultdict(list)
        for call in self._flow.nodes:
            if call.id in self._ids:
                members[self._ids[call.id]].append(call)
        nodes = [self._node(node_id, calls) for node_id, calls in members.items()]
        return Graph(title, tuple(nodes), self._groups(nodes), self._edges(), is_traced=True)

    def _node_ids(self) -> dict[int, str]:
        """Ids by flow node; a container has none, as long as something is shown inside."""
        ids: dict[int, str] = {}
        ordinals: Counter[tuple[int | None, str]] = Counter()
        for node in self._flow.nodes:
            if node.kind == "op":
                # Counted within one call, so that the n-th call of a container has the same ids as the first.
                ids[node.id] = f"op:{node.path}:{node.label}:{ordinals[node.parent, node.label]}"
                ordinals[node.parent, node.label] += 1
            elif node.kind == "output":
                ids[node.id] = "output"
            elif node.kind not in _CALLS:
                ids[node.id] = f"{node.kind}:{node.path or node.label}"
            elif node.path not in self._containers:
                ids[node.id] = f"module:{node.path}"
        filled = self._filled(ids)
        empty = (node for node in self._flow.nodes if node.kind in _CALLS and node.path not in filled)
        return ids | {node.id: f"module:{node.path}" for node in empty}

    def _filled(self, ids: dict[int, str]) -> set[str]:
        """Paths of containers that have something to show inside."""
        filled: set[str] = set()
        for node in self._flow.nodes:
            parent = node.parent if node.id in ids else None
            while parent is not None and self._flow.nodes[parent].path not in filled:
                filled.add(self._flow.nodes[parent].path)
                parent = self._flow.nodes[parent].parent
        return filled

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
        )

    def _groups(self, nodes: list[Node]) -> tuple[Group, ...]:
        """The boxes around these nodes, each after those around it."""
        calls = Counter(node.path for node in self._flow.nodes if node.kind in _CALLS)
        groups: dict[str, Group] = {}
        for node in nodes:
            innermost = node.group.removeprefix("module:") if node.group is not None else ""
            for path in self._places.boxes(innermost):
                if path not in groups:
                    type_name = self._containers.get(path) or type(self._modules[path]).__name__
                    groups[path] = self._places.group(path, type_name, calls=calls[path])
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
