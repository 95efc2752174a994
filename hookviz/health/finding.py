"""One thing that looks wrong: where, since when, and why one should think so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Symptom = Literal[
    "NaN",
    "Inf",
    "exploding values",
    "exploding gradient",
    "dead units",
    "vanishing gradient",
    "saturated",
    "frozen",
    "frozen on purpose",
]

SYMPTOMS: Final[tuple[Symptom, ...]] = get_args(Symptom)
"""The most suspicious first: what spoils all that follows, then what keeps a part from learning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that looks wrong."""

    path: str
    """The module at which it is seen, or the parameter; the model itself is ``""``."""
    symptom: Symptom
    step: int
    """The captured run in which it was seen first, as far as the history tells."""
    sentence: str
    """Why it looks wrong, with the numbers."""
    numbers: Mapping[str, float]
    """The numbers that decided it, by name."""
    module: str = ""
    """The module whose card shows it: ``path``, or the owner of the parameter."""

    @property
    def is_alarm(self) -> bool:
        """False for what is so on purpose, and is told only so that nobody wonders."""
        return self.symptom != "frozen on purpose"


def most_suspicious_first(findings: list[Finding]) -> list[Finding]:
    """By symptom; those of one symptom stay in the order in which they came."""
    return sorted(findings, key=lambda finding: SYMPTOMS.index(finding.symptom))
