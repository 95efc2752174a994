"""What scenes are put together from: each part is made anew only when something changed that it shows."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hookviz.errors import ClosedSessionError, ModelGoneError
from hookviz.health.badges import badges_of
from hookviz.widget.card_lines import cards_to_wire
from hookviz.widget.colours import Colours
from hookviz.widget.health_view import HealthView
from hookviz.widget.hook_entries import hooks_to_wire, listed_and_states
from hookviz.widget.scene import Scene
from hookviz.widget.status import status_of, switches_of
from hookviz.widget.step_source import playback_to_wire, status_at

if TYPE_CHECKING:
    from hookviz.graph.badges import Badges
    from hookviz.graph.node_data import NodeData
    from hookviz.session import Session
    from hookviz.session.step import Step
    from hookviz.widget.compare_commands import Pinned
    from hookviz.widget.drawing import Drawing
    from hookviz.widget.graph_wire import CardWordsWire
    from hookviz.widget.hook_wire import HookStatesWire, HookWire, ListedHookWire
    from hookviz.widget.step_source import Source


class SceneParts:
    """Remembers the parts of the last scene.

    An equal part stays the same object, so that it need not be compared by each view. When the session is
    closed or its model is gone, the last ones stay.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.node_data: dict[str, NodeData] = {}
        """What the cards show."""
        self.hooks: list[HookWire] = []
        """The hooks on the model."""
        self.colours = Colours()
        self.health = HealthView()
        self._cards: tuple[bytes, dict[str, CardWordsWire]] = b"", {}
        self._listed: list[ListedHookWire] = []
        self._listed_for: Drawing | None = None
        self._hook_states: HookStatesWire = {"states": [], "of": []}
        self._shown_data: tuple[object, ...] | None = None
        self._moment: tuple[object, ...] = ()

    def badges(self, drawing: Drawing, held: Step | None) -> Badges:
        """What the cards of a drawing show of what looks wrong."""
        if held is not None:
            return held.badges(drawing.graph)
        return badges_of(self.health.findings, self._session.run, drawing.graph)

    def are_stale(self, problem: str) -> bool:
        """Whether the session has something newer."""
        return self._moment != (problem, *moment_of(self._session))

    def look(
        self,
        drawing: Drawing,
        held: Step | None,
        pinned: Pinned | None,
        selected: str,
        *,
        problem: str = "",
        is_live: bool = False,
    ) -> Scene:
        """The scene as it is now.

        Args:
            drawing: The layout, which may be of another structure than the session has now.
            held: The past step whose values are shown, None for those of now.
            pinned: What others are compared with.
            selected: The id of the selected node, else empty.
            problem: What a fault in showing switched off, else empty.
            is_live: Whether a cell runs, in which what costs more is looked for seldom.
        """
        session = self._session
        # Read first: what comes in while we look makes the next look necessary.
        self._moment = (problem, *moment_of(session))
        shown: Source = session if held is None else held
        wanted = (drawing, shown, shown.data_version, self.colours.by)
        if wanted != self._shown_data:
            with contextlib.suppress(ClosedSessionError, ModelGoneError):
                self.node_data = shown.node_data(drawing.graph)
                self._cards = cards_to_wire(drawing.graph, self.node_data)
                is_outdated = drawing.structure_version != shown.structure_version
                # A model without hooks has none until a captured run finds some, which makes the drawing outdated.
                if not is_live or self.hooks or self._listed_for is not drawing or is_outdated:
                    self._list_hooks(drawing, shown)
                self.colours.look(shown, drawing.graph)
                self._shown_data = wanted
        with contextlib.suppress(ClosedSessionError, ModelGoneError):
            self.health.look(session, drawing.graph, is_live=is_live)
        status = status_of(session, drawing.graph, " · ".join(filter(None, (problem, drawing.problem))))
        return Scene(
            drawing.svg,
            drawing.wire,
            *self._cards,
            status if held is None else status_at(status, held, drawing.graph),
            switches_of(session),
            self.health.wire if held is None else self.health.at(held, drawing.graph),
            self._listed,
            self._hook_states,
            selected,
            sorted(drawing.expanded),
            self.colours.by or "",
            self.colours.wire,
            playback_to_wire(session, held, pinned),
        )

    def _list_hooks(self, drawing: Drawing, shown: Source) -> None:
        # That there were none when it was drawn is so until its structure is another one.
        is_as_drawn = drawing.structure_version == self._session.structure_version
        none = () if not drawing.picture.hooks and is_as_drawn else None
        self.hooks = hooks_to_wire(self._session, drawing.graph, shown.hook_reports(), none)
        self._listed_for = drawing
        listed, states = listed_and_states(self.hooks)
        self._listed = self._listed if listed == self._listed else listed
        self._hook_states = self._hook_states if states == self._hook_states else states


def moment_of(session: Session) -> tuple[object, ...]:
    """Equal for two moments between which nothing happened that a picture would show."""
    try:
        is_there = session.model is not None
    except ModelGoneError:
        is_there = False
    return (
        session.structure_version,
        session.data_version,
        session.runs_seen,
        session.is_open,
        session.is_paused,
        session.problem,
        session.name,
        is_there,
    )
