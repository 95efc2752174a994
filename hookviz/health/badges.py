"""Findings as badges: each on the card that its module has, or is folded into, in a picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hookviz.capture.run import Run
from hookviz.graph.badges import Badge, Badges, Way
from hookviz.graph.gradient_origin import gradient_origin_of
from hookviz.graph.graph import Graph
from hookviz.graph.origin import origin_of
from hookviz.health.finding import Finding
from hookviz.health.way import way_of


def badges_of(findings: Sequence[Finding], run: Run | None, graph: Graph) -> Badges:
    """What was found in the runs up to this one, with the way of a NaN through the picture."""
    cards = {f"module:{path}": node.id for node in graph.nodes for path in node.members}
    cards |= {node.id: node.id for node in graph.nodes} | {group.id: group.id for group in graph.groups}
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        card = _card_of(finding.module, cards)
        if card is not None:
            found[card].append(finding)
    return Badges({card: _badge(each) for card, each in found.items()}, way_among(findings, run, graph))


def way_among(findings: Sequence[Finding], run: Run | None, graph: Graph) -> Way:
    """The way of the NaN or infinity that was found in a run; of no length where there was none."""
    if run is None or not any(finding.symptom in {"NaN", "Inf"} for finding in findings):
        return Way()
    origin = origin_of(run) or gradient_origin_of(run)
    return Way() if origin is None else way_of(origin, run, graph)


def _card_of(path: str, cards: dict[str, str]) -> str | None:
    while path and f"module:{path}" not in cards:
        path = path.rpartition(".")[0]
    return cards.get(f"module:{path}")


def _badge(findings: Sequence[Finding]) -> Badge:
    alarms = sum(finding.is_alarm for finding in findings)
    return Badge(alarms, "\n".join(f"{finding.symptom}: {finding.sentence}" for finding in findings))
