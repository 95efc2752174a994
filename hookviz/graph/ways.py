"""The ways of data in a run, walked back or forth from one call to the next ones that are known to be sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from hookviz.capture.call import ModuleCall
from hookviz.capture.run import Run
from hookviz.graph.node_ids import CALLS
from hookviz.tracing.flow import Flow, FlowNode

IsSound = Callable[[ModuleCall], bool]


class Ways:
    """A flow together with the calls of the run that it describes."""

    def __init__(self, run: Run, flow: Flow) -> None:
        self.flow = flow
        self._calls = {(call.path, call.index): call for call in run.calls}
        self._nodes = {(node.path, node.call): node for node in flow.nodes if node.kind in CALLS}
        self._into: defaultdict[int, list[int]] = defaultdict(list)
        self._out: defaultdict[int, list[int]] = defaultdict(list)
        for edge in flow.edges:
            self._into[edge.target].append(edge.source)
            self._out[edge.source].append(edge.target)

    def node_of(self, call: ModuleCall) -> FlowNode | None:
        """The node of a call, None if the flow does not show it."""
        return self._nodes.get((call.path, call.index))

    def call_of(self, node: FlowNode) -> ModuleCall | None:
        """The call that a node shows, None for other kinds of nodes."""
        return self._calls.get((node.path, node.call)) if node.kind in CALLS else None

    def around(self, node: FlowNode) -> list[FlowNode]:
        """The calls in which a node happened, from the innermost."""
        found = []
        while node.parent is not None:
            node = self.flow.nodes[node.parent]
            found.append(node)
        return found

    def is_inside(self, node: FlowNode, container: FlowNode) -> bool:
        """Whether it happened within that call, or is it."""
        return node is container or container in self.around(node)

    def has_inside(self, node: FlowNode) -> bool:
        """Whether anything is shown within this call."""
        return any(other.parent == node.id for other in self.flow.nodes)

    def before(self, node: FlowNode, is_sound: IsSound) -> list[FlowNode] | None:
        """What lies between a call and the sound calls that fed it, in order; None if nothing is known to feed it."""
        starts = [source for target in self._inside(node) for source in self._outside(self._into[target], node)]
        return self._walk(starts, self._into, is_sound, node) if starts else None

    def ends_before(self, node: FlowNode, is_sound: IsSound) -> list[FlowNode]:
        """Where ``before`` ends: the sound calls, and what has nothing before it."""
        starts = [source for target in self._inside(node) for source in self._outside(self._into[target], node)]
        found = self._walk(starts, self._into, is_sound, node, with_sound=True)
        return [other for other in found if other.kind != "op" or self._is_stop(other, is_sound, node)]

    def within(self, node: FlowNode, is_sound: IsSound) -> list[FlowNode]:
        """What a container's own forward made out of what its sound children gave, in order."""
        starts = [source for source in self._inside(node) if self._outside(self._out[source], node)]
        return [found for found in self._walk(starts, self._into, is_sound, node) if self.is_inside(found, node)]

    def after(self, node: FlowNode, is_sound: IsSound) -> list[FlowNode]:
        """What lies between a call and the sound calls that its output reached, these included, in order."""
        starts = [target for source in self._inside(node) for target in self._outside(self._out[source], node)]
        return self._walk(starts, self._out, is_sound, node, with_sound=True)

    def next_to(self, node: FlowNode) -> set[int]:
        """Ids of the nodes that a call's output entered, with nothing in between."""
        return {target for source in self._inside(node) for target in self._outside(self._out[source], node)}

    def _inside(self, container: FlowNode) -> list[int]:
        return [node.id for node in self.flow.nodes[container.id :] if self.is_inside(node, container)]

    def _outside(self, ids: Iterable[int], container: FlowNode) -> list[int]:
        return [found for found in ids if not self.is_inside(self.flow.nodes[found], container)]

    def _walk(
        self,
        starts: list[int],
        ways: dict[int, list[int]],
        is_sound: IsSound,
        goal: FlowNode,
        *,
        with_sound: bool = False,
    ) -> list[FlowNode]:
        seen: set[int] = set()
        found: list[FlowNode] = []
        waiting = list(starts)
        while waiting:
            node = self.flow.nodes[waiting.pop()]
            if node.id in seen:
                continue
            seen.add(node.id)
            is_stop = self._is_stop(node, is_sound, goal)
            if not is_stop or with_sound:
                found.append(node)
            # Through an integer or a truth value nothing travels that is not finite.
            if not is_stop and node.kind == "op" and (any(node.is_fractional) or not node.is_fractional):
                waiting += ways[node.id]
        return sorted(found, key=lambda node: node.id)

    def _is_stop(self, node: FlowNode, is_sound: IsSound, goal: FlowNode) -> bool:
        """Whether it is a sound call, or within one that gave nothing but sound values."""
        calls = (self.call_of(other) for other in (node, *self.around(node)) if not self.is_inside(goal, other))
        return any(call is not None and is_sound(call) for call in calls)
