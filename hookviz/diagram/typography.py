"""Text as it is set: made visible, measured, shortened.

Graphviz knows the widths of Latin letters only, so the diagram measures its text by itself and
tells Graphviz the size of every cell. The widths are those of Helvetica and Helvetica-Bold in
Adobe's Core 14 AFM files, which Arial, Liberation Sans and Arimo share.
"""

import unicodedata
from functools import lru_cache

# Characters 32 to 126, in thousandths of the font size.
_REGULAR = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)
_SIGNS = {"·": 0.333, "×": 0.584, "±": 0.584, "→": 1.0, "…": 1.0, "►": 1.0, "▼": 1.0}


def _widths(thousandths: str) -> dict[str, float]:
    return {chr(32 + i): int(width) / 1000 for i, width in enumerate(thousandths.split())} | _SIGNS


_WIDTHS = {False: _widths(_REGULAR), True: _widths(_BOLD)}
_MONO_WIDTH = 0.602
_EMOJI_WIDTH = 1.3
# Scripts whose fonts differ from machine to machine: wide enough for capitals in any of them.
_UNKNOWN_WIDTH = 0.75
_FIRST_EMOJI = "\U0001f000"
# They join letters of Persian and parts of emoji, and can neither hide nor reorder text.
_JOINERS = "\u200c\u200d"
# Room for fonts that are a little wider than Helvetica.
_RESERVE = 1.04


def visible(text: str) -> str:
    r"""The text on one line: what cannot be seen or would reorder it is written as an escape.

    A line break becomes ``\n``, a right-to-left override ``\u202e``, half a surrogate pair ``\ud800``.
    All that XML forbids is among them.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else _escaped(c) for c in text)


def columns(text: str) -> int:
    """How many columns of a fixed-width font the text takes: two for a wide character, none for an accent."""
    # A large picture measures some hundred thousand letters, nearly all of them ASCII.
    return len(text) if text.isascii() else sum(map(_columns, text))


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Width in pixels of proportional text, a little more than a browser needs."""
    known = _WIDTHS[is_bold]
    try:
        ems = sum([known[c] for c in text])
    except KeyError:
        ems = sum(_em(c, is_bold) for c in text)
    return ems * size * _RESERVE


def mono_width(count: int, size: float) -> float:
    """Width in pixels of so many columns of fixed-width text."""
    return count * size * _MONO_WIDTH


def shorten(text: str, limit: int) -> str:
    """At most so many columns, with ``…`` in the middle for what was left out.

    The ends of a name tell most: what it belongs to, and which one it is.
    """
    if columns(text) <= limit and len(text) <= 2 * limit:
        return text
    head = _within(text, limit // 2)
    tail = _within(text[::-1], limit - 1 - limit // 2)
    return f"{head}…{tail[::-1]}"


def clip(text: str, limit: int) -> str:
    """At most so many columns, with ``…`` at the end for what was left out."""
    if columns(text) <= limit and len(text) <= 2 * limit:
        return text
    return _within(text, limit - 1) + "…"


def clip_to_width(text: str, width: float, size: float, *, is_bold: bool = False) -> str:
    """At most so many pixels of proportional text, with ``…`` at the end for what was left out."""
    room = width - text_width("…", size, is_bold=is_bold)
    used = 0.0
    fitting = 0
    for count, character in enumerate(text, start=1):
        used += text_width(character, size, is_bold=is_bold)
        if used <= room:
            fitting = count
        if used > width:
            return text[:fitting].rstrip() + "…"
    return text


def _within(text: str, limit: int) -> str:
    """The beginning of the text that takes at most so many columns and twice as many characters."""
    used = 0
    for count, character in enumerate(text[: 2 * limit]):
        used += _columns(character)
        if used > limit:
            return text[:count]
    return text[: 2 * limit]


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


@lru_cache(maxsize=1024)
def _columns(character: str) -> int:
    if character in _JOINERS or unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _em(character: str, is_bold: bool) -> float:
    known = _WIDTHS[is_bold].get(character)
    if known is not None:
        return known
    if character >= _FIRST_EMOJI:
        return _EMOJI_WIDTH
    return (0, _UNKNOWN_WIDTH, 1)[_columns(character)]
