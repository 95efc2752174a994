"""The laid-out diagram of a session: made anew when the structure or the folding changes, not with values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hookviz.diagram.direction import natural_direction
from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_svg
from hookviz.errors import HookvizError, RenderError
from hookviz.graph.collapse import max_depth
from hookviz.graph.graph import Graph
from hookviz.widget.encoding import graph_to_wire
from hookviz.widget.folding import Folding
from hookviz.widget.graph_wire import GraphWire

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.session.picture import Picture
    from hookviz.widget.step_source import Source

MAX_NODES = 1500
"""More are not laid out: it takes a second and longer, and no eye finds its way."""

AS_IS_READABLE: Final = Folding()
"""Unfolded as far as is well readable."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """One layout and what it shows."""

    graph: Graph
    picture: Picture
    """What it was made from."""
    wire: GraphWire
    svg: str
    """Empty if no engine could lay it out; ``problem`` then says why."""
    problem: str
    structure_version: object
    direction: Direction
    folds_alike: bool
    """Whether identical siblings are folded into one node."""

    @property
    def whole(self) -> Graph:
        """The same with everything unfolded."""
        return self.picture.whole

    @property
    def expanded(self) -> frozenset[str]:
        """Paths of the containers that are unfolded in it, and of modules taken out of a row of identical ones."""
        taken_out = (node.path for node in self.graph.nodes if node.is_taken_out)
        return frozenset([*(group.path for group in self.graph.groups), *taken_out])


def draw(
    session: Source,
    folding: Folding = AS_IS_READABLE,
    *,
    direction: Direction | None = None,
    before: Drawing | None = None,
) -> Drawing:
    """Lay out the session's graph.

    Args:
        session: The session, or a step of it.
        folding: How far it is unfolded; by default as far as is well readable.
        direction: Which way it runs, where the folding does not say; None for what suits the graph.
        before: A layout of the same session; while the structure is the same, this one is made from it.

    Raises:
        HookvizError: if so much is unfolded that there would be too many nodes.
    """
    session.look_for_hooks()
    # Read before the graph: if it changes in between, the next look lays out once more.
    version = session.structure_version
    is_same = before is not None and before.structure_version == version and before.graph.title == session.name
    picture = before.picture if before is not None and is_same else session.picture()
    graph = picture.visible(folding.depth, folding.expanded, folds_alike=folding.folds_alike)
    if len(graph.nodes) > MAX_NODES:
        raise HookvizError(
            f"This would draw {len(graph.nodes):,} nodes, more than {MAX_NODES:,}: unfold single containers instead."
        )
    way = folding.direction or direction or natural_direction(graph)
    try:
        svg, problem = render_svg(to_dot(graph, session.node_data(graph), direction=way)), ""
    except RenderError as error:
        svg, problem = "", str(error)
    has_rows = any(node.repeats > 1 for node in graph.nodes)
    return Drawing(
        graph,
        picture,
        graph_to_wire(graph, max_depth(picture.whole), folding.depth, way),
        svg,
        problem,
        version,
        way,
        folds_alike=folding.folds_alike if folding.folds_alike is not None else folding.depth is None or has_rows,
    )


def with_way_back(drawing: Drawing, *, leads_back: bool) -> Drawing:
    """The same layout, which says whether there was another one before."""
    return replace(drawing, wire={**drawing.wire, "leads_back": leads_back})
