"""NaN and infinity: where they came from first, and in which run."""

from __future__ import annotations

from collections.abc import Iterator

from hookviz.capture.call import ModuleCall
from hookviz.graph.origin import Origin
from hookviz.graph.verdict import place_words
from hookviz.health.case import Case
from hookviz.health.finding import Finding


def not_finite(case: Case) -> Iterator[Finding]:
    """One finding for the first value of a run that was not finite, if those of the last run are not."""
    incident = case.checkup.incident
    if incident is None:
        return
    origin = incident.origin
    if origin.kind == "Inf" and not origin.is_gradient and _is_mask(case, origin):
        return
    nans, infs, elements = _counts(origin)
    path = origin.call.path
    yield Finding(
        path,
        origin.kind,
        incident.step,
        f"{place_words(origin, case.name, case.called)}, step {incident.step}: {_amount(nans, infs, elements)}"
        f"{_counted_in(case, origin)}{_before(case)}.",
        {"nans": nans, "infs": infs, "elements": elements},
        path,
    )


def _is_mask(case: Case, origin: Origin) -> bool:
    """Whether nothing but -Inf came out, and what used it made no infinity of it: so does a mask for a softmax."""
    tops = [capture.moments.max for capture in origin.call.output_captures if capture is not None]
    is_low = all(top is not None and top < float("inf") for top in tops)
    bad = [call for call in case.run.calls if any(_not_finite(call))]
    return is_low and {call.path for call in bad} <= {origin.call.path}


def _not_finite(call: ModuleCall) -> list[int]:
    return [
        (capture.moments.nans or 0) + (capture.moments.infs or 0)
        for capture in call.output_captures
        if capture is not None
    ]


def _counts(origin: Origin) -> tuple[int, int, int]:
    """Of the parameter that holds it; of all others what was returned, or its gradient."""
    witness = origin.call.witness
    if origin.verdict == "held" and witness is not None:
        held = [
            count for (name, _), count in zip(witness.parameters, witness.counts, strict=True) if name in origin.held
        ]
        return sum(one.nans for one in held), sum(one.infs for one in held), sum(one.elements for one in held)
    captures = origin.call.output_gradients() if origin.is_gradient else origin.call.output_captures
    seen = [capture.moments for capture in captures if capture is not None]
    return (
        sum(moments.nans or 0 for moments in seen),
        sum(moments.infs or 0 for moments in seen),
        sum(moments.numel for moments in seen),
    )


def _amount(nans: int, infs: int, elements: int) -> str:
    kinds = [f"{count:,} {kind}" for kind, count in (("NaN", nans), ("Inf", infs)) if count]
    return f"{' and '.join(kinds)} of {elements:,} values" if kinds else f"of {elements:,} values"


def _counted_in(case: Case, origin: Origin) -> str:
    """Where the numbers were counted, if the sentence names another place first."""
    if origin.verdict not in {"before", "after"}:
        return ""
    return f" in the {'gradient at' if origin.is_gradient else 'output of'} {case.called(origin.call.path)}"


def _before(case: Case) -> str:
    incident = case.checkup.incident
    assert incident is not None, "there is one where this is asked"
    if not incident.last_finite:
        return "" if incident.step == 1 else "; no run before it was captured"
    left_out = incident.step - incident.last_finite - 1
    if not left_out:
        return f"; all was finite in step {incident.last_finite}"
    return f"; all was finite in step {incident.last_finite}, the last one captured before"
