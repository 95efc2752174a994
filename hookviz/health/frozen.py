"""Parameters that do not move: by mistake, or on purpose."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn

from hookviz.health.case import Case, listed
from hookviz.health.checkup import ParameterLife
from hookviz.health.finding import Finding
from hookviz.health.thresholds import UNCHANGED_RUNS, UNMOVED_RUNS


def frozen(case: Case) -> Iterator[Finding]:
    """Parameters that want a gradient and stayed as they were while others moved, one finding for each reason."""
    groups: dict[str, list[tuple[str, ParameterLife, int]]] = {}
    for path, life in case.checkup.parameters.items():
        steps = [step for step in life.steps if step >= case.since]
        if len(steps) < UNCHANGED_RUNS or life.last_changed >= steps[-UNCHANGED_RUNS]:
            continue
        reason = _reason(case, path, life)
        if reason:
            groups.setdefault(reason, []).append((path, life, len([s for s in steps if s > life.last_changed])))
    for reason, members in groups.items():
        path, life, runs = members[0]
        names = [name for name, _, _ in members]
        first = next(step for step in life.steps if step >= case.since and step > life.last_changed)
        yield Finding(
            path,
            "frozen",
            first,
            f"{listed(names)} {'stays as it is' if len(names) == 1 else 'stay as they are'}: unchanged after the last "
            f"{runs:,} steps of training that were looked at, in which others moved. {reason}",
            {"parameters": len(names), "steps": runs},
            life.module,
        )


def unmoved(case: Case) -> Iterator[Finding]:
    """One finding of the model itself, if it is asked for gradients again and again, and none of it ever moves."""
    runs = [step for step in case.checkup.unmoved if step >= case.since]
    if len(runs) < UNMOVED_RUNS or case.checkup.last_moved >= max(case.since, 0):
        return
    yield Finding(
        "",
        "frozen",
        runs[0],
        f"No parameter moved in {len(runs):,} captured runs with a backward, since step {runs[0]}: "
        "optimizer.step() was not called, or the learning rate is 0.",
        {"steps": len(runs)},
    )


def _reason(case: Case, path: str, life: ParameterLife) -> str:
    """Why it does not move; empty where it cannot be said, or where it is told elsewhere or on purpose."""
    module = case.index.find(life.module)
    parameter = None if module is None else module._parameters.get(path.rpartition(".")[2])
    if parameter is None or not parameter.requires_grad:
        return ""
    is_written = life.last_written > life.last_changed
    if case.checkup.last_graded < 0:
        # All gradients are cleared after each step, so that none is there to be seen.
        return "" if is_written else "Nothing is written there: no gradient arrives, or the optimiser does not have it."
    if life.last_graded < 0:
        if any(call.path == life.module for call in case.run.calls):
            return "No gradient arrives there: it is not used on the way to the loss, or detached."
        return "No gradient arrives there: the module is not called."
    # An optimiser that writes what is equal has a rate of 0, or steps that are lost in rounding; or only a few
    # elements change, as of an embedding, and none of the sample.
    return "" if is_written else _not_written(parameter)


def _not_written(parameter: nn.Parameter) -> str:
    gradient = parameter.grad
    if gradient is not None and gradient.layout is torch.strided and not bool(gradient.any()):
        # That no gradient comes through is told of the module.
        return ""
    return "A gradient arrives there, but nothing is written: the optimiser probably does not have it."


def frozen_on_purpose(case: Case) -> Iterator[Finding]:
    """One finding for all parameters whose ``requires_grad`` is off; by the outermost modules that have no other."""
    off: dict[str, bool] = {}
    count = 0
    for path, module in case.index.modules():
        for name, parameter in module._parameters.items():
            if parameter is None:
                continue
            count += not parameter.requires_grad
            place = f"{path}.{name}" if path else name
            parts = place.split(".")
            for end in range(len(parts) + 1):
                above = ".".join(parts[:end])
                off[above] = off.get(above, True) and not parameter.requires_grad
    if not count:
        return
    outermost = [path for path, is_off in off.items() if is_off and not off.get(path.rpartition(".")[0], False)]
    if off[""]:
        outermost = [""]
    names = [case.called(path) for path in outermost if path or off[""]]
    first = outermost[0]
    is_module = case.index.find(first) is not None
    yield Finding(
        first,
        "frozen on purpose",
        case.run.step,
        f"{count:,} {'parameter has' if count == 1 else 'parameters have'} requires_grad=False, in {listed(names)}: "
        "frozen on purpose, so they get no gradient and do not learn.",
        {"parameters": count},
        first if is_module else first.rpartition(".")[0],
    )
