"""Where the first NaN or infinity of a run was made, as far as the run tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hookviz.capture.call import ModuleCall
from hookviz.capture.not_finite import KINDS, NotFiniteKind, holds, is_known_finite, is_not_finite
from hookviz.capture.run import Run
from hookviz.graph.node_ids import CALLS
from hookviz.graph.ways import IsSound, Ways
from hookviz.tracing.flow import Flow, FlowNode

_BOUNDED = frozenset(
    {
        *("abs", "neg", "sign", "ceil", "floor", "round", "amax", "amin", "sort", "flip", "roll", "repeat"),
        *("relu", "relu6", "leaky_relu", "hardtanh", "tanh", "sigmoid", "erf"),
    }
)
_NEVER_MAKE: Final[Mapping[NotFiniteKind, frozenset[str]]] = {"Inf": _BOUNDED, "NaN": _BOUNDED | {"exp", "square"}}
"""Operations of one tensor that give this only where they are given it; of exp(inf) and inf * inf none is a NaN."""

Verdict = Literal["here", "inside", "before", "held", "unknown", "loss", "after"]
"""``here``: by the module, as far as can be seen into it. ``inside``: by operations of its own forward.
``before``: its input was so already. ``held``: its own parameter is so. ``unknown``: here or before.
Of gradients ``loss``: it came in from outside of the model. ``after``: in the backward of what comes next."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The first call at which a value, or a gradient, was not finite, and who made it so."""

    kind: NotFiniteKind
    call: ModuleCall
    verdict: Verdict
    suspects: tuple[FlowNode, ...] = ()
    """Nodes of the flow one of which made it: operations, inputs, parameters, calls that were not captured."""
    held: tuple[str, ...] = ()
    """Names of the module's parameters that are not finite."""
    is_gradient: bool = False
    came_with: NotFiniteKind | None = None
    """What its input held that is not finite, but of another kind."""
    source: Origin | None = None
    """Where that was made, as far as it is known."""
    after: str | None = None
    """Path of the one call behind which it was made before it entered ``call``, where there is just one."""

    def is_made_inside(self, path: str) -> bool:
        """Whether it was made somewhere within the container at this path."""
        if self.verdict in {"unknown", "loss", "after"} or self.call.path == path:
            return False
        ops = [node.path for node in self.suspects]
        if any(node.kind != "op" for node in self.suspects) or (self.verdict == "before" and not ops):
            return False
        return all(place == path or place.startswith(f"{path}.") for place in ops or [self.call.path])


def origin_of(run: Run) -> Origin | None:
    """Where the first NaN of a run came from, or else the first infinity; None if all values were finite.

    Calls are asked in the order in which they returned, so that a container is never taken for
    what was made inside of it.
    """
    run.settle()
    # Seldom one at all, which is asked of thousands of calls.
    returned = [call for call in run.returned() if any(map(is_not_finite, call.output_captures))]
    for kind in KINDS:
        for call in returned:
            if any(holds(capture, kind) for capture in call.output_captures):
                return _explained(run, call, kind)
    return None


def _explained(run: Run, call: ModuleCall, kind: NotFiniteKind) -> Origin:
    witness = call.witness
    had = None if witness is None else witness.had(kind)
    held = () if witness is None else tuple(name for name, kinds in witness.parameters if kind in kinds)
    came_with = None
    if kind == "NaN" and had is False and witness is not None and witness.had("Inf"):
        came_with = KINDS[1]
    ways = Ways(run, run.flow) if isinstance(run.flow, Flow) else None
    node = ways.node_of(call) if ways is not None else None
    source = _infinity_before(run, ways, node, call) if came_with and ways is not None and node is not None else None
    if had:
        before = _before(run, ways, node, call, kind) if ways is not None and node is not None else None
        return Origin(kind, call, "before", tuple(before or ()))
    if held:
        return Origin(kind, call, "held", held=held)
    if ways is None or node is None:
        return Origin(kind, call, "unknown" if had is None else "here", came_with=came_with, source=source)
    if ways.has_inside(node):
        own = _possible(run, ways, ways.within(node, _sound_before(call, kind)), kind)
        if own:
            return Origin(kind, call, "inside", tuple(own), came_with=came_with, source=source)
    if had is False:
        return Origin(kind, call, "here", came_with=came_with, source=source)
    before = _before(run, ways, node, call, kind)
    return Origin(kind, call, "here" if before == [] else "unknown", tuple(before or ()))


