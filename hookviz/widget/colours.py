"""By what the cards of a presentation are coloured, and how they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookviz.widget.colour_wire import ColoursWire, colours_to_wire

if TYPE_CHECKING:
    from hookviz.graph.colour_by import ColourBy
    from hookviz.graph.colouring import Colouring
    from hookviz.graph.graph import Graph
    from hookviz.widget.step_source import Source


class Colours:
    """Kept beside a presentation; without a choice there are no colours."""

    def __init__(self) -> None:
        self.by: ColourBy | None = None
        """What somebody chose."""
        self.colouring: Colouring | None = None
        self.wire: ColoursWire = colours_to_wire(None)

    def look(self, session: Source, graph: Graph) -> None:
        """Take the colours from what the session has now."""
        self.colouring = None if self.by is None else session.colouring(graph, self.by)
        wire = colours_to_wire(self.colouring)
        # The same colours as before need not be compared by each view.
        self.wire = self.wire if wire == self.wire else wire
