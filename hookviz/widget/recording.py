"""Records what a session shows, so that a page can show it without the session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hookviz.errors import HookvizError, RenderError
from hookviz.graph.colour_by import MEASURES
from hookviz.session.picture import chosen_direction
from hookviz.widget.axis_names import axis_names
from hookviz.widget.colour_wire import colours_to_wire
from hookviz.widget.drawing import Drawing, draw
from hookviz.widget.encoding import node_data_to_wire
from hookviz.widget.entries import Entry
from hookviz.widget.folding import Folding
from hookviz.widget.health_view import health_of
from hookviz.widget.hook_effects import hooks_tab
from hookviz.widget.hook_entries import hooks_to_wire
from hookviz.widget.hook_wire import HookWire
from hookviz.widget.inspection import inspect, subject_of
from hookviz.widget.recorded_picture import recorded_picture
from hookviz.widget.recording_wire import (
    VERSION,
    RecordedCallWire,
    RecordedEntryWire,
    RecordedNodeWire,
    RecordedPictureWire,
    RecordedSceneWire,
    RecordingWire,
)
from hookviz.widget.status import status_of
from hookviz.widget.wire import EntryWire, InspectionWire, StatusWire, Tab

if TYPE_CHECKING:
    from torch import nn

    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy
    from hookviz.graph.graph import Graph
    from hookviz.health.finding import Finding
    from hookviz.session import Session

MOST_NODES: Final = 300
"""A layout of more is left out, unless it is the one that was asked for."""

MOST_CALLS: Final = 4
"""Of a module that is called more often, the last ones are recorded: the card shows the very last."""

PICTURE_BYTES: Final = 560 * 2**10
"""All pictures together; statistics and histograms are recorded whatever their number."""

TOO_MUCH: Final = "not in the recording: all pictures together would take more than 560 kB"
PROTECTED: Final = "this is a recording, without the model"


def record(
    session: Session,
    depth: int | None = None,
    opening: Drawing | None = None,
    selected: str = "",
    *,
    direction: Direction | None = None,
    colour_by: ColourBy | None = None,
) -> RecordingWire:
    """All that a page needs to show a session's diagram, inspector and hooks.

    Args:
        session: The session, whose model must be there.
        depth: How many levels of containers are unfolded at first; None for what is well readable.
        opening: A layout that is shown first instead.
        selected: Id of the node that is looked into at first.
        direction: Which way the diagram runs; None for what suits it. That of ``opening`` is kept.
        colour_by: The number that cards are coloured by at first; the others can be chosen.

    Raises:
        ModelGoneError: if its owner dropped the model.
        OptionError: if it is no direction.
        RenderError: if no engine could lay out the diagram.
    """
    if opening is None:
        graph = session.graph(depth)
        opening = draw(session, Folding(depth=depth, direction=chosen_direction(direction, graph)))
    if opening.problem:
        raise RenderError(opening.problem)
    if session.run is not None:
        session.run.settle()
    findings = session.health()
    drawings = _drawings(session, opening)
    graphs = {node_id: drawing.graph for drawing in reversed(drawings) for node_id in _ids(drawing.graph)}
    room = _Room(PICTURE_BYTES)
    records = {node_id: _NodeRecord(session, graph, node_id, room) for node_id, graph in graphs.items()}
    # What is looked at most gets its pictures first.
    for tab in ("output", "grad_output", "parameters", "input", "grad_input"):
        for each in records.values():
            each.take(tab)
    return {
        "version": VERSION,
        "status": _status(session, opening.graph),
        "hooks": [_hook(hook) for hook in hooks_to_wire(session, opening.graph)],
        "scenes": [_scene(session, drawing, drawings[-1], findings) for drawing in drawings],
        "colour_by": colour_by or "",
        "opening": drawings.index(opening),
        "selected": selected if selected in records else "",
        "nodes": {node_id: each.to_wire() for node_id, each in records.items()},
    }


def _ids(graph: Graph) -> list[str]:
    return [*(node.id for node in graph.nodes), *(group.id for group in graph.groups)]


def _drawings(session: Session, opening: Drawing) -> list[Drawing]:
    """One layout for each level of containers, as far as they are readable, and the opening one among them."""
    drawings: list[Drawing] = [opening]
    for level in range(opening.wire["max_depth"] + 1):
        try:
            drawing = draw(session, Folding(depth=level), direction=opening.direction, before=opening)
        except HookvizError:
            break
        if drawing.problem or len(drawing.graph.nodes) > MOST_NODES:
            break
        if (drawing.expanded, len(drawing.graph.nodes)) != (opening.expanded, len(opening.graph.nodes)):
            drawings.append(drawing)
    return sorted(drawings, key=lambda each: (each.wire["depth"], len(each.expanded)))


def _scene(session: Session, drawing: Drawing, last: Drawing, findings: list[Finding]) -> RecordedSceneWire:
    return {
        "svg": drawing.svg,
        # One cannot unfold further than was recorded.
        "graph": {**drawing.wire, "max_depth": last.wire["depth"]},
        "node_data": node_data_to_wire(session.node_data(drawing.graph)),
        "expanded": sorted(drawing.expanded),
        "health": health_of(session, drawing.graph, findings),
        "colours": {
            "": colours_to_wire(None),
            **{by: colours_to_wire(session.colouring(drawing.graph, by)) for by in MEASURES},
        },
    }


def _status(session: Session, graph: Graph) -> StatusWire:
    return {**status_of(session, graph), "state": "recorded"}


def _hook(hook: HookWire) -> HookWire:
    return {**hook, "protected": hook["protected"] or PROTECTED, "pending": False, "removable": False}


@dataclass(slots=True)
class _Room:
    """How many bytes are left for pictures."""

    left: int

    def has(self, picture: RecordedPictureWire) -> bool:
        """Takes the room of a picture, if there is enough."""
        size = len(picture["values"])
        if size > self.left:
            return False
        self.left -= size
        return True


@dataclass(slots=True)
class _NodeRecord:
    """One node while it is recorded, tab by tab."""

    session: Session
    graph: Graph
    node_id: str
    room: _Room
    calls: dict[int, RecordedCallWire] = field(default_factory=dict)
    parameters: list[RecordedEntryWire] = field(default_factory=list)

    def take(self, tab: Tab) -> None:
        """Record a tab, if the node has it."""
        subject = subject_of(self.session, self.graph, self.node_id)
        if tab not in subject.tabs:
            return
        for number in range(1) if tab == "parameters" else self._calls_recorded(subject.calls):
            wire = self._inspect(number, tab)
            entries = [
                self._entry(each, entry, subject.module, tab)
                for each, entry in zip(wire["entries"], subject.entries(number, tab), strict=True)
            ]
            if tab == "parameters":
                self.parameters = entries
            else:
                self._call(number)["entries"][tab] = entries

    def to_wire(self) -> RecordedNodeWire:
        """What was recorded, with what is said of the node itself."""
        wire = self._inspect(0, None)
        return {
            "path": wire["path"],
            "name": wire["name"],
            "type_name": wire["type_name"],
            "detail": wire["detail"],
            "step": wire["step"],
            "tabs": wire["tabs"],
            "off": wire["off"],
            "parameters": self.parameters,
            "calls_seen": wire["calls"],
            "calls": [self._call(number) for number in self._calls_recorded(wire["calls"])],
        }

    @staticmethod
    def _calls_recorded(calls: int) -> range:
        return range(max(0, calls - MOST_CALLS), max(1, calls))

    def _inspect(self, call: int, tab: Tab | None) -> InspectionWire:
        return inspect(self.session, self.graph, self.node_id, call, tab)

    def _call(self, number: int) -> RecordedCallWire:
        if number not in self.calls:
            hooks = hooks_tab(self.session, self.graph, self.node_id, number)
            wire = self._inspect(number, None)
            notes = wire["notes"]
            if wire["calls"] > MOST_CALLS:
                notes = [*notes, f"the recording has the last {MOST_CALLS} of {wire['calls']:,} calls"]
            # Nothing can be put in place here.
            self.calls[number] = {
                "notes": notes,
                "costs": wire["costs"],
                "entries": {},
                "hooks": {**hooks, "targets": [], "replacements": []},
            }
        return self.calls[number]

    def _entry(self, wire: EntryWire, entry: Entry, module: nn.Module | None, tab: Tab) -> RecordedEntryWire:
        missing: RecordedEntryWire = {**wire, "kept": False, "picture": None}
        if not entry.is_kept or wire["summary"] is None or wire["summary"]["numel"] == 0:
            return missing
        try:
            names = axis_names(module, tab, wire["label"], wire["summary"]["shape"])
            picture = recorded_picture(entry.fetch(), names, is_weight=tab == "parameters")
        except HookvizError as error:
            return {**missing, "note": wire["note"] or str(error)}
        if not self.room.has(picture):
            return {**missing, "note": wire["note"] or TOO_MUCH}
        return {**wire, "picture": picture}
