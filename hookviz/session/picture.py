"""The session's picture: its graph, folded as asked for, and the forms that it is given out in."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_png, render_svg
from hookviz.diagram.text import to_text
from hookviz.errors import ExportError
from hookviz.graph.build import build_graph
from hookviz.graph.collapse import collapse, default_expanded, expanded_to_depth
from hookviz.graph.graph import Graph
from hookviz.graph.node_data import NodeData
from hookviz.tracing.flow import Flow


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole graph, from which the visible ones are made."""

    whole: Graph

    @classmethod
    def of(cls, model: nn.Module, flow: Flow | None, title: str) -> Picture:
        """The picture of a model; without a flow, that of its containment."""
        return cls(build_graph(model, flow, title=title))

    def visible(self, depth: int | None, expanded: Collection[str] | None) -> Graph:
        """The graph unfolded at the given paths, else to a depth, else as far as is well readable."""
        if expanded is None:
            expanded = default_expanded(self.whole) if depth is None else expanded_to_depth(self.whole, depth)
        return collapse(self.whole, expanded)

    @staticmethod
    def dot(graph: Graph, data: Mapping[str, NodeData]) -> str:
        """The graph in Graphviz's language."""
        return to_dot(graph, data)

    @staticmethod
    def svg(dot: str) -> str:
        """Laid out, as SVG."""
        return render_svg(dot)

    @staticmethod
    def png(dot: str) -> bytes:
        """Laid out, as PNG."""
        return render_png(dot)

    @staticmethod
    def text(graph: Graph, data: Mapping[str, NodeData]) -> str:
        """As an indented tree."""
        return to_text(graph, data)

    @staticmethod
    def export(graph: Graph, data: Mapping[str, NodeData], path: str | os.PathLike[str]) -> None:
        """Write it in the form that the file's suffix names."""
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix == ".dot":
            target.write_text(to_dot(graph, data), encoding="utf-8")
        elif suffix == ".svg":
            target.write_text(render_svg(to_dot(graph, data)), encoding="utf-8")
        elif suffix == ".png":
            target.write_bytes(render_png(to_dot(graph, data)))
        elif suffix == ".txt":
            target.write_text(to_text(graph, data), encoding="utf-8")
        else:
            raise ExportError(
                f"A picture is not written as {suffix or 'a file without suffix'!r} ({target.name}). "
                "Choose .svg, .png, .dot or .txt."
            )
