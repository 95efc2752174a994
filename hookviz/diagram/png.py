"""DOT for a PNG: the engine draws letters itself and has no font with the block characters.

graphviz-pure has Arimo and Cousine built in, which cover the signs of WGL4: Latin, Greek and Cyrillic
letters. What the live lines use beyond those is drawn as shapes here or replaced by a word, inside of
cells of a fixed size, so that the layout stays that of the SVG. Names in other scripts and emoji have
no glyph: each such character is an empty box. The SVG has them all.
"""

import re

from hookviz.diagram.labels import SLOT_PREFIX
from hookviz.diagram.pills import PILL_SLOT
from hookviz.diagram.style import SIZES

_BLOCKS = "▁▂▃▄▅▆▇█"
_BAR_WIDTH = 6
_TALLEST = 10
_BELOW = 2
_SIZE = f' ALIGN="LEFT" FIXEDSIZE="TRUE" WIDTH="{_BAR_WIDTH * len(_BLOCKS)}" HEIGHT="{SIZES.row}"'
_SPARK = re.compile(rf'(<TD ID="{SLOT_PREFIX}spark"[^>]*>)<FONT[^>]*COLOR="([^"]*)">([^<]*)</FONT></TD>')
_GRADIENT = re.compile(rf'(<TD ID="{SLOT_PREFIX}gradient"[^>]*><FONT[^>]*>)∇')
_PILL = re.compile(rf'(<TD ID="{SLOT_PREFIX}{PILL_SLOT}gradient[".][^>]*><FONT[^>]*>)∇')


def dot_for_png(dot: str) -> str:
    """The same drawing with histograms as bars, and the word ``grad`` for ``∇``; a pill has room for ``▼`` only."""
    return _PILL.sub(r"\1▼", _GRADIENT.sub(r"\1grad", _SPARK.sub(_bars_cell, dot)))


def _bars_cell(found: re.Match[str]) -> str:
    cell, color, spark = found.groups()
    if not any(character in _BLOCKS for character in spark):
        return found.group()
    bars = "".join(_bar(character, color) for character in spark)
    return f"{cell}{_table(f'<TR>{bars}</TR>', size=_SIZE)}</TD>"


def _bar(character: str, color: str) -> str:
    """A table of an empty cell and the bar below it, which stands on the baseline of the text beside it."""
    full = SIZES.row - _BELOW
    height = round(_TALLEST * (_BLOCKS.find(character) + 1) / len(_BLOCKS))
    rows = "".join(
        f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{_BAR_WIDTH}" HEIGHT="{part}"{fill}></TD></TR>'
        for part, fill in ((full - height, ""), (height, f' BGCOLOR="{color}"'))
        if part
    )
    return f"<TD>{_table(rows)}</TD>"


def _table(rows: str, size: str = "") -> str:
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"{size}>{rows}</TABLE>'
