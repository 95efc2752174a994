"""The picture of a watched model, as it stands or as it was in a captured step."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hookviz.graph.colour_by import ColourBy, measure_named
from hookviz.graph.graph import Graph
from hookviz.session.accepted import require_graph
from hookviz.session.measuring import colouring_by
from hookviz.session.picture import Picture
from hookviz.session.pictured import Pictured
from hookviz.session.stepping import Stepping
from hookviz.session.values import node_data_of

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.graph.colouring import Colouring
    from hookviz.graph.node_data import NodeData


class Showing(Stepping, Pictured):
    """A watched model with its picture."""

    def graph(
        self, depth: int | None = None, expanded: Collection[str] | None = None, *, step: int | None = None
    ) -> Graph:
        """The picture's structure, unfolded to a depth or at the given paths; of a captured step as it was then.

        By default as far as about 60 nodes go.

        Raises:
            OptionError: if it is no depth, or the paths are not several.
            UnknownStepError: if the step is not there; the message has those that are.
            ModelGoneError: if its owner dropped the model.
        """
        return super().graph(depth, expanded) if step is None else self.at_step(step).graph(depth, expanded)

    def node_data(self, graph: Graph) -> dict[str, NodeData]:
        """What the nodes and groups of a graph show of the last captured run, by id.

        Raises:
            OptionError: if it is no graph.
        """
        require_graph(graph)
        data = node_data_of(
            graph,
            self.run,
            self.troubles,
            module_id=self._parts.identity,
            is_enabled=self.is_enabled,
            is_compiled=self._parts.is_compiled,
            why_not_called=self._reasons().of_uncalled,
        )
        return self._with_hooks(graph, data if self.failure is None else self.failure.marked(graph, data))

    def colouring(self, graph: Graph, by: ColourBy) -> Colouring:
        """How the cards of a graph are coloured by one of their numbers, as the last captured run has them.

        Args:
            graph: As ``graph()`` gives it.
            by: ``"scale"`` of the output, norm of the ``"gradient"``, share of ``"zeros"``, ``"time"`` of forward,
                ``"memory"`` of activations, or number of ``"parameters"``.

        Raises:
            OptionError: if it is no graph, or there is no such number.
        """
        require_graph(graph)
        return colouring_by(graph, measure_named(by), self.run, self._parts.index.find)

    def picture(self) -> Picture:
        """The whole graph with the hooks on it, from which visible ones are made.

        Raises:
            ModelGoneError: if its owner dropped the model.
        """
        return Picture.of(self.model, self._capturing.flow, self.name, self.hooks)

    def dot(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> str:
        """The picture in Graphviz's language.

        Args:
            depth: How many levels of containers are unfolded; None for what is well readable.
            direction: ``"TB"``, from the top to the bottom, or ``"LR"``, from left to right; None for that in which
                the whole can be seen larger.
            step: A captured step, of ``steps``, that is shown as it was; None for the newest.
            colour_by: The number that cards are coloured by, see ``colouring``; None for no colours.

        Raises:
            OptionError: if it is no depth, no direction or no such number.
            UnknownStepError: if the step is not there; the message has those that are.
            ModelGoneError: if its owner dropped the model.
        """
        if step is not None:
            return self.at_step(step).dot(depth, direction=direction, colour_by=colour_by)
        return super().dot(depth, direction=direction, colour_by=colour_by)

    def svg(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> str:
        """The picture as a stand-alone SVG; the arguments are those of ``dot``.

        Raises:
            RenderError: if no engine could lay it out; ``text`` needs none. Others as for ``dot``.
        """
        if step is not None:
            return self.at_step(step).svg(depth, direction=direction, colour_by=colour_by)
        return super().svg(depth, direction=direction, colour_by=colour_by)

    def png(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> bytes:
        """The picture as a PNG; the arguments are those of ``dot``.

        Raises:
            RenderError: if no engine could lay it out; ``text`` needs none. Others as for ``dot``.
        """
        if step is not None:
            return self.at_step(step).png(depth, direction=direction, colour_by=colour_by)
        return super().png(depth, direction=direction, colour_by=colour_by)

    def text(self, depth: int | None = None, *, step: int | None = None) -> str:
        """The picture as an indented tree of text; what of the model cannot be observed stands below its name."""
        return super().text(depth) if step is None else self.at_step(step).text(depth)

    def _notes(self) -> list[str]:
        return self.unobservable()
