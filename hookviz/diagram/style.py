"""How the diagram looks: colours by meaning, fonts and sizes; the one place to change any of them.

DOT and the stand-alone SVG use these light colours. The widget restyles the SVG by its classes, so
nothing here depends on the colour scheme of the page.
"""

from dataclasses import dataclass

from hookviz.graph.node_data import NodeState


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours, named by what they mean. Text on paper, card and group reaches 4.5:1 (WCAG 2.2, AA)."""

    ink: str = "#1f2937"
    """Names."""
    muted: str = "#5b6575"
    """Classes, details, operations and shapes."""
    value: str = "#2457d6"
    """What flowed forward."""
    gradient: str = "#a8480a"
    """What flowed back."""
    trouble: str = "#d01f1f"
    """NaN, Inf, and the module that raised."""
    parameter: str = "#0b6a62"
    """What hangs on a parameter."""
    off: str = "#5f6b7d"
    """Text where capturing is switched off, and of hooks that are off."""
    line: str = "#8391a6"
    """Borders of cards, and edges: at least 3:1 on paper and group."""
    faint: str = "#cbd5e1"
    """Borders that only decorate: of groups, operations, inputs and outputs."""
    paper: str = "#ffffff"
    """Behind everything."""
    card: str = "#ffffff"
    group: str = "#f8fafc"
    """Inside of a group, whatever its state."""
    terminal: str = "#eef2f7"
    """Inputs and outputs."""
    shade: str = "#f1f3f6"
    """A card where capturing is switched off, and the pill of a hook that is off."""
    value_tint: str = "#eaf1ff"
    """Inside of a pill, and below its border."""
    value_line: str = "#b9cdf8"
    gradient_tint: str = "#fff3e3"
    gradient_line: str = "#f1cf9f"
    parameter_tint: str = "#e3f6f3"
    parameter_line: str = "#a5dcd4"


@dataclass(frozen=True, slots=True)
class Fonts:
    """Fonts by the name that Graphviz knows the widths of, and as CSS lists for the SVG."""

    text: str = "Helvetica"
    bold: str = "Helvetica-Bold"
    """A face of its own: text in ``<B>`` stands 2 pixels higher in a cell than other text does."""
    mono: str = "Courier"
    text_css: str = "Helvetica, Arial, 'Liberation Sans', Arimo, sans-serif"
    mono_css: str = "Menlo, 'DejaVu Sans Mono', 'Cascadia Mono', Consolas, 'Liberation Mono', monospace"
    spark_css: str = "Menlo, 'DejaVu Sans Mono', 'Cascadia Mono', 'Segoe UI Symbol', monospace"
    """Only fonts that have all eight block characters: bars from two fonts do not line up."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in pixels at 100 % zoom; one of them is one point of Graphviz."""

    name: float = 12
    type: float = 11
    detail: float = 10
    live: float = 10
    small: float = 10.5
    """Operations, inputs, outputs and parameters."""
    shape: float = 9.5
    """Shapes on edges."""
    pill: float = 10
    """Names of hooks."""
    pill_height: int = 15
    title_row: int = 18
    row: int = 14
    gap: int = 6
    """Between a name and what follows it."""
    fold: int = 14
    """Place of the fold button."""
    border: float = 1.2
    radius: float = 9
    """Of the corners in the SVG; a PNG has those of its engine."""
    group_margin: int = 14
    """Inside of a box; so wide that an edge along its border, as the one around a residual block, is seen apart."""
    live_columns: int = 30
    """Characters of a live line: 8 of the histogram, a space, 19 of the value, two for words."""


PALETTE = Palette()
"""The light colours."""

FONTS = Fonts()
"""The fonts of the diagram."""

SIZES = Sizes()
"""The sizes of the diagram."""


@dataclass(frozen=True, slots=True)
class CardLook:
    """Border and inside of a card, an oval or a group."""

    border: str
    fill: str
    border_width: float = SIZES.border
    """In SVG only: in DOT all borders are alike, since edges end at their outside."""
    is_dashed: bool = False


_LOOKS = {
    "module": CardLook(PALETTE.line, PALETTE.card),
    "group": CardLook(PALETTE.faint, PALETTE.group),
    "op": CardLook(PALETTE.faint, PALETTE.group),
    "input": CardLook(PALETTE.faint, PALETTE.terminal),
    "output": CardLook(PALETTE.faint, PALETTE.terminal),
    "parameter": CardLook(PALETTE.faint, PALETTE.card),
}


KINDS = tuple(_LOOKS)
"""What has a border and an inside: the kinds of nodes, and groups."""


def look_of(kind: str, state: NodeState, *, has_trouble: bool) -> CardLook:
    """Border and inside for what a node or group is and for the state of its capture."""
    plain = _LOOKS[kind]
    if state == "failed":
        return CardLook(PALETTE.trouble, plain.fill, border_width=2.0)
    if has_trouble:
        return CardLook(PALETTE.trouble, plain.fill, border_width=1.6)
    if state == "unobservable":
        return CardLook(PALETTE.line, plain.fill, is_dashed=True)
    if state == "off" and kind == "module":
        return CardLook(PALETTE.faint, PALETTE.shade)
    return plain
