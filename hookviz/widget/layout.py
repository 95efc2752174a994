"""The drawing that is shown and the one that is wanted, how somebody unfolded and turned it, and the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hookviz.errors import ClosedSessionError, HookvizError, ModelGoneError
from hookviz.widget.drawing import Drawing, Plan, Unfolded, draw, plan
from hookviz.widget.folding import Folding, Trail
from hookviz.widget.step_source import are_drawn_alike

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.widget.step_source import Source


class Layout:
    """Plans drawings of a source, which is given anew with each change, and keeps the one that is shown.

    A change is planned on top of those before it, laid out or not. Where one raises, all stays as it was.
    """

    def __init__(self, source: Source) -> None:
        self.drawing = draw(source)
        self._trail = Trail()
        self._wanted: Unfolded = self.drawing

    @property
    def waiting(self) -> Plan | None:
        """What is to be laid out, None if it is what is shown."""
        return self._wanted if isinstance(self._wanted, Plan) else None

    def take(self, drawing: Drawing) -> None:
        """What was waiting is laid out: show it."""
        self.drawing = self._wanted = drawing

    def give_up(self) -> None:
        """What was waiting cannot be laid out: all is as it is shown."""
        self._wanted = self.drawing
        self._trail.now = self.drawing.folding

    def is_outdated_for(self, source: Source) -> bool:
        """Whether the source has another structure or name than what is wanted."""
        wanted = self._wanted
        return wanted.structure_version != source.structure_version or wanted.graph.title != source.name

    def draw_anew(self, source: Source) -> None:
        """Draw what the source has now, unfolded as before as far as that fits into a picture.

        Raises:
            ClosedSessionError: if the session is closed.
            ModelGoneError: if the model is gone.
        """
        folding = self._trail.now
        # A picture that nobody touched may run another way once its edges are known.
        direction = folding.direction if folding.is_natural else self._wanted.direction
        try:
            wanted = plan(source, folding, direction=direction, leads_back=self._trail.leads_back)
        except (ClosedSessionError, ModelGoneError):
            raise
        except HookvizError:
            # With the operations that a run brings, what was unfolded is too much for one picture.
            self._trail.begin_anew()
            wanted = plan(source, self._trail.now, direction=direction, leads_back=False)
        self._wanted = wanted

    def change_source(self, before: Source, source: Source) -> None:
        """Show another step, in the same drawing where one does for both."""
        if not self.is_outdated_for(source):
            return
        if self.waiting is None and are_drawn_alike(before, source):
            self.take(replace(self.drawing, structure_version=source.structure_version))
        else:
            self.draw_anew(source)

    def shows(self, path: str) -> bool:
        """Whether something stands for this module by itself."""
        graph = self._wanted.graph
        return path in {*(group.path for group in graph.groups), *(node.path for node in graph.nodes)}

    def fold(self, source: Source, path: str, *, is_expanded: bool) -> None:
        """Unfold a container, or fold it."""
        chosen = self._expanded()
        self.expand(source, chosen | {path} if is_expanded else chosen - {path})

    def reveal(self, source: Source, path: str) -> None:
        """Unfold all containers around a module."""
        names = path.split(".")
        around = {".".join(names[:end]) for end in range(1, len(names))}
        # One of a row of identical siblings is taken out of it.
        taken_out = {each for each in (*around, path) if self._is_in_a_row(each, self._expanded() | around)}
        if not around <= self._wanted.expanded or taken_out:
            self.expand(source, self._expanded() | around | taken_out)

    def expand(self, source: Source, chosen: frozenset[str]) -> None:
        """Unfold just these."""
        self._go(source, self._trail.now.unfolded_at(chosen, folds_alike=self._wanted.folds_alike))

    def unfold_to(self, source: Source, depth: int) -> None:
        """Unfold all containers down to a depth, and none below."""
        self._go(source, self._trail.now.unfolded_to(max(0, depth)))

    def turn(self, source: Source, direction: Direction) -> None:
        """Draw from the top to the bottom, or from left to right."""
        # So that the way back leads to the one that it had by itself.
        self._trail.now = self._trail.now.running(self._wanted.direction)
        self._go(source, self._trail.now.running(direction))

    def go_back(self, source: Source) -> bool:
        """Draw as before the last change; False if there was none."""
        before = self._trail.before()
        if before is None:
            return False
        wanted = self._planned(source, before, leads_back=self._trail.is_long)
        self._trail.go_back()
        self._wanted = wanted
        return True

    def _is_in_a_row(self, path: str, expanded: frozenset[str]) -> bool:
        graph = self._wanted.picture.visible(None, expanded, folds_alike=self._wanted.folds_alike)
        return any(path in node.members[1:] for node in graph.nodes)

    def _expanded(self) -> frozenset[str]:
        chosen = self._trail.now.expanded
        return self._wanted.expanded if chosen is None else chosen

    def _go(self, source: Source, folding: Folding) -> None:
        leads_back = self._trail.leads_back or folding != self._trail.now
        wanted = self._planned(source, folding, leads_back=leads_back)
        self._trail.go(folding)
        self._wanted = wanted

    def _planned(self, source: Source, folding: Folding, *, leads_back: bool) -> Plan:
        # What somebody looks at does not turn under their eyes.
        way = folding.direction or self._wanted.direction
        return plan(source, folding, direction=way, before=self._wanted, leads_back=leads_back)
