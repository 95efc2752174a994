"""Values and gradients that grow or fade on their way through the model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from hookviz.capture.call import ModuleCall
from hookviz.health.case import Case, first_output, listed, number_text, spread_of
from hookviz.health.finding import Finding
from hookviz.health.thresholds import EXPLODED, GROWTH, PERSISTENT, SPIKE, SPIKE_RUNS, VANISHED


def exploding_values(case: Case) -> Iterator[Finding]:
    """Modules that made values many times larger than those that fed them, in the last run."""
    wiring = case.checkup.wiring(case.run)
    if wiring is None:
        return
    for key, feeders in wiring.sources.items():
        module, call = case.index.find(key[0]), case.call(key)
        # A normalisation gives its own size to whatever comes, and a loss is a sum.
        if call is None or "Norm" in type(module).__name__ or type(module).__name__.endswith("Loss"):
            continue
        sizes = [(spread_of(first_output(case.call(feeder))) or 0.0, feeder) for feeder in feeders]
        before, feeder = max(sizes)
        after = spread_of(first_output(call))
        if after is None or before == 0 or after / before < GROWTH:
            continue
        yield Finding(
            key[0],
            "exploding values",
            case.run.step,
            f"{case.place(key)} makes values {after / before:,.0f} times larger: their standard deviation is "
            f"{number_text(before)} as they leave {case.place(feeder)}, and {number_text(after)} behind "
            f"{case.place(key)}. Layers that learn well seldom make it more than ten times larger.",
            {"factor": after / before, "before": before, "after": after},
            key[0],
        )


def exploding_gradient(case: Case) -> Iterator[Finding]:
    """The module with the largest gradient, if it is far larger than at the output, or than it used to be."""
    calls = _calls_with_gradient(case)
    if calls:
        yield from _grown(case, calls) or _jumped(case, calls)


def _grown(case: Case, calls: list[ModuleCall]) -> list[Finding]:
    """On its way back, in each of the last runs."""
    recent = {call.path: case.history.last(call.path, "grad_output", "norm", PERSISTENT) for call in calls}
    end = calls[-1]
    at_end = max(recent[end.path])
    top = max(calls, key=lambda call: min(recent[call.path]))
    least = min(recent[top.path])
    if not 0 < at_end < math.inf or least / at_end < EXPLODED:
        return []
    sentence = (
        f"The gradient grows on its way back: its norm is {number_text(at_end)} at {case.called(end.path)} and "
        f"{number_text(least)} at {case.called(top.path)}, {least / at_end:,.0f} times as much."
    )
    numbers = {"factor": least / at_end, "norm": least, "norm_at_output": at_end}
    return [Finding(top.path, "exploding gradient", case.run.step, sentence, numbers, top.path)]


def _jumped(case: Case, calls: list[ModuleCall]) -> list[Finding]:
    """From one run to the next."""
    jumps = []
    for call in calls:
        norms = case.history.last(call.path, "grad_output", "norm", case.history.length)
        usual = median(norms[:-1]) if len(norms) > SPIKE_RUNS else 0.0
        if usual > 0 and norms[-1] / usual > SPIKE:
            jumps.append((norms[-1] / usual, norms[-1], usual, call.path))
    if not jumps:
        return []
    factor, norm, usual, path = max(jumps)
    sentence = (
        f"The norm of the gradient at {case.called(path)} is {number_text(norm)}, {factor:,.0f} times its median "
        f"over the history, {number_text(usual)}."
    )
    numbers = {"factor": factor, "norm": norm, "median": usual}
    return [Finding(path, "exploding gradient", case.run.step, sentence, numbers, path)]


def vanishing_gradient(case: Case) -> Iterator[Finding]:
    """The last module, in the order of the forward pass, to which hardly any gradient comes back."""
    calls = _calls_with_gradient(case)
    if not calls:
        return
    at_end = case.history.last(calls[-1].path, "grad_output", "norm", PERSISTENT)
    if len(at_end) < PERSISTENT or min(at_end) == 0:
        return
    faded = []
    for call in calls:
        norms = case.history.last(call.path, "grad_output", "norm", PERSISTENT)
        if len(norms) == PERSISTENT and all(norm <= VANISHED * end for norm, end in zip(norms, at_end, strict=True)):
            faded.append(call)
    if not faded:
        return
    front = faded[-1]
    norm = case.history.last(front.path, "grad_output", "norm", 1)[0]
    before = list(dict.fromkeys(call.path for call in faded[:-1] if call.path != front.path))
    also = f", and at {listed([case.called(path) for path in before])} before it" if before else ""
    yield Finding(
        front.path,
        "vanishing gradient",
        case.run.step,
        f"{'No' if norm == 0 else 'Hardly any'} gradient arrives at {case.called(front.path)}{also}: its norm is "
        f"{number_text(norm)}, of {number_text(at_end[-1])} at {case.called(calls[-1].path)}"
        f"{_lost_in(case, front)}. What lies there does not learn.",
        {"norm": norm, "norm_at_output": at_end[-1], "modules": len({call.path for call in faded})},
        front.path,
    )


def _calls_with_gradient(case: Case) -> list[ModuleCall]:
    """Calls of modules without inside, in the order in which they returned, that got a gradient in this run."""
    found = []
    for call in case.run.returned():
        module = case.index.find(call.path)
        gradient = next(iter(call.output_gradients()), None)
        if module is None or any(child is not None for child in module._modules.values()) or gradient is None:
            continue
        norms = case.history.last(call.path, "grad_output", "norm", 1)
        if norms and math.isfinite(norms[0]):
            found.append(call)
    return found


def _lost_in(case: Case, front: ModuleCall) -> str:
    """Which module lets none through, if one follows that gets far more."""
    wiring = case.checkup.wiring(case.run)
    users = () if wiring is None else wiring.users.get((front.path, front.index), ())
    if len(users) != 1:
        return ""
    arrived = case.history.last(users[0][0], "grad_output", "norm", 1)
    own = case.history.last(front.path, "grad_output", "norm", 1)
    if not arrived or not own or own[0] > arrived[0] / GROWTH:
        return "; it fades from module to module"
    return f"; {case.place(users[0])} behind it lets {'none' if own[0] == 0 else 'hardly any'} through"
