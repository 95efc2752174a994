"""The drawing that is shown, how somebody unfolded and turned it, and the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hookviz.errors import ClosedSessionError, HookvizError, ModelGoneError
from hookviz.widget.drawing import Drawing, draw, with_way_back
from hookviz.widget.folding import Folding, Trail
from hookviz.widget.step_source import are_drawn_alike

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.widget.step_source import Source


class Layout:
    """Owns a drawing of a source, which is given anew with each change.

    Where a change raises, the drawing stays as it was.
    """

    def __init__(self, source: Source) -> None:
        self.drawing = draw(source)
        self._trail = Trail()

    def is_outdated_for(self, source: Source) -> bool:
        """Whether the drawing shows another structure than the source has."""
        return self.drawing.structure_version != source.structure_version

    def draw_anew(self, source: Source) -> None:
        """Draw what the source has now, unfolded as before as far as that fits into a picture.

        Raises:
            ClosedSessionError: if the session is closed.
            ModelGoneError: if the model is gone.
        """
        folding = self._trail.now
        # A picture that nobody touched may run another way once its edges are known.
        direction = folding.direction if folding.is_natural else self.drawing.direction
        try:
            drawing = draw(source, folding, direction=direction)
        except (ClosedSessionError, ModelGoneError):
            raise
        except HookvizError:
            # With the operations that a run brings, what was unfolded is too much for one picture.
            self._trail.begin_anew()
            drawing = draw(source, self._trail.now, direction=direction)
        self._take(drawing)

    def change_source(self, before: Source, source: Source) -> None:
        """Show another step, in the same drawing where one does for both."""
        if not self.is_outdated_for(source):
            return
        if are_drawn_alike(before, source):
            self.drawing = replace(self.drawing, structure_version=source.structure_version)
        else:
            self.draw_anew(source)

    def shows(self, path: str) -> bool:
        """Whether something stands for this module by itself."""
        graph = self.drawing.graph
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
        if not around <= self.drawing.expanded or taken_out:
            self.expand(source, self._expanded() | around | taken_out)

    def expand(self, source: Source, chosen: frozenset[str]) -> None:
        """Unfold just these."""
        self._go(source, self._trail.now.unfolded_at(chosen, folds_alike=self.drawing.folds_alike))

    def unfold_to(self, source: Source, depth: int) -> None:
        """Unfold all containers down to a depth, and none below."""
        self._go(source, self._trail.now.unfolded_to(max(0, depth)))

    def turn(self, source: Source, direction: Direction) -> None:
        """Draw from the top to the bottom, or from left to right."""
        # So that the way back leads to the one that it had by itself.
        self._trail.now = self._trail.now.running(self.drawing.direction)
        self._go(source, self._trail.now.running(direction))

    def go_back(self, source: Source) -> bool:
        """Draw as before the last change; False if there was none."""
        before = self._trail.before()
        if before is None:
            return False
        drawing = self._drawn(source, before)
        self._trail.go_back()
        self._take(drawing)
        return True

    def _is_in_a_row(self, path: str, expanded: frozenset[str]) -> bool:
        graph = self.drawing.picture.visible(None, expanded, folds_alike=self.drawing.folds_alike)
        return any(path in node.members[1:] for node in graph.nodes)

    def _expanded(self) -> frozenset[str]:
        chosen = self._trail.now.expanded
        return self.drawing.expanded if chosen is None else chosen

    def _go(self, source: Source, folding: Folding) -> None:
        drawing = self._drawn(source, folding)
        self._trail.go(folding)
        self._take(drawing)

    def _drawn(self, source: Source, folding: Folding) -> Drawing:
        # What somebody looks at does not turn under their eyes.
        return draw(source, folding, direction=folding.direction or self.drawing.direction, before=self.drawing)

    def _take(self, drawing: Drawing) -> None:
        self.drawing = with_way_back(drawing, leads_back=self._trail.leads_back)
