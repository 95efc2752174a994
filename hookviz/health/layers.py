"""Activations that let nothing through: dead units, and values at the ends of their range."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from hookviz.health.activations import Dying
from hookviz.health.case import Case
from hookviz.health.finding import Finding
from hookviz.health.silent import silent
from hookviz.health.thresholds import DEAD_SHARE, DEAD_VALUES, PERSISTENT, SATURATED_SHARE

_WORDS: Final[dict[Dying, str]] = {
    "relu": "gave nothing but 0",
    "smooth": "gave nothing but nearly 0",
    "before relu": "never got above 0, and the ReLU behind makes 0 of them",
    "before gelu": "never got above -5, and the GELU behind makes nearly 0 of them",
}


def dead_units(case: Case) -> Iterator[Finding]:
    """Activations many of whose units were never active over the history; the deadest first, then whole layers."""
    found = []
    for key, units in case.checkup.units.items():
        if case.call(key) is None:
            continue
        dead, width, values, first = units.dead(case.since)
        if values < DEAD_VALUES or dead < DEAD_SHARE * width:
            continue
        place, all_of = case.place(key), "all" if dead == width else f"{dead:,} of"
        sentence = (
            f"{all_of.capitalize()} {width:,} units of {place} are dead: they {_WORDS[units.dying]}, "
            f"for {values:,} values of each since step {first}. They get no gradient, so they stay so."
        )
        numbers = {"dead": dead, "units": width, "values_of_each": values}
        found.append((dead / width, Finding(key[0], "dead units", first, sentence, numbers, key[0])))
    yield from (finding for _, finding in sorted(found, key=lambda pair: -pair[0]))
    told = {finding.path for _, finding in found}
    yield from (finding for finding in silent(case) if finding.path not in told)


def saturated(case: Case) -> Iterator[Finding]:
    """Sigmoids, tanhs and softmaxes that are at the ends of their range; but for the model's own output."""
    wiring = case.checkup.wiring(case.run)
    for key, looks in case.checkup.shares.items():
        recent = [(step, share) for step, share in looks if step >= case.since]
        call, module = case.call(key), case.index.find(key[0])
        if call is None or module is None or len(recent) < PERSISTENT or (wiring is not None and key in wiring.ends):
            continue
        share = fmean(share for _, share in recent)
        if share < SATURATED_SHARE:
            continue
        is_softmax = type(module).__name__ == "Softmax"
        what = "rows have one share above 0.999" if is_softmax else "values are within 0.01 of an end of the range"
        yield Finding(
            key[0],
            "saturated",
            recent[0][0],
            f"{100 * share:.0f} % of the {what} in {case.place(key)}, over {len(recent)} captured runs. "
            "There it lets hardly any gradient through.",
            {"share": share, "runs": len(recent)},
            key[0],
        )
