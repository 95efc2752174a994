"""What all widgets of one session show together: one layout, one selection, one set of unfolded containers."""

from __future__ import annotations

import contextlib
import threading
import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from hookviz.errors import ClosedSessionError, HookvizError, ModelGoneError
from hookviz.graph.graph import Group, Node
from hookviz.graph.node_data import NodeData
from hookviz.widget.card_lines import cards_to_wire
from hookviz.widget.colour_wire import ColoursWire
from hookviz.widget.colours import Colours
from hookviz.widget.drawing import Drawing, draw, with_way_back
from hookviz.widget.folding import Folding, Trail
from hookviz.widget.health_view import HealthView
from hookviz.widget.health_wire import HealthWire
from hookviz.widget.hook_entries import hooks_to_wire, listed_and_states
from hookviz.widget.hook_wire import HookStatesWire, HookWire, ListedHookWire
from hookviz.widget.status import status_of, switches_of, visible_node
from hookviz.widget.step_source import are_drawn_alike, playback_to_wire, status_at
from hookviz.widget.wire import CardWordsWire, GraphWire, StatusWire, SwitchWire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy
    from hookviz.session import Session
    from hookviz.session.step import Step
    from hookviz.widget.compare_commands import Pinned
    from hookviz.widget.step_source import Source
    from hookviz.widget.step_wire import PlaybackWire
    from hookviz.widget.updates import Updates


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view shows at one moment; its fields are the widgets' traits."""

    svg: str
    graph: GraphWire
    numbers: bytes
    node_data: dict[str, CardWordsWire]
    status: StatusWire
    switches: list[SwitchWire]
    health: HealthWire
    hooks: list[ListedHookWire]
    hook_states: HookStatesWire
    selected: str
    expanded: list[str]
    colour_by: str
    colours: ColoursWire
    playback: PlaybackWire


class View(Protocol):
    """What shows scenes: a widget."""

    def show(self, scene: Scene) -> None:
        """Show this scene instead of the last one."""


def presentation_of(session: Session) -> Presentation:
    """The presentation that all widgets of this session share; made with the first of them."""
    reference = _presentations.get(session)
    presentation = None if reference is None else reference()
    if presentation is None:
        presentation = Presentation(session)
        _presentations[session] = weakref.ref(presentation)
    return presentation


