"""All that looks wrong in a model, in one list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hookviz.health.case import Case
from hookviz.health.finding import Finding, most_suspicious_first
from hookviz.health.frozen import frozen, frozen_on_purpose, unmoved
from hookviz.health.gradients import exploding_gradient, exploding_values, vanishing_gradient
from hookviz.health.layers import dead_units, saturated
from hookviz.health.not_finite import not_finite

_SIGNS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    not_finite,
    exploding_values,
    exploding_gradient,
    dead_units,
    vanishing_gradient,
    saturated,
    unmoved,
    frozen,
    frozen_on_purpose,
)


def examine(case: Case) -> list[Finding]:
    """What looks wrong, the most suspicious first; empty where nothing does."""
    return most_suspicious_first([finding for sign in _SIGNS for finding in sign(case)])
