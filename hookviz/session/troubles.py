"""What is wrong in a run: on which card, and in one line for the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.not_finite import is_not_finite
from hookviz.capture.run import Run
from hookviz.graph.gradient_origin import gradient_origin_of
from hookviz.graph.graph import Graph
from hookviz.graph.origin import Origin, origin_of
from hookviz.graph.verdict import card_words, node_troubles
from hookviz.tracing.flow import Flow


class Troubles:
    """The NaNs and infinities of one run, each with where it came from."""

    def __init__(self, run: Run) -> None:
        # Not the run itself, whose tensors would live as long as what is said of them.
        self._flow = run.flow
        self._value = origin_of(run)
        self._gradient = gradient_origin_of(run)

    @property
    def first(self) -> Origin | None:
        """The one to look at first: gradients are not finite behind values that are not."""
        return self._value or self._gradient

    def at(self, call: ModuleCall, path: str) -> str:
        """What the card of a call says: ``NaN 12 of 80 · made here``, empty if all is finite."""
        counts = _counts(call.output_captures)
        if counts:
            return counts + _suffix(self._value, call, path)
        counts = _counts(call.output_gradients())
        if not counts:
            return ""
        # Behind a value that is not finite, where a gradient became so is no news.
        return f"gradient {counts}" + _suffix(self._gradient if self._value is None else None, call, path)

    def at_nodes(self, graph: Graph) -> Mapping[str, str]:
        """What operations, inputs and parameters of a graph say that may have made the first one, by id."""
        if self.first is None or not isinstance(self._flow, Flow):
            return {}
        troubles = node_troubles(self.first, self._flow)
        return {node.id: troubles[node.id] for node in graph.nodes if node.id in troubles}


def _suffix(origin: Origin | None, call: ModuleCall, path: str) -> str:
    if origin is None:
        return ""
    if call is origin.call:
        return f" · {card_words(origin)}"
    return " · made inside" if origin.is_made_inside(path) else ""


def _counts(captures: Sequence[Capture | None]) -> str:
    if not any(map(is_not_finite, captures)):
        return ""
    seen = [capture.moments for capture in captures if capture is not None]
    nans, infs = sum(moments.nans or 0 for moments in seen), sum(moments.infs or 0 for moments in seen)
    counts = " · ".join(f"{name} {count:,}" for name, count in (("NaN", nans), ("Inf", infs)) if count)
    return f"{counts} of {sum(moments.numel for moments in seen):,}" if counts else ""
