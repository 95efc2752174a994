"""Colours in DOT: of a card by its number, which stands in a line more, and the scale as the picture's label."""

import re
from collections.abc import Mapping
from typing import get_args

from hookviz.diagram.coloured_svg import MARK_SIZE, legend_texts
from hookviz.diagram.labels import SLOT_PREFIX, escaped
from hookviz.diagram.ramp import colour_at
from hookviz.diagram.slots import Slot
from hookviz.diagram.style import FONTS, PALETTE, SIZES
from hookviz.graph.colouring import Colouring

LEGEND_STEPS = 16
_STEP_WIDTH = 8
_END = "</TABLE>>"
_SLOTS = "|".join(get_args(Slot))
_INK = re.compile(rf'(<TD ID="{SLOT_PREFIX}(?:{_SLOTS})"[^>]*><FONT[^>]* COLOR=")[^"]*')


def coloured(attributes: Mapping[str, str], node_id: str, colouring: Colouring | None) -> dict[str, str]:
    """The attributes of a card or a box with its colour and its number."""
    mark = None if colouring is None else colouring.marks.get(node_id)
    if mark is None or colouring is None:
        return dict(attributes)
    label = attributes["label"]
    fill = {}
    if mark.place is not None:
        # Blue and orange are not readable on all of the scale.
        label = _INK.sub(rf"\g<1>{PALETTE.ink}", label)
        fill = {"fillcolor": colour_at(mark.place)}
    line = f"<TR>{_cell(f'{colouring.title}: {mark.text}')}</TR>"
    return {**attributes, **fill, "label": f"{label.removesuffix(_END)}{line}{_END}"}


def legend(colouring: Colouring | None) -> dict[str, str]:
    """The attributes of the picture that say what its colours mean; none without colours."""
    if colouring is None:
        return {}
    title, low, high = legend_texts(colouring)
    rows = f"<TR>{_cell(title, columns=LEGEND_STEPS + 2)}</TR>"
    if low:
        steps = (colour_at(step / (LEGEND_STEPS - 1)) for step in range(LEGEND_STEPS))
        swatches = "".join(
            f'<TD FIXEDSIZE="TRUE" WIDTH="{_STEP_WIDTH}" HEIGHT="10" BGCOLOR="{colour}"></TD>' for colour in steps
        )
        rows += f"<TR>{_cell(low)}{swatches}{_cell(high)}</TR>"
    table = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{rows}</TABLE>'
    return {"label": f"<{table}>", "labelloc": "b", "labeljust": "l"}


def _cell(text: str, columns: int = 1) -> str:
    size = f"{SIZES.detail if columns == 1 else MARK_SIZE:g}"
    return (
        f'<TD ALIGN="LEFT" COLSPAN="{columns}">'
        f'<FONT FACE="{FONTS.text}" POINT-SIZE="{size}" COLOR="{PALETTE.ink}">{escaped(text)}</FONT></TD>'
    )
