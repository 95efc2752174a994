"""The laid-out diagram of a session: made anew when the structure or the folding changes, not with values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_svg
from hookviz.errors import HookvizError, RenderError
from hookviz.graph.collapse import max_depth
from hookviz.graph.graph import Graph
from hookviz.widget.encoding import graph_to_wire
from hookviz.widget.wire import GraphWire

if TYPE_CHECKING:
    from hookviz.session import Session

MAX_NODES = 1500
"""More are not laid out: it takes a second and longer, and no eye finds its way."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """One layout and what it shows."""

    graph: Graph
    whole: Graph
    """The same with everything unfolded."""
    wire: GraphWire
    svg: str
    """Empty if no engine could lay it out; ``problem`` then says why."""
    problem: str
    structure_version: int

    @property
    def expanded(self) -> frozenset[str]:
        """Paths of the containers that are unfolded in it."""
        return frozenset(group.path for group in self.graph.groups)


def draw(
    session: Session,
    *,
    expanded: Collection[str] | None = None,
    depth: int | None = None,
) -> Drawing:
    """Lay out the session's graph; without ``expanded`` and ``depth`` as far unfolded as is well readable.

    Raises:
        HookvizError: if so much is unfolded that there would be too many nodes.
    """
    session.look_for_hooks()
    # Read before the graph: if it changes in between, the next look lays out once more.
    version = session.structure_version
    picture = session.picture()
    graph = picture.visible(depth, expanded)
    if len(graph.nodes) > MAX_NODES:
        raise HookvizError(
            f"This would draw {len(graph.nodes):,} nodes, more than {MAX_NODES:,}: unfold single containers instead."
        )
    try:
        svg, problem = render_svg(to_dot(graph, session.node_data(graph))), ""
    except RenderError as error:
        svg, problem = "", str(error)
    return Drawing(graph, picture.whole, graph_to_wire(graph, max_depth(picture.whole), depth), svg, problem, version)