class Presentation:
    """Owns what is shown of a session, and tells its views when that changes.

    Lays out once for all views. Its methods may be called from any thread: clicks are answered by the
    main thread or by a thread of the kernel's own. When the session is closed or its model is gone,
    the last picture stays.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._views: weakref.WeakSet[View] = weakref.WeakSet()
        self._lock = threading.RLock()
        self._trail = Trail()
        """How somebody unfolded it."""
        self.held: Step | None = None
        """The past step that is shown for as long as nobody goes on."""
        self.pinned: Pinned | None = None
        """What others are compared with."""
        self.drawing = draw(session)
        self.node_data: dict[str, NodeData] = {}
        """What the cards of the drawing show."""
        self.updates: Updates | None = None
        """What calls ``refresh`` while cells run; made for the first widget."""
        self.problem = ""
        """What a fault in showing switched off, else empty."""
        self.hooks: list[HookWire] = []
        """The hooks on the model."""
        self.colours = Colours()
        self._health = HealthView()
        self._cards: tuple[bytes, dict[str, CardWordsWire]] = b"", {}
        self._listed: list[ListedHookWire] = []
        self._listed_for: Drawing | None = None
        self._hook_states: HookStatesWire = {"states": [], "of": []}
        self._shown_data: tuple[object, ...] | None = None
        self._moment: tuple[object, ...] = ()
        self.scene = self._look("")

    def add(self, view: View) -> None:
        """Tell a view of each change from now on, as long as it lives."""
        with self._lock:
            self._views.add(view)
            view.show(self.scene)

    def remove(self, view: View) -> None:
        """Tell a view of nothing more."""
        with self._lock:
            self._views.discard(view)

    @property
    def has_views(self) -> bool:
        """Whether anything shows it at the moment."""
        return bool(self._views)

    @property
    def is_stale(self) -> bool:
        """Whether the session has something newer than what is shown."""
        return self._is_outdated or self._moment != (self.problem, *moment_of(self.session))

    @property
    def is_behind(self) -> bool:
        """Whether what looks wrong was not looked for since the last values came, as it costs more."""
        return self._health.is_behind

    @property
    def _is_outdated(self) -> bool:
        """Whether the drawing shows another structure than the session has."""
        return self.drawing.structure_version != self.shown.structure_version

    @property
    def shown(self) -> Source:
        """What the picture takes its values from: the session as it is now, or a past step of it."""
        return self.session if self.held is None else self.held

    def refresh(self, *, wait: bool = True, may_draw: bool = True) -> bool:
        """Show the session as it is now, laid out anew only if its structure changed.

        ``wait=False`` is for a running cell: do nothing while another thread works on the picture, and
        leave hooks that came or went to the next captured run, which looks for them in any case.
        Without ``may_draw``, new values are shown in the old layout.

        Returns:
            Whether it was done.
        """
        if not self._lock.acquire(blocking=wait):
            return False
        try:
            if wait:
                self.look_for_hooks()
            if may_draw and (self._is_outdated or self.drawing.graph.title != self.session.name):
                with contextlib.suppress(ClosedSessionError, ModelGoneError):
                    self._draw_anew()
            self._show(self._look(self.scene.selected, is_live=not wait))
        finally:
            self._lock.release()
        return True

    def look_for_hooks(self) -> None:
        """See whether hooks came or went, which makes the picture stale."""
        with contextlib.suppress(ModelGoneError):
            self.session.look_for_hooks()

    def _draw_anew(self) -> None:
        folding = self._trail.now
        # A picture that nobody touched may run another way once its edges are known.
        direction = folding.direction if folding.is_natural else self.drawing.direction
        try:
            drawing = draw(self.shown, folding, direction=direction)
        except (ClosedSessionError, ModelGoneError):
            raise
        except HookvizError:
            # With the operations that a run brings, what was unfolded is too much for one picture.
            self._trail.begin_anew()
            drawing = draw(self.shown, self._trail.now, direction=direction)
        self.drawing = with_way_back(drawing, leads_back=self._trail.leads_back)

    def fold(self, path: str, *, is_expanded: bool) -> None:
        """Unfold a container, or fold it; what was unfolded inside is remembered.

        In a row of identical siblings, to unfold one takes it out of the row, and to fold it puts it back.

        Raises:
            UnknownModuleError: if the model has no module at this path.
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            graph = self.drawing.graph
            if path not in {*(group.path for group in graph.groups), *(node.path for node in graph.nodes)}:
                # Raises with the nearest names if there is no such module.
                self.session[path]
            chosen = self._expanded()
            self._unfold(chosen | {path} if is_expanded else chosen - {path})

    def reveal(self, path: str) -> None:
        """Select a module, and unfold all containers around it.

        Raises:
            UnknownModuleError: if the model has no module at this path.
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            # Raises with the nearest names if there is no such module.
            self.session[path]
            names = path.split(".")
            around = {".".join(names[:end]) for end in range(1, len(names))}
            # One of a row of identical siblings is taken out of it.
            taken_out = {each for each in (*around, path) if self._is_in_a_row(each, self._expanded() | around)}
            self.session.look_into(path)
            if not around <= self.drawing.expanded or taken_out:
                self._unfold(self._expanded() | around | taken_out, show=False)
            # The model itself has no card, and can be looked into all the same.
            self._show(self._look(visible_node(self.drawing.graph, path) or f"module:{path}"))

    def _is_in_a_row(self, path: str, expanded: frozenset[str]) -> bool:
        graph = self.drawing.picture.visible(None, expanded, folds_alike=self.drawing.folds_alike)
        return any(path in node.members[1:] for node in graph.nodes)

    def _expanded(self) -> frozenset[str]:
        chosen = self._trail.now.expanded
        return self.drawing.expanded if chosen is None else chosen

    def _unfold(self, chosen: frozenset[str], *, show: bool = True) -> None:
        self._go(self._trail.now.unfolded_at(chosen, folds_alike=self.drawing.folds_alike), show=show)

    def unfold_to(self, depth: int) -> None:
        """Unfold all containers down to a depth, and none below.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            self._go(self._trail.now.unfolded_to(max(0, depth)))

    def turn(self, direction: Direction) -> None:
        """Lay out from the top to the bottom, or from left to right."""
        with self._lock:
            # So that the way back leads to the one that it had by itself.
            self._trail.now = self._trail.now.running(self.drawing.direction)
            self._go(self._trail.now.running(direction))

    def go_back(self) -> None:
        """Lay out as before the last time that somebody folded, unfolded or turned the picture.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            before = self._trail.before()
            if before is not None:
                drawing = self._drawn(before)
                self._trail.go_back()
                self._show_drawing(drawing)

    def _go(self, folding: Folding, *, show: bool = True) -> None:
        drawing = self._drawn(folding)
        self._trail.go(folding)
        self._show_drawing(drawing, show=show)

    def _drawn(self, folding: Folding) -> Drawing:
        # What somebody looks at does not turn under their eyes.
        return draw(self.shown, folding, direction=folding.direction or self.drawing.direction, before=self.drawing)

    def _show_drawing(self, drawing: Drawing, *, show: bool = True) -> None:
        self.drawing = with_way_back(drawing, leads_back=self._trail.leads_back)
        if show:
            self._show(self._look(self.scene.selected))

    def expand(self, paths: Iterable[str]) -> None:
        """Unfold just these containers, of which those around others must be among them.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            self._unfold(frozenset(paths))

    def colour(self, by: ColourBy | None) -> None:
        """Colour the cards by one of their numbers, or by none."""
        with self._lock:
            if by != self.colours.by:
                self.colours.by = by
                self._show(self._look(self.scene.selected))

    def hold(self, step: int | None) -> None:
        """Show a captured step until it is told otherwise; None goes back to the newest, whichever that is.

        Raises:
            UnknownStepError: if the step is not there; the message has those that are.
            ModelGoneError: if another layout is needed, and the model is gone.
        """
        with self._lock:
            before, held = self.held, None if step is None else self.session.at_step(step)
            shown_before = self.shown
            self.held = held
            try:
                if self._is_outdated:
                    if are_drawn_alike(shown_before, self.shown):
                        self.drawing = replace(self.drawing, structure_version=self.shown.structure_version)
                    else:
                        self._draw_anew()
            except HookvizError:
                self.held = before
                raise
            self.session.hold(step)
            self._show(self._look(self.scene.selected))

    def pin(self, pinned: Pinned | None) -> None:
        """Compare others with this value from now on, or with none."""
        with self._lock:
            self.pinned = pinned
            self._show(self._look(self.scene.selected))

    def select(self, node_id: str) -> None:
        """Select a node in all views; empty text selects nothing."""
        with self._lock:
            if node_id != self.scene.selected:
                self.session.look_into(*self._path_of(node_id))
                self._show(replace(self.scene, selected=node_id))

    def _path_of(self, node_id: str) -> list[str]:
        graph = self.drawing.graph
        items: tuple[Node | Group, ...] = (*graph.nodes, *graph.groups)
        return [item.path for item in items if item.id == node_id]

    def _show(self, scene: Scene) -> None:
        self.scene = scene
        for view in tuple(self._views):
            view.show(scene)

    def _look(self, selected: str, *, is_live: bool = False) -> Scene:
        drawing, session = self.drawing, self.session
        # Read first: what comes in while we look makes the next look necessary.
        self._moment = (self.problem, *moment_of(session))
        shown = self.shown
        wanted = (drawing, shown, shown.data_version, self.colours.by)
        if wanted != self._shown_data:
            with contextlib.suppress(ClosedSessionError, ModelGoneError):
                self.node_data = shown.node_data(drawing.graph)
                self._cards = cards_to_wire(drawing.graph, self.node_data)
                # A model without hooks has none until a captured run finds some, which makes the drawing outdated.
                if not is_live or self.hooks or self._listed_for is not drawing or self._is_outdated:
                    self._list_hooks(drawing)
                self.colours.look(shown, drawing.graph)
                self._shown_data = wanted
        with contextlib.suppress(ClosedSessionError, ModelGoneError):
            self._health.look(session, drawing.graph, is_live=is_live)
        status = status_of(session, drawing.graph, " · ".join(filter(None, (self.problem, drawing.problem))))
        return Scene(
            drawing.svg,
            drawing.wire,
            *self._cards,
            status if self.held is None else status_at(status, self.held, drawing.graph),
            switches_of(session),
            self._health.wire,
            self._listed,
            self._hook_states,
            selected,
            sorted(drawing.expanded),
            self.colours.by or "",
            self.colours.wire,
            playback_to_wire(session, self.held, self.pinned),
        )

    def _list_hooks(self, drawing: Drawing) -> None:
        # That there were none when it was drawn is so until its structure is another one.
        none = () if not drawing.picture.hooks and drawing.structure_version == self.session.structure_version else None
        self.hooks = hooks_to_wire(self.session, drawing.graph, self.shown.hook_reports(), none)
        self._listed_for = drawing
        listed, states = listed_and_states(self.hooks)
        # The same list as before need not be compared with it by each view.
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


# Weak on both sides: a presentation lives as long as a widget shows it, and keeps its session that long.
_presentations: weakref.WeakKeyDictionary[Session, weakref.ref[Presentation]] = weakref.WeakKeyDictionary()
