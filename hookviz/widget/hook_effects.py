"""What the hooks at a node did, for the inspector's tab on hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookviz.capture.difference import values_text
from hookviz.errors import HookvizError
from hookviz.graph.pills import hooks_at
from hookviz.session import ModuleView
from hookviz.session.aim import intervention_of, passed_by
from hookviz.session.step import Step
from hookviz.tracing.uncalled import has_no_forward
from hookviz.widget.encoding import summary_to_wire
from hookviz.widget.hook_wire import EffectEntryWire, EffectWire, HooksTabWire, Target
from hookviz.widget.summary_wire import SummaryWire

if TYPE_CHECKING:
    from hookviz.capture.capture import Capture
    from hookviz.capture.effects import EffectEntry, HookEffect
    from hookviz.graph.graph import Graph
    from hookviz.widget.step_source import Source

PREFIX: Final = "module:"
TARGETS: Final[tuple[Target, ...]] = ("output", "input", "grad_output", "grad_input")


def hooks_tab(session: Source, graph: Graph, node_id: str, call: int) -> HooksTabWire:
    """The hooks at a node with what each did in one call of the last captured run."""
    hooks = {hook.id: hook for hook in hooks_at(node_id, graph, session.hooks)}
    view = module_at(session, node_id)
    path = node_id.removeprefix(PREFIX)
    return {
        "node_id": node_id,
        "call": call,
        "hook_ids": list(hooks),
        "effects": [
            _effect_to_wire(effect, passed_by(intervention_of(hooks[effect.hook_id]), effect))
            for effect in session.effects()
            # Hooks of modules that are folded into the node have calls of their own.
            if effect.hook_id in hooks and (effect.call in (None, call) or effect.path != path)
        ],
        "targets": [] if view is None or has_no_forward(view.module) else list(TARGETS),
        "replacements": [] if view is None else list(replacements(session, view)),
    }


def module_at(session: Source, node_id: str) -> ModuleView | None:
    """The module that a node stands for, None for other nodes."""
    if not node_id.startswith(PREFIX):
        return None
    try:
        view = session[node_id.removeprefix(PREFIX)]
    except HookvizError:
        return None
    return view if isinstance(view, ModuleView) else None


def replacements(session: Source, view: ModuleView) -> dict[str, Capture]:
    """Outputs of the module that were kept and can be put in the place of later ones, by their run: ``run 12``."""
    run = session.run
    if isinstance(session, Step) and not session.is_newest:
        return {}
    captures = [] if run is None or not view.calls else list(view.calls[-1].output_captures)
    if run is None or len(captures) != 1 or captures[0] is None or not captures[0].is_kept:
        return {}
    return {f"run {run.step}": captures[0]}


def _effect_to_wire(effect: HookEffect, why_left: str) -> EffectWire:
    return {
        "hook_id": effect.hook_id,
        "order": effect.order,
        "outcome": "did not act" if why_left else effect.outcome,
        "text": why_left or effect.text,
        "entries": [_entry_to_wire(entry) for entry in effect.entries],
    }


def _entry_to_wire(entry: EffectEntry) -> EffectEntryWire:
    notes = [capture.note for capture in (entry.before, entry.after) if capture is not None]
    return {
        "label": entry.label,
        "before": _summary(entry.before),
        "after": _summary(entry.after),
        "before_values": entry.before_text if entry.before is None else values_text(entry.before),
        "after_values": entry.after_text if entry.after is None else values_text(entry.after),
        "difference": entry.difference,
        "note": " · ".join(dict.fromkeys(note for note in (entry.note, *notes) if note)),
    }


def _summary(capture: Capture | None) -> SummaryWire | None:
    return None if capture is None else summary_to_wire(capture.summary)
