"""Activations that give nothing but 0, and let exactly none of the gradient through.

In a deep model the gradient fades on its own way, to a share that hides where it is stopped altogether: there it is
exactly 0, however small it was that arrived.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from hookviz.capture.call import ModuleCall
from hookviz.health.activations import dying_of
from hookviz.health.case import Case, first_output, listed, number_text
from hookviz.health.checkup import CallKey
from hookviz.health.finding import Finding
from hookviz.health.thresholds import DEAD_VALUES, PERSISTENT


def silent(case: Case) -> Iterator[Finding]:
    """Layers of ReLUs, as modules or as functions, of which no unit was active in the last runs of a training.

    Needs no kept tensor: of the last call of each module the history knows the largest value.
    """
    wiring = case.checkup.wiring(case.run)
    if wiring is None:
        return
    latest = {call.path: call for call in case.run.returned()}
    for call in latest.values():
        key, module = (call.path, call.index), case.index.find(call.path)
        if module is None or not _is_low(call):
            continue
        if dying_of(module) == "relu":
            stopped, words = wiring.sources.get(key, ()), "are 0"
        elif wiring.hands_on.get(key) == "before relu":
            stopped, words = (key,), "are at most 0, and the ReLU behind makes 0 of them"
        else:
            continue
        gets_none = [source for source in stopped if _gets_none(case, source, latest)]
        steps = _silent_steps(case, call.path, is_zero=words == "are 0")
        values = len(steps) * _elements(call)
        if not gets_none or len(steps) < PERSISTENT or values < DEAD_VALUES:
            continue
        arrived = case.history.last(call.path, "grad_output", "norm", 1)[0] if stopped != (key,) else 0.0
        whom = listed([case.place(source) for source in gets_none])
        yield Finding(
            call.path,
            "dead units",
            steps[0],
            f"All {values:,} values of {case.place(key)} {words}, in each captured run since step {steps[0]}. "
            f"{_ending(arrived, whom)}",
            {"values": values, "runs": len(steps), "norm": arrived},
            call.path,
        )


def _ending(arrived: float, whom: str) -> str:
    if arrived:
        return (
            f"Of the gradient of norm {number_text(arrived)} that arrives there, exactly none comes through to "
            f"{whom}: it does not fade there, it ends."
        )
    return f"Exactly no gradient comes through to {whom}: it does not fade there, it ends."


def _is_low(call: ModuleCall) -> bool:
    capture = first_output(call)
    top = None if capture is None else capture.moments.max
    return call.needs_grad and top is not None and top <= 0


def _elements(call: ModuleCall) -> int:
    capture = first_output(call)
    return 0 if capture is None else capture.moments.numel


def _gets_none(case: Case, key: CallKey, latest: dict[str, ModuleCall]) -> bool:
    """Whether a call got a gradient in each of the last runs, and each was 0."""
    norms = case.history.last(key[0], "grad_output", "norm", PERSISTENT)
    is_remembered = key[0] in latest and latest[key[0]].index == key[1]
    return is_remembered and len(norms) == PERSISTENT and not any(norms)


def _silent_steps(case: Case, path: str, *, is_zero: bool) -> list[int]:
    """The newest captured runs in a row in which nothing was above 0, and nothing below either if ``is_zero``."""
    steps, tops = case.history.of(path, "output", "max")
    _, lows = case.history.of(path, "output", "min")
    rows = list(zip(steps.tolist(), tops.tolist(), lows.tolist(), strict=True))
    silent_rows = takewhile(lambda row: row[1] <= 0 and (row[2] == 0 or not is_zero), reversed(rows))
    return [step for step, _, _ in silent_rows][::-1]
