"""HTML-like labels for Graphviz: cells of a fixed size, in which a name is nothing but text.

A text's place is the ``ID`` of its cell, ``slot.`` and the slot. The ``TOOLTIP`` of a trouble's cell
is the text that it hides, that of a pill's what its hooks are. https://graphviz.org/doc/info/shapes.html#html
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from hookviz.diagram.pills import (
    PILL_GAP,
    pill_hover,
    pill_look,
    pill_rows,
    pill_slot,
    pill_state,
    pill_text,
    pill_width,
)
from hookviz.diagram.slots import LIVE_WIDTH, SPARK_WIDTH, Slot, live_text, slot_color
from hookviz.diagram.style import FONTS, PALETTE, SIZES
from hookviz.diagram.typography import mono_width, shorten, text_width, visible
from hookviz.graph.graph import Group, Node, Pill
from hookviz.graph.node_data import NodeData, NodeState

SLOT_PREFIX = "slot."
"""Begins the id of a cell with text; no encoded node id contains a dot."""

NAME_COLUMNS = 32
"""Longer names are shortened in the middle."""

DETAIL_COLUMNS = 48
"""Longer detail lines are shortened in the middle."""

# Both are in every font that Graphviz has built in for PNG, unlike the usual ▸ and ▾.
FOLDED_MARK = "►"
"""Stands before the name of what can be unfolded."""

UNFOLDED_MARK = "▼"
"""Stands before the name of what can be folded, or be put back to its identical siblings."""

_BOLD_SLOTS = {"name", "trouble"}
_MONO_SLOTS = {"spark", "value", "gradient"}
_SIZES: dict[Slot, float] = {"name": SIZES.name, "type": SIZES.type, "calls": SIZES.type, "detail": SIZES.detail}


@dataclass(frozen=True, slots=True)
class _Cell:
    """A text and its place."""

    slot: Slot
    text: str
    width: float
    hidden: str = ""
    """What a trouble stands in the place of."""

    @property
    def height(self) -> int:
        return SIZES.title_row if self.slot in {"fold", "name", "type", "calls"} else SIZES.row


def card_label(node: Node, data: NodeData) -> str:
    """The label of a module's card: names, detail, value, gradient and hooks."""
    mark = FOLDED_MARK if node.is_foldable else UNFOLDED_MARK if node.is_taken_out else ""
    head = _head(node, mark, calls_text(node.calls, node.repeats))
    return _label(head, shorten(visible(detail_of(node)), DETAIL_COLUMNS), node.pills, data)


def group_label(group: Group, data: NodeData) -> str:
    """The label of an unfolded container: names, value, gradient and hooks; names alone where nothing can be called."""
    head = _head(group, UNFOLDED_MARK, calls_text(group.calls, repeats=1))
    if group.calls == 0 and not group.pills:
        return f"<{_table([_line(head, data.state)])}>"
    return _label(head, "", group.pills, data)


def small_label(node: Node, data: NodeData) -> dict[str, str]:
    """The label of an operation, an input, an output or a parameter, with its font: its name and its hooks."""
    return {
        "label": _name_over_pills(node, data) if node.pills else escaped(short_name(node)),
        "fontname": FONTS.bold if _is_terminal(node) else FONTS.text,
        "fontsize": f"{SIZES.small:g}",
        "fontcolor": PALETTE.ink if _is_terminal(node) else PALETTE.muted,
    }


def small_width(node: Node) -> float:
    """Width in pixels of the text of a small label."""
    return text_width(short_name(node), SIZES.small, is_bold=_is_terminal(node))


def short_name(item: Node | Group) -> str:
    """The name as it stands in the picture: on one line, of limited length; of equal operations with their number."""
    name = shorten(visible(item.name or "(unnamed)"), NAME_COLUMNS)
    return f"{name} ×{item.repeats}" if isinstance(item, Node) and item.kind == "op" and item.repeats > 1 else name


def detail_of(node: Node) -> str:
    """The detail line with what the flow told of the node."""
    told = [node.detail, "passes through" if node.passes_through else "", "in place" if node.in_place else ""]
    return " · ".join(part for part in told if part)


def calls_text(calls: int, repeats: int) -> str:
    """``×3`` for three calls, ``×48 alike`` for as many identical siblings."""
    parts = [f"×{repeats} alike" if repeats > 1 else "", f"×{calls}" if calls > 1 else ""]
    return " · ".join(part for part in parts if part)


def escaped(text: str) -> str:
    r"""Text for an attribute or an HTML-like label: in both, Graphviz reads ``&lt;`` and ``\N`` as escapes."""
    return escape(text).replace("\\", r"\\")