def _infinity_before(run: Run, ways: Ways, node: FlowNode, call: ModuleCall) -> Origin | None:
    """Where the infinity was made that entered a call; None if that is not known."""
    suspects = _before(run, ways, node, call, "Inf")
    if not suspects:
        return None
    given = [inner for other in suspects if (inner := ways.call_of(other)) is not None and _gave(inner, "Inf", call)]
    if not given:
        return Origin("Inf", call, "before", tuple(suspects), after=_behind(ways, node, call))
    first = min(given, key=lambda inner: inner.returned)
    had = None if first.witness is None else first.witness.had("Inf")
    its_node = ways.node_of(first)
    if its_node is not None and had is not False:
        further = _infinity_before(run, ways, its_node, first)
        # Of a call that was not looked into, only what others gave tells that it did not make it itself.
        if further is not None and (had or further.call is not first):
            return further
    return _explained(run, first, "Inf")


def _gave(call: ModuleCall, kind: NotFiniteKind, later: ModuleCall) -> bool:
    return 0 <= call.returned < later.returned and any(holds(capture, kind) for capture in call.output_captures)


def _behind(ways: Ways, node: FlowNode, call: ModuleCall) -> str | None:
    """The one call on whose finite output all depends that entered this one."""
    ends = ways.ends_before(node, _sound_before(call, "Inf"))
    return ends[0].path if len(ends) == 1 and ends[0].kind in CALLS else None


def _before(run: Run, ways: Ways, node: FlowNode, call: ModuleCall, kind: NotFiniteKind) -> list[FlowNode] | None:
    """What can have made it before it entered this call; None if nothing is known of the way to it."""
    found = ways.before(node, _sound_before(call, kind))
    if found is None:
        return None
    for outer in ways.around(node):
        around = ways.call_of(outer)
        if around is not None and around.witness is not None and around.witness.had(kind) is False:
            found = [other for other in found if other.kind == "parameter" or ways.is_inside(other, outer)]
            break
    return _possible(run, ways, found, kind)


def _possible(run: Run, ways: Ways, found: list[FlowNode], kind: NotFiniteKind) -> list[FlowNode]:
    """Those that can have made it; just those that are known to hold it, if there are such."""
    found = [node for node in found if not _is_innocent(run, ways.flow, node)]
    able = [node for node in found if not (node.kind == "op" and node.label in _NEVER_MAKE[kind])]
    states = [(node, _is_guilty(run, ways, node, kind)) for node in able or found]
    return [node for node, guilty in states if guilty] or [node for node, guilty in states if guilty is None]


def _is_innocent(run: Run, flow: Flow, node: FlowNode) -> bool:
    """Whether an operation gave numbers that cannot be other than finite, or that the run returned and were."""
    if node.kind != "op" or not node.is_fractional:
        return False
    if not any(node.is_fractional):
        return True
    captures = run.calls[0].output_captures
    if len(node.is_fractional) > 1 or len(captures) != len(flow.returned):
        return False
    # As many numbers as it made: a slice of them tells nothing of the others.
    return any(
        given.sources == (node.id,) and given.shape == node.shape and is_known_finite(capture)
        for given, capture in zip(flow.returned, captures, strict=True)
    )


def _is_guilty(run: Run, ways: Ways, node: FlowNode, kind: NotFiniteKind) -> bool | None:
    if node.kind == "input":
        witness = run.calls[0].witness
        if witness is None:
            return None
        inputs = [other for other in ways.flow.nodes if other.kind == "input"]
        if len(inputs) != len(witness.inputs):
            return witness.had(kind) and (True if len(inputs) == 1 else None)
        kinds = witness.inputs[inputs.index(node)]
        return None if kinds is None else kind in kinds
    if node.kind == "parameter":
        owner, _, name = node.path.rpartition(".")
        known = [call.witness for call in run.calls if call.path == owner and call.witness is not None]
        return any(name == held and kind in kinds for held, kinds in known[0].parameters) if known else None
    return None


def _sound_before(call: ModuleCall, kind: NotFiniteKind) -> IsSound:
    def is_sound(other: ModuleCall) -> bool:
        captures = other.output_captures
        if not 0 <= other.returned < call.returned or not captures:
            return False
        return all(capture is not None and not holds(capture, kind) for capture in captures)

    return is_sound
