"""What looks wrong, as the widgets of a session show it: looked for seldom enough to cost next to nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hookviz.health.badges import way_among
from hookviz.health.patience import JUDGED
from hookviz.widget.health_wire import HealthWire, health_to_wire

if TYPE_CHECKING:
    from hookviz.graph.graph import Graph
    from hookviz.health.finding import Finding
    from hookviz.session import Session
    from hookviz.session.step import Step

INTERVAL_SECONDS = 1.0
"""While a cell runs, never more often: what is wrong now is still wrong in a second."""

SHARE = 0.01
"""Nor more often than takes this share of the time: a model of thousands of modules takes longer to examine."""

NOTHING: HealthWire = {"findings": [], "way_nodes": [], "way_edges": [], "note": ""}


class HealthView:
    """Remembers what was found, until it is time to look again."""

    def __init__(self) -> None:
        self.wire: HealthWire = NOTHING
        self.findings: list[Finding] = []
        """What the wire was made from."""
        self._seen: tuple[object, ...] = ()
        self._examined: int | None = None
        self._next_look = 0.0
        self._past: tuple[tuple[object, ...], HealthWire] = (), NOTHING
        self.is_behind = False
        """Whether there is something newer that was not looked at yet."""

    def look(self, session: Session, graph: Graph, *, is_live: bool) -> None:
        """Bring ``wire`` up to date, if something changed; while a cell runs (``is_live``), only if it is time."""
        wanted = (graph, session.data_version)
        if wanted == self._seen:
            return
        began = time.perf_counter()
        if session.is_used_elsewhere or (is_live and began < self._next_look):
            self.is_behind = True
            return
        version = session.data_version
        # Another layout of the same run has the same findings.
        if self._examined != version:
            self.findings, self._examined = session.health(), version
        wire = health_of(session, graph, self.findings)
        # An equal one need not be compared by each view.
        self.wire = self.wire if wire == self.wire else wire
        self._seen, self.is_behind = wanted, False
        now = time.perf_counter()
        self._next_look = now + max(INTERVAL_SECONDS, (now - began) / SHARE)

    def at(self, step: Step, graph: Graph) -> HealthWire:
        """What is shown of a past step: the way of its own NaN. Findings are of the newest runs, so it has none."""
        wanted = (step.run, step.data_version, graph)
        if wanted != self._past[0]:
            self._past = wanted, health_to_wire([], step.badges(graph).way)
        return self._past[1]


def health_of(session: Session, graph: Graph, findings: list[Finding]) -> HealthWire:
    """What was found in a session, with the way of a NaN through a picture."""
    run = session.run
    # Of a run that raised, or was not captured to its end, "nothing looks wrong" would be beside the point.
    is_judged = run is not None and run.is_finished and run.exception is None
    return health_to_wire(findings, way_among(findings, run, graph), JUDGED if is_judged or findings else "")
