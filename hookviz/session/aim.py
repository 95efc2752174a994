"""What an intervention aims at, found in the last captured run: a call of its module, and a tensor of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hookviz.capture.call import GRADIENTS_OFF, WITHOUT_GRAPH
from hookviz.capture.leaves import labels
from hookviz.errors import InterventionError
from hookviz.hooks.intervening import InterventionHook
from hookviz.hooks.paths import quoted
from hookviz.hooks.slices import text_of, why_no_part

if TYPE_CHECKING:
    from hookviz.capture.call import ModuleCall
    from hookviz.capture.effects import HookEffect
    from hookviz.hooks.hook import Hook

INPUT_WITHOUT_GRADIENT: Final = "the input does not require grad"
NOT_WATCHED: Final = "no gradient was changed here; why is not known, since gradients are not captured here"


def intervention_of(hook: Hook) -> InterventionHook | None:
    """The intervention that a hook makes, None for other hooks."""
    return hook.function if type(hook.function) is InterventionHook else None


def missed_call(intervention: InterventionHook, calls: Sequence[ModuleCall]) -> str:
    """``call 3 did not happen: 1 call in this run``; empty where it is for all calls, or its call came."""
    count = sum(not call.is_recomputed for call in calls)
    if intervention.call is None or intervention.call < count:
        return ""
    return f"call {intervention.call} did not happen: {count} {'call' if count == 1 else 'calls'} in this run"


def passed_by(intervention: InterventionHook | None, effect: HookEffect) -> str:
    """``it is for call 3 only`` where it left this call alone; empty where it acted."""
    # Backward calls again what a checkpoint did not keep: such a call has a number of its own, and is changed.
    is_left = effect.outcome == "observed" and effect.text == "returned None"
    if intervention is None or not is_left or intervention.call in (None, effect.call):
        return ""
    return f"it is for call {intervention.call} only"


def position_of(intervention: InterventionHook, call: ModuleCall) -> int | None:
    """Which of the tensors that the call received or returned is meant, from 0; None where there is no such one."""
    if not intervention.target.endswith("input"):
        names = [(label, label) for label in labels(call.output_skeleton, "output")]
    else:
        args, kwargs = call.input_skeleton
        short = [*labels(args, "input"), *labels(kwargs, "input")]
        names = list(zip(short, labels(call.input_skeleton, "input"), strict=True))
    if intervention.leaf is None:
        return 0 if names else None
    return next((position for position, known in enumerate(names) if intervention.leaf in known), None)


def check_aim(intervention: InterventionHook, calls: Sequence[ModuleCall]) -> None:
    """See that what is meant was there in these calls, as far as their values are known.

    Raises:
        InterventionError: if the tensor was not, with those that were; or if the part of it was not, with its shape.
    """
    for call in calls:
        if intervention.call in (None, call.index):
            _check_leaf(intervention, call)
            _check_part(intervention, call)


def _check_leaf(intervention: InterventionHook, call: ModuleCall) -> None:
    known = [] if intervention.target.endswith("input") else labels(call.output_skeleton, "output")
    if known and intervention.leaf not in (None, *known):
        raise InterventionError(
            f"{intervention.label} of {quoted(intervention.path)}: there was no tensor {intervention.leaf} "
            f"in the last captured run; there were {', '.join(known)}."
        )


def _check_part(intervention: InterventionHook, call: ModuleCall) -> None:
    if intervention.at is not None:
        shape = _shape_of(intervention, call)
        why = None if shape is None else why_no_part(intervention.at, shape)
        if why is not None:
            raise InterventionError(
                f"{intervention.label} of {quoted(intervention.path)}: the tensor was "
                f"{'×'.join(map(str, shape or ())) or 'a single number'} in the last captured run and has no part "
                f"{text_of(intervention.at)} ({why})."
            )


def _shape_of(intervention: InterventionHook, call: ModuleCall) -> tuple[int, ...] | None:
    position = position_of(intervention, call)
    captures = call.input_captures if intervention.target.endswith("input") else call.output_captures
    capture = None if position is None or position >= len(captures) else captures[position]
    return None if capture is None else capture.shape


def why_without_gradient(intervention: InterventionHook, call: ModuleCall) -> str:
    """Why the tensor that is meant cannot have a gradient; empty where it can."""
    position = position_of(intervention, call)
    if position is None or any(reason in WITHOUT_GRAPH for reason in call.output_reasons):
        return ""
    if GRADIENTS_OFF in call.output_reasons:
        return NOT_WATCHED
    if intervention.target == "grad_input":
        return INPUT_WITHOUT_GRADIENT if call.input_cells[position] is None else ""
    reason = call.output_reasons[position]
    return f"{reason}, so no gradient comes by" if reason else ""
