"""What the last captured run tells of each hook: how often it ran and what it did, or why it has not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hookviz.capture.call import GRADIENTS_OFF, NO_BACKWARD, ModuleCall
from hookviz.capture.difference import kind_difference, values_text
from hookviz.capture.effects import EffectEntry, HookEffect, Outcome
from hookviz.capture.leaves import ListParts
from hookviz.hooks.discovery import LOOSE
from hookviz.hooks.seam import is_compiled
from hookviz.session.aim import intervention_of, missed_call, passed_by, why_without_gradient
from hookviz.tracing.uncalled import NOT_CALLED

if TYPE_CHECKING:
    import torch

    from hookviz.capture.run import Run
    from hookviz.hooks.hook import Hook, HookKind
    from hookviz.hooks.intervening import InterventionHook
    from hookviz.session.reasons import Reasons

OUTSIDE: Final[Mapping[HookKind, str]] = {
    "grad_accumulator": "not counted: it hangs on a node of the autograd graph",
    "parametrization": "not counted: it runs whenever the parameter is read",
    "patched_forward": "not counted: it is the module's forward",
    "global_forward_pre": "not counted: it runs for every module",
    "global_forward": "not counted: it runs for every module",
    "global_backward_pre": "not counted: it runs for every module",
    "global_backward": "not counted: it runs for every module",
    "state_dict_pre": "runs when state_dict() is called",
    "state_dict": "runs when state_dict() is called",
    "load_state_dict_pre": "runs when load_state_dict() is called",
    "load_state_dict_post": "runs when load_state_dict() is called",
    "global_register_parameter": "runs when modules are built",
    "global_register_buffer": "runs when modules are built",
    "global_register_module": "runs when modules are built",
}
"""What is said of kinds that are not watched in a run."""

NO_RUN: Final = "no run yet"
GONE: Final = "removed: it is not on the model any more"
OFF: Final = "switched off"
LATER: Final = "put on the model, or switched on, after the shown run: it runs in the next one"
MIXED: Final = "not told: runs in other threads at the same time share the hooks of backward"
NOT_IN_LOSS: Final = "no gradient arrived here: this branch is not in the loss"
NOT_SEEN: Final = f"{NOT_CALLED}, as far as is seen: .forward() skips hooks, compiled code hides them"
FROZEN: Final = "parameter frozen: it does not require grad"
NO_INPUT_GRADIENT: Final = "grad_input is None: input does not require grad"


@dataclass(frozen=True, slots=True)
class HookReport:
    """What one hook did in the last captured run and its backward passes."""

    fired: int
    """How often it ran."""
    outcome: Outcome | Literal["", "did not act"]
    """What it did when it ran last, an intervention on one call then; empty if it has not run."""
    note: str
    """One line: what became of the value, ``(1.5, 0.5) → (0.75, 0.25)``, or why it has not run yet."""


class HookReports:
    """Knows the last captured run, and how the session stands.

    Args:
        run: The run, None before the first.
        reasons: Why modules have no call.
        tensor_at: The parameter or buffer at a path, None if there is none.
        caution: What the author of a written hook may not have meant with it; else empty.
    """

    def __init__(
        self,
        run: Run | None,
        reasons: Reasons,
        tensor_at: Callable[[str], torch.Tensor | None],
        caution: Callable[[Hook], str],
    ) -> None:
        self._run = run
        self._reasons = reasons
        self._tensor_at = tensor_at
        self._caution = caution
        effects = () if run is None else tuple(run.effects)
        self._last = {effect.hook_id: effect for effect in effects}
        self._in_call = {(effect.hook_id, effect.call): effect for effect in effects}

    def of(self, hook: Hook, *, with_values: bool = True) -> HookReport:
        """The report of a hook; with_values=False leaves values out, which take time where hooks are many."""
        intervention = intervention_of(hook)
        effect = self._last.get(hook.id)
        if effect is None or self._run is None:
            return HookReport(0, "", GONE if hook.is_gone else self._why_not(hook))
        fired = self._run.effects.fired[hook.id]
        if passed_by(intervention, effect) and intervention is not None:
            # It was called, as PyTorch calls all hooks, in a call that it leaves alone.
            missed = missed_call(intervention, self._calls(hook))
            effect = self._in_call.get((hook.id, intervention.call), effect)
            if missed or passed_by(intervention, effect):
                return HookReport(fired, "did not act", missed or passed_by(intervention, effect))
        notes = (_what_it_did(effect, with_values=with_values), self._caution(hook))
        return HookReport(fired, effect.outcome, "; ".join(filter(None, notes)))

    def _calls(self, hook: Hook) -> list[ModuleCall]:
        module = self._reasons.index.find(hook.path)
        return [] if module is None or self._run is None else self._run.of_module(id(module))

    def _why_not(self, hook: Hook) -> str:
        if hook.kind in OUTSIDE:
            return OUTSIDE[hook.kind]
        if not hook.enabled:
            return OFF
        if self._run is None:
            return NO_RUN
        if self._run.overlaps and (hook.kind in ("tensor", "post_accumulate_grad") or acts_in_backward(hook)):
            return MIXED
        if hook.kind in ("tensor", "post_accumulate_grad"):
            return self._why_not_on_tensor(self._run, hook)
        return self._why_not_on_module(self._run, hook)

    def _why_not_on_tensor(self, run: Run, hook: Hook) -> str:
        tensor = None if hook.path == LOOSE else self._tensor_at(hook.path)
        if tensor is not None and not tensor.requires_grad:
            return FROZEN
        if hook.id not in run.effects.watched:
            return LATER
        return NOT_IN_LOSS if _had_backward(run) else NO_BACKWARD

    def _why_not_on_module(self, run: Run, hook: Hook) -> str:
        module = self._reasons.index.find(hook.path)
        if module is not None and is_compiled(module):
            return "compiled: not observable"
        calls = self._calls(hook)
        if not calls:
            return self._why_no_call(hook.path)
        if hook.id not in run.effects.watched:
            return LATER
        if not acts_in_backward(hook):
            return _why_no_forward(calls[-1])
        intervention = intervention_of(hook)
        return _why_no_backward(run, calls[-1]) if intervention is None else _why_no_change(run, calls, intervention)

    def _why_no_call(self, path: str) -> str:
        why = self._reasons.of_uncalled(path)
        if why == NOT_CALLED:
            return NOT_SEEN
        return f"{why}, so its hooks are skipped" if why.startswith("not called") else why


def acts_in_backward(hook: Hook) -> bool:
    """Whether it waits for a gradient, though it may be called in forward."""
    intervention = intervention_of(hook)
    return "backward" in hook.kind or (intervention is not None and intervention.is_on_gradient)


def _why_no_forward(call: ModuleCall) -> str:
    return f"not reached: {call.failed}" if call.failed else "its turn has not come in the run that goes on"


def _why_no_backward(run: Run, call: ModuleCall) -> str:
    if call.failed:
        return f"no backward: forward raised {call.failed}"
    reason = next((reason for reason in call.output_reasons if reason not in ("", GRADIENTS_OFF)), "")
    if reason and not call.needs_grad:
        return f"{reason}, so no gradient comes by"
    if not _had_backward(run):
        return NO_BACKWARD
    is_reached = any(gradient is not None for gradient in call.output_gradients())
    if is_reached and type(call.output_skeleton) in (dict, ListParts):
        return "the output is no tensor and no tuple: PyTorch calls backward hooks for nothing else"
    return NOT_IN_LOSS


def _why_no_change(run: Run, calls: Sequence[ModuleCall], intervention: InterventionHook) -> str:
    missed = missed_call(intervention, calls)
    if missed:
        return missed
    call = next((each for each in calls if each.index == intervention.call), calls[-1])
    without = "" if call.failed else why_without_gradient(intervention, call)
    return without if without and _had_backward(run) else _why_no_backward(run, call)


def _had_backward(run: Run) -> bool:
    return run.has_gradients or any("backward" in effect.kind or effect.call is None for effect in run.effects)


def _what_it_did(effect: HookEffect, *, with_values: bool) -> str:
    # The value as a whole is an entry only where no part of it is a tensor.
    if effect.outcome == "observed" and [entry.label for entry in effect.entries] == ["grad_input"]:
        return NO_INPUT_GRADIENT
    if effect.outcome != "changed" or not with_values:
        return effect.text
    changes = [text for text in map(change_text, effect.entries) if text]
    return "; ".join(changes) or effect.text


def change_text(entry: EffectEntry) -> str:
    """``(1.5, 0.5) → (0.75, 0.25)`` where values are few, else their difference; empty where nothing changed."""
    if entry.before is None and entry.after is None:
        is_changed = bool(entry.before_text or entry.after_text) and entry.before_text != entry.after_text
        return f"{entry.before_text} → {entry.after_text}" if is_changed else ""
    if entry.before is None or entry.after is None:
        return ""
    before, after = values_text(entry.before), values_text(entry.after)
    kind = kind_difference(entry.before, entry.after)
    # What differs in later digits alone would read as equal.
    is_written = bool(before and after) and (before != after or kind)
    change = ", ".join(filter(None, (f"{before} → {after}", kind))) if is_written else entry.difference
    return ", ".join(filter(None, (change, entry.note)))
