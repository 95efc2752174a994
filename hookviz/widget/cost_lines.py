"""What a call took, as the inspector says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from hookviz.capture.cost import Costs
from hookviz.graph.colour_by import bytes_text, seconds_text

if TYPE_CHECKING:
    from hookviz.capture.call import ModuleCall
    from hookviz.capture.run import Run

UNKNOWN: Final = "–"


class CostLineWire(TypedDict):
    """One thing that a call took."""

    label: str
    """``forward``, ``backward``, ``activations``."""
    text: str
    note: str
    """Why it is not known, or what it is."""


def cost_lines(run: Run, call: ModuleCall) -> list[CostLineWire]:
    """What a call of this run took; of a past run that was thinned as well."""
    cost = Costs(run).of_calls([call])
    activations = UNKNOWN if cost.activation_bytes is None else bytes_text(cost.activation_bytes)
    return [
        CostLineWire(
            label="forward",
            text=_time(cost.forward_seconds, cost.forward_own_seconds),
            note=cost.forward_note or "wall-clock time of this call, without what capturing took",
        ),
        CostLineWire(
            label="backward",
            text=_time(cost.backward_seconds, cost.backward_own_seconds),
            note=cost.backward_note or "wall-clock time of its part of the backward pass, without what capturing took",
        ),
        CostLineWire(
            label="activations",
            text=activations,
            note="bytes of what it and the modules inside returned, without views and what was handed on"
            if cost.activation_bytes is not None
            else "outputs are not captured",
        ),
    ]


def _time(seconds: float | None, own: float | None) -> str:
    if seconds is None:
        return UNKNOWN
    is_shared = own is not None and own < 0.995 * seconds
    return seconds_text(seconds) + (f" (own {seconds_text(own)})" if own is not None and is_shared else "")
