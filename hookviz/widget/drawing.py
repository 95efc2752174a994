"""The laid-out diagram of a session: made anew when the structure or the folding changes, not with values.

First it is planned, which asks the session. To lay out the plan takes long, asks nothing, and may go on in
another thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    from hookviz.diagram.stopping import Stop
    from hookviz.graph.node_data import NodeData
    from hookviz.session.picture import Picture
    from hookviz.widget.step_source import Source

MAX_NODES = 1500
"""More are not laid out: it takes a second and longer, and no eye finds its way."""

AS_IS_READABLE: Final = Folding()
"""Unfolded as far as is well readable."""


@dataclass(frozen=True, slots=True, eq=False)
class Unfolded:
    """What a picture shows, laid out or not."""

    graph: Graph
    picture: Picture
    """What it was made from."""
    structure_version: object
    direction: Direction
    folding: Folding
    """How somebody chose it."""
    folds_alike: bool
    """Whether identical siblings are folded into one node."""
    leads_back: bool
    """Whether there was another one before."""

    @property
    def whole(self) -> Graph:
        """The same with everything unfolded."""
        return self.picture.whole

    @property
    def expanded(self) -> frozenset[str]:
        """Paths of the containers that are unfolded in it, and of modules taken out of a row of identical ones."""
        taken_out = (node.path for node in self.graph.nodes if node.is_taken_out)
        return frozenset([*(group.path for group in self.graph.groups), *taken_out])


@dataclass(frozen=True, slots=True, eq=False)
class Plan(Unfolded):
    """All that a layout needs; it holds no model, so that any thread may lay it out."""

    node_data: Mapping[str, NodeData]
    """What its cards say at first."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing(Unfolded):
    """One layout."""

    wire: GraphWire
    svg: str
    """Empty if no engine could lay it out; ``problem`` then says why."""
    problem: str


def draw(
    session: Source,
    folding: Folding = AS_IS_READABLE,
    *,
    direction: Direction | None = None,
    before: Unfolded | None = None,
) -> Drawing:
    """Lay out the session's graph at once; the arguments are those of ``plan``.

    Raises:
        HookvizError: if so much is unfolded that there would be too many nodes.
    """
    return lay_out(plan(session, folding, direction=direction, before=before))


def plan(
    session: Source,
    folding: Folding = AS_IS_READABLE,
    *,
    direction: Direction | None = None,
    before: Unfolded | None = None,
    leads_back: bool = False,
) -> Plan:
    """What to lay out of the session.

    Args:
        session: The session, or a step of it.
        folding: How far it is unfolded; by default as far as is well readable.
        direction: Which way it runs, where the folding does not say; None for what suits the graph.
        before: Another picture of the same session; while the structure is the same, this one is made from it.
        leads_back: Whether there was another one before, to go back to.

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
    has_rows = any(node.repeats > 1 for node in graph.nodes)
    return Plan(
        graph,
        picture,
        version,
        folding.direction or direction or natural_direction(graph),
        folding,
        folding.folds_alike if folding.folds_alike is not None else folding.depth is None or has_rows,
        leads_back,
        session.node_data(graph),
    )


def lay_out(planned: Plan, stop: Stop | None = None) -> Drawing:
    """Do what was planned.

    Raises:
        StoppedError: if it was ended from another thread.
    """
    graph, way, depth = planned.graph, planned.direction, planned.folding.depth
    try:
        svg, problem = render_svg(to_dot(graph, planned.node_data, direction=way), stop), ""
    except RenderError as error:
        svg, problem = "", str(error)
    return Drawing(
        graph,
        planned.picture,
        planned.structure_version,
        way,
        planned.folding,
        planned.folds_alike,
        planned.leads_back,
        graph_to_wire(graph, max_depth(planned.whole), depth, way, leads_back=planned.leads_back),
        svg,
        problem,
    )
