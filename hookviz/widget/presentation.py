"""What all widgets of one session show together: one layout, one selection, one set of unfolded containers."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from hookviz.errors import HookvizError
from hookviz.widget.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy
    from hookviz.graph.graph import Group, Node
    from hookviz.session import Session
    from hookviz.widget.compare_commands import Pinned


def presentation_of(session: Session) -> Presentation:
    """The presentation that all widgets of this session share; made with the first of them."""
    reference = _presentations.get(session)
    presentation = None if reference is None else reference()
    if presentation is None:
        presentation = Presentation(session)
        _presentations[session] = weakref.ref(presentation)
    return presentation


class Presentation(Shown):
    """What is shown of a session, and what somebody does to it.

    A method that changes the layout comes back when it is shown, but for those that a running cell calls from
    between two runs: it does not wait.
    """

    def fold(self, path: str, *, is_expanded: bool) -> None:
        """Unfold a container, or fold it; what was unfolded inside is remembered.

        In a row of identical siblings, to unfold one takes it out of the row, and to fold it puts it back.

        Raises:
            UnknownModuleError: if the model has no module at this path.
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            if not self._layout.shows(path):
                # Raises with the nearest names if there is no such module.
                self.session[path]
            self._layout.fold(self.shown, path, is_expanded=is_expanded)
        self._lay_out()

    def reveal(self, path: str) -> None:
        """Select a module, and unfold all containers around it.

        Raises:
            UnknownModuleError: if the model has no module at this path.
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            # Raises with the nearest names if there is no such module.
            self.session[path]
            self.session.look_into(path)
            self._layout.reveal(self.shown, path)
            self._revealed = path
        self._lay_out()

    def unfold_to(self, depth: int) -> None:
        """Unfold all containers down to a depth, and none below.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            self._layout.unfold_to(self.shown, depth)
        self._lay_out()

    def expand(self, paths: Iterable[str]) -> None:
        """Unfold just these containers, of which those around others must be among them.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            self._layout.expand(self.shown, frozenset(paths))
        self._lay_out()

    def turn(self, direction: Direction) -> None:
        """Lay out from the top to the bottom, or from left to right."""
        with self._lock:
            self._layout.turn(self.shown, direction)
        self._lay_out()

    def go_back(self) -> None:
        """Lay out as before the last time that somebody folded, unfolded or turned the picture.

        Raises:
            HookvizError: if the picture would get too large.
        """
        with self._lock:
            if not self._layout.go_back(self.shown):
                return
        self._lay_out()

    def colour(self, by: ColourBy | None) -> None:
        """Colour the cards by one of their numbers, or by none."""
        with self._lock:
            if by != self.colours.by:
                self.colours.by = by
                self._show_anew()

    def hold(self, step: int | None) -> None:
        """Show a captured step until it is told otherwise; None goes back to the newest, whichever that is.

        Raises:
            UnknownStepError: if the step is not there; the message has those that are.
            ModelGoneError: if another layout is needed, and the model is gone.
        """
        with self._lock:
            before, shown_before = self.held, self.shown
            self.held = None if step is None else self.session.at_step(step)
            try:
                self._layout.change_source(shown_before, self.shown)
            except HookvizError:
                self.held = before
                raise
            self.session.hold(step)
        self._lay_out()

    def pin(self, pinned: Pinned | None) -> None:
        """Compare others with this value from now on, or with none."""
        with self._lock:
            self.pinned = pinned
            self._show_anew()

    def select(self, node_id: str) -> None:
        """Select a node in all views; empty text selects nothing."""
        with self._lock:
            self._revealed = None
            if node_id != self.scene.selected:
                self.session.look_into(*self._paths_of(node_id))
                self._show(replace(self.scene, selected=node_id))

    def _paths_of(self, node_id: str) -> list[str]:
        graph = self.drawing.graph
        items: tuple[Node | Group, ...] = (*graph.nodes, *graph.groups)
        return [item.path for item in items if item.id == node_id]


# Weak on both sides: a presentation lives as long as a widget shows it, and keeps its session that long.
_presentations: weakref.WeakKeyDictionary[Session, weakref.ref[Presentation]] = weakref.WeakKeyDictionary()