def _label(head: list[_Cell], detail: str, pills: Sequence[Pill], data: NodeData) -> str:
    """The rows of a card or group; a trouble hides the detail, or the gradient where there is none."""
    live = live_text(data)
    detail_width = max(LIVE_WIDTH, text_width(detail, SIZES.detail))
    gap = mono_width(1, SIZES.live)
    rows = [_line(head, data.state)]
    if detail and live.trouble:
        rows.append(_cell_html(_Cell("trouble", live.trouble, detail_width, hidden=detail), data.state))
    elif detail:
        rows.append(_cell_html(_Cell("detail", detail, detail_width), data.state))
    spark = _Cell("spark", live.spark, SPARK_WIDTH + gap)
    rows.append(_line([spark, _Cell("value", live.value, LIVE_WIDTH - SPARK_WIDTH - gap)], data.state))
    if live.trouble and not detail:
        rows.append(_cell_html(_Cell("trouble", live.trouble, LIVE_WIDTH, hidden=live.gradient), data.state))
    else:
        rows.append(_cell_html(_Cell("gradient", live.gradient, LIVE_WIDTH), data.state))
    room = max(detail_width, sum(cell.width for cell in head))
    for row in pill_rows(pills, room):
        rows += [_space(math.ceil(room), PILL_GAP), _pill_line(row, data)]
    return f"<{_table(rows)}>"


def _head(item: Node | Group, mark: str, calls: str) -> list[_Cell]:
    runs: list[tuple[Slot, str]] = [
        ("fold", mark),
        ("name", short_name(item)),
        ("type", shorten(visible(item.type_name), NAME_COLUMNS)),
        ("calls", calls),
    ]
    return [_Cell(slot, text, _head_width(slot, text)) for slot, text in runs if text]


def _head_width(slot: Slot, text: str) -> float:
    if slot == "fold":
        return SIZES.fold
    return text_width(text, _SIZES[slot], is_bold=slot in _BOLD_SLOTS) + SIZES.gap


def _cell_html(cell: _Cell, state: NodeState) -> str:
    face = FONTS.bold if cell.slot in _BOLD_SLOTS else FONTS.mono if cell.slot in _MONO_SLOTS else FONTS.text
    size = _SIZES.get(cell.slot, SIZES.live)
    color = slot_color(cell.slot, state, cell.text)
    # Graphviz writes a cell's ID to the SVG only where the cell has a tooltip.
    tooltip = escaped(cell.hidden or cell.slot)
    return (
        f'<TD ID="{SLOT_PREFIX}{cell.slot}" TOOLTIP="{tooltip}" ALIGN="LEFT" BALIGN="LEFT" FIXEDSIZE="TRUE" '
        f'WIDTH="{math.ceil(cell.width)}" HEIGHT="{cell.height}">'
        f'<FONT FACE="{face}" POINT-SIZE="{size:g}" COLOR="{color}">{escaped(cell.text)}</FONT></TD>'
    )


def _line(cells: Sequence[_Cell], state: NodeState) -> str:
    """One row of cells side by side, in a table of its own so that no other row pulls them apart."""
    width = sum(math.ceil(cell.width) for cell in cells)
    content = "".join(_cell_html(cell, state) for cell in cells)
    table = _table([content], size=f' ALIGN="LEFT" FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{cells[0].height}"')
    return f"<TD>{table}</TD>"


def _name_over_pills(node: Node, data: NodeData) -> str:
    rows = pill_rows(node.pills, LIVE_WIDTH)
    room = math.ceil(max(small_width(node), *(_row_width(row) for row in rows)))
    lines = [f'<TD FIXEDSIZE="TRUE" WIDTH="{room}" HEIGHT="{SIZES.row}">{escaped(short_name(node))}</TD>']
    for row in rows:
        lines += [_space(room, PILL_GAP), _pill_line(row, data)]
    return f"<{_table(lines)}>"


def _pill_line(pills: Sequence[Pill], data: NodeData) -> str:
    """One row of pills, in a table of its own."""
    cells = [_pill_html(pill, data) for pill in pills]
    content = _space(PILL_GAP, SIZES.pill_height).join(cells)
    size = f' ALIGN="LEFT" FIXEDSIZE="TRUE" WIDTH="{_row_width(pills)}" HEIGHT="{SIZES.pill_height}"'
    return f"<TD>{_table([content], size=size)}</TD>"


def _row_width(pills: Sequence[Pill]) -> int:
    return sum(math.ceil(pill_width(pill)) for pill in pills) + PILL_GAP * (len(pills) - 1)


def _pill_html(pill: Pill, data: NodeData) -> str:
    state = pill_state(pill.hook_ids, data.hooks_off)
    look = pill_look(pill.side, state)
    hover = escaped(pill_hover(pill)).replace("\n", "&#10;")
    return (
        f'<TD ID="{SLOT_PREFIX}{pill_slot(pill)}" TOOLTIP="{hover}" BGCOLOR="{look.fill}" '
        f'FIXEDSIZE="TRUE" WIDTH="{math.ceil(pill_width(pill))}" HEIGHT="{SIZES.pill_height}">'
        f'<FONT FACE="{FONTS.text}" POINT-SIZE="{SIZES.pill:g}" COLOR="{look.ink}">'
        f"{escaped(pill_text(pill, state))}</FONT></TD>"
    )


def _space(width: int, height: int) -> str:
    return f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}"></TD>'


def _table(rows: Iterable[str], size: str = "") -> str:
    content = "".join(f"<TR>{row}</TR>" for row in rows)
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"{size}>{content}</TABLE>'


def _is_terminal(node: Node) -> bool:
    return node.kind in {"input", "output"}
