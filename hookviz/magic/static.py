"""The picture that stays in the notebook when there is no kernel."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from hookviz.diagram.badged_svg import finished_svg
from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_png
from hookviz.diagram.svg import fill_svg
from hookviz.diagram.text import to_text
from hookviz.errors import RenderError

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation


def static_bundle(presentation: Presentation) -> dict[str, str]:
    """The diagram by MIME type: SVG with the values, PNG for a notebook that is not trusted, text.

    The text has no values, so that it is the same in each run of the same notebook.
    """
    drawing, node_data = presentation.drawing, presentation.node_data
    bundle = {"text/plain": to_text(drawing.graph, {})}
    if drawing.problem:
        return bundle
    colouring, badges = presentation.colours.colouring, presentation.badges
    svg = finished_svg(fill_svg(drawing.svg, node_data), colouring, badges)
    bundle["image/svg+xml"] = _marked(svg)
    try:
        # At the size of the SVG: it is made after each cell, and stored in the notebook.
        dot = to_dot(drawing.graph, node_data, direction=drawing.direction, colouring=colouring, badges=badges)
        picture = render_png(dot, scale=1)
    except RenderError:
        return bundle
    return bundle | {"image/png": base64.b64encode(picture).decode("ascii")}


def _marked(svg: str) -> str:
    # By this class the live widget above finds the picture that it hides.
    return svg.replace('class="hv-diagram"', 'class="hv-diagram hv-static"', 1)
