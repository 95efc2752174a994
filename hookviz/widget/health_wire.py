"""What crosses of a model's health; ``frontend/src/health-wire.ts`` repeats these types."""

from __future__ import annotations

from typing import TypedDict

from hookviz.graph.badges import Way
from hookviz.health.finding import Finding


class FindingWire(TypedDict):
    """One thing that looks wrong; see ``health.Finding``."""

    node_id: str
    """Of the module's card, which may be folded away."""
    path: str
    module: str
    symptom: str
    step: int
    sentence: str
    is_alarm: bool


class HealthWire(TypedDict):
    """Trait ``health``: what looks wrong, the most suspicious first, and the way of the first NaN or infinity."""

    findings: list[FindingWire]
    way_nodes: list[str]
    way_edges: list[str]
    note: str
    """What is judged from how many captured runs on; empty where none was, and for a past step."""


def health_to_wire(findings: list[Finding], way: Way, note: str = "") -> HealthWire:
    """The findings as they are shown, with what is to be said of how they were found."""
    return {
        "findings": [
            {
                "node_id": f"module:{finding.module}",
                "path": finding.path,
                "module": finding.module,
                "symptom": finding.symptom,
                "step": finding.step,
                "sentence": finding.sentence,
                "is_alarm": finding.is_alarm,
            }
            for finding in findings
        ],
        "way_nodes": sorted(way.nodes),
        "way_edges": sorted(way.edges),
        "note": note,
    }
