"""The session's picture: its graph, folded as asked for, and the forms that it is given out in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast, get_args

from torch import nn

from hookviz.diagram.badged_svg import finished_svg
from hookviz.diagram.direction import Direction, natural_direction
from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_png, render_svg
from hookviz.diagram.text import to_text
from hookviz.errors import OptionError
from hookviz.graph.alike import fold_alike
from hookviz.graph.badges import Badges
from hookviz.graph.build import build_graph
from hookviz.graph.collapse import collapse, expanded_to_depth
from hookviz.graph.colouring import Colouring
from hookviz.graph.graph import Graph
from hookviz.graph.likeness import Likeness
from hookviz.graph.node_data import NodeData
from hookviz.graph.pills import with_pills
from hookviz.graph.unfolding import MOST_NODES, default_expanded
from hookviz.hooks.hook import Hook
from hookviz.session.accepted import require
from hookviz.tracing.flow import Flow


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is drawn."""

    direction: Direction | None = None
    """None for what suits the graph."""
    colouring: Colouring | None = None
    badges: Badges = field(default_factory=Badges)


AS_IT_SUITS: Final = Look()


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole graph, and the hooks on it, from which the visible ones are made."""

    whole: Graph
    likeness: Likeness
    hooks: Sequence[Hook] = ()

    @classmethod
    def of(cls, model: nn.Module, flow: Flow | None, title: str, hooks: Sequence[Hook]) -> Picture:
        """The picture of a model; without a flow, that of its containment."""
        whole = build_graph(model, flow, title=title)
        return cls(whole, Likeness(whole), hooks)

    def visible(self, depth: int | None, expanded: Collection[str] | None, *, folds_alike: bool | None = None) -> Graph:
        """The graph unfolded at the given paths, else to a depth, else as far as is well readable.

        Args:
            depth: How many levels of containers are unfolded.
            expanded: Paths of the unfolded containers; where identical siblings are folded into one node, also of
                those that stand by themselves.
            folds_alike: Whether identical siblings are folded into one node; None for what is well readable:
                down to a depth that somebody chose, they are only where there would be more than 60 nodes.

        Raises:
            OptionError: if the depth is not a whole number from 0, or the paths are not several.
        """
        require_depth(depth)
        given: object = expanded
        is_several = given is None or (isinstance(given, Collection) and all(isinstance(path, str) for path in given))
        is_several &= not isinstance(given, str)
        require('expanded is the paths that are unfolded, such as ["layer4"]', given, is_accepted=is_several)
        if expanded is not None:
            unfolded = frozenset(expanded)
        elif depth is None:
            unfolded = default_expanded(self.whole, self.likeness)
        else:
            unfolded = expanded_to_depth(self.whole, depth)
        seen = collapse(self.whole, unfolded)
        if folds_alike is None:
            folds_alike = expanded is not None or depth is None or len(seen.nodes) > MOST_NODES
        return with_pills(fold_alike(seen, self.likeness, unfolded) if folds_alike else seen, self.hooks)

    @staticmethod
    def dot(graph: Graph, data: Mapping[str, NodeData], look: Look = AS_IT_SUITS) -> str:
        """The graph in Graphviz's language, in the direction that suits it where none is given."""
        way = chosen_direction(look.direction, graph)
        return to_dot(graph, data, direction=way, colouring=look.colouring, badges=look.badges)

    @staticmethod
    def svg(graph: Graph, data: Mapping[str, NodeData], look: Look = AS_IT_SUITS) -> str:
        """Laid out, as SVG; its colours and badges are not in the DOT, since they need no room."""
        dot = to_dot(graph, data, direction=chosen_direction(look.direction, graph))
        return finished_svg(render_svg(dot), look.colouring, look.badges)

    @staticmethod
    def png(dot: str) -> bytes:
        """Laid out, as PNG."""
        return render_png(dot)

    @staticmethod
    def text(graph: Graph, data: Mapping[str, NodeData], unobservable: Sequence[str] = ()) -> str:
        """As an indented tree; the first of what cannot be observed stands below the title."""
        title, *lines = to_text(graph, data).split("\n")
        return "\n".join([title, *unobservable[:1], *lines])

    @staticmethod
    def content(
        graph: Graph,
        data: Mapping[str, NodeData],
        suffix: str,
        unobservable: Sequence[str],
        look: Look = AS_IT_SUITS,
    ) -> str | bytes:
        """What a file of this suffix holds: ``.dot``, ``.svg`` or ``.png``, else the text."""
        match suffix:
            case ".dot":
                return Picture.dot(graph, data, look)
            case ".svg":
                return Picture.svg(graph, data, look)
            case ".png":
                return Picture.png(Picture.dot(graph, data, look))
            case _:
                return Picture.text(graph, data, unobservable)


def chosen_direction(direction: object, graph: Graph) -> Direction:
    """The direction that somebody wants, or that suits the graph where nobody said.

    Raises:
        OptionError: if it is none.
    """
    return natural_direction(graph) if direction is None else direction_named(direction)


def direction_named(given: object) -> Direction:
    """The direction of this name.

    Raises:
        OptionError: if there is none.
    """
    for known in get_args(Direction):
        if given == known:
            return cast(Direction, known)
    raise OptionError(
        'direction is "TB", from the top to the bottom, or "LR", from left to right; None for what suits the graph; '
        f"got {given!r:.60}."
    )


def require_depth(given: object) -> None:
    """See that this can be how far a picture is unfolded.

    Raises:
        OptionError: if it is not.
    """
    if given is not None and (type(given) is not int or given < 0):
        raise OptionError(f"depth is how many levels are unfolded, a whole number from 0; got {given!r:.60}.")
