"""What has a picture: the session as it stands, and each captured step of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from hookviz.session.picture import Look, Picture

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.graph.badges import Badges
    from hookviz.graph.colour_by import ColourBy
    from hookviz.graph.colouring import Colouring
    from hookviz.graph.graph import Graph
    from hookviz.graph.node_data import NodeData


class Pictured(ABC):
    """Something whose graph, values and colours are drawn in several forms."""

    @abstractmethod
    def picture(self) -> Picture:
        """The whole graph with the hooks on it, from which visible ones are made."""

    @abstractmethod
    def node_data(self, graph: Graph) -> dict[str, NodeData]:
        """What the nodes and groups of a graph show, by id."""

    @abstractmethod
    def colouring(self, graph: Graph, by: ColourBy) -> Colouring:
        """How the cards of a graph are coloured by one of their numbers."""

    @abstractmethod
    def badges(self, graph: Graph) -> Badges:
        """What looks wrong, on the cards of a graph."""

    def _titled(self, graph: Graph) -> Graph:
        """A graph with the title that it has where it stands alone."""
        return graph

    def _notes(self) -> Sequence[str]:
        """What stands below the title of a picture in text."""
        return ()

    def graph(self, depth: int | None = None, expanded: Collection[str] | None = None) -> Graph:
        """The picture's structure, unfolded to a depth or at the given paths."""
        return self.picture().visible(depth, expanded)

    def full_graph(self) -> Graph:
        """The structure with every container unfolded."""
        return self.picture().whole

    def dot(
        self, depth: int | None = None, *, direction: Direction | None = None, colour_by: ColourBy | None = None
    ) -> str:
        """The picture in Graphviz's language; see ``Session.dot``."""
        graph = self._titled(self.graph(depth))
        return Picture.dot(graph, self.node_data(graph), self._look(graph, direction, colour_by))

    def svg(
        self, depth: int | None = None, *, direction: Direction | None = None, colour_by: ColourBy | None = None
    ) -> str:
        """The picture as a stand-alone SVG; see ``Session.dot``."""
        graph = self._titled(self.graph(depth))
        return Picture.svg(graph, self.node_data(graph), self._look(graph, direction, colour_by))

    def png(
        self, depth: int | None = None, *, direction: Direction | None = None, colour_by: ColourBy | None = None
    ) -> bytes:
        """The picture as a PNG; see ``Session.dot``."""
        return Picture.png(self.dot(depth, direction=direction, colour_by=colour_by))

    def text(self, depth: int | None = None) -> str:
        """The picture as an indented tree of text."""
        graph = self._titled(self.graph(depth))
        return Picture.text(graph, self.node_data(graph), self._notes())

    def _look(self, graph: Graph, direction: Direction | None, by: ColourBy | None) -> Look:
        """How a graph is drawn, with colours where somebody asked for some."""
        return Look(direction, None if by is None else self.colouring(graph, by), self.badges(graph))
