"""Reads the line of ``%hookviz``: expressions for models, and options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, get_args

from IPython.core.error import UsageError

from hookviz.diagram.direction import Direction
from hookviz.errors import OptionError
from hookviz.graph.colour_by import MEASURES, ColourBy, measure_named

if TYPE_CHECKING:
    from hookviz.session import WatchOptions

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
"""Powers of 1024, as memory is counted."""

BRACKETS = {"(": ")", "[": "]", "{": "}"}

WATCH_OPTIONS = frozenset({"only", "exclude", "inputs", "gradients", "every", "overhead", "keep_bytes", "stop_on_nan"})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What one line asks for."""

    models: tuple[str, ...]
    """Expressions, to be evaluated where the user's names are."""
    is_off: bool = False
    is_list: bool = False
    is_help: bool = False
    depth: int | None = None
    direction: Direction | None = None
    colour_by: ColourBy | None = None
    name: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Options of ``hookviz.watch``; only those that were given."""


def parse(line: str) -> Request:
    """What the line asks for.

    Raises:
        UsageError: one line that says what was wrong with it.
    """
    found = vars(_PARSER.parse_intermixed_args(split(line)))
    given = {name: value for name, value in found.items() if value is not None}
    options = {name: value for name, value in given.items() if name in WATCH_OPTIONS}
    return Request(
        tuple(given["models"]), given["is_off"], given["is_list"], given["is_help"],
        given.get("depth"), given.get("direction"), given.get("colour_by"), given.get("name"), options,
    )  # fmt: skip


def words_of(options: WatchOptions, leave_out: Container[str] = ()) -> str:
    """The options that are not as by default, as they are written behind ``%hookviz``."""
    words: list[str] = []
    for name, value in options.unusual():
        if name in leave_out:
            continue
        match name, value:
            case (("only" | "exclude"), tuple(patterns)):
                words += [f"--{name} {getattr(pattern, '__name__', pattern)}" for pattern in patterns]
            case (("inputs" | "gradients"), bool(is_on)):
                words.append(f"--{name}" if is_on else f"--no-{name}")
            case "stop_on_nan", _:
                words.append("--stop-on-nan")
            case (("every" | "overhead"), _):
                words.append(f"--{name} {value}")
            case "keep_bytes", _:
                words.append(f"--keep {value}")
            case _:
                # Only hookviz.watch has these.
                words.append(f"{name}={value}")
    return " ".join(words)


def split(line: str) -> list[str]:
    """The words of a line; spaces inside of brackets and quotes do not part words, and a comment has none.

    ``models["a b"] --depth 2  # deeper`` has three words. Quotes stay, since they belong to the expression.

    Raises:
        UsageError: if a bracket or a quote is not closed.
    """
    words: list[str] = [""]
    open_brackets: list[str] = []
    quote = ""
    is_escaped = False
    for letter in line:
        if quote:
            if letter == quote and not is_escaped:
                quote = ""
            is_escaped = letter == "\\" and not is_escaped
        elif letter in "'\"":
            quote = letter
        elif letter in BRACKETS:
            open_brackets.append(BRACKETS[letter])
        elif open_brackets and letter == open_brackets[-1]:
            open_brackets.pop()
        elif letter.isspace() and not open_brackets:
            words.append("")
            continue
        elif letter == "#" and not words[-1]:
            break
        words[-1] += letter
    if quote or open_brackets:
        missing = quote or open_brackets[-1]
        raise UsageError(f"%hookviz: a {missing} is missing in: {line.strip()}")
    return [word for word in words if word]


def help_text() -> str:
    """All options, as ``%hookviz?`` shows them."""
    return _PARSER.format_help()


class _Parser(argparse.ArgumentParser):
    """Reports a mistake as IPython does, instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%hookviz: {message}. All options: %hookviz?")


def _unquoted(word: str) -> str:
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    return word


def _option(read: Callable[[str], T], expected: str) -> Callable[[str], T]:
    """A reader for argparse, which tells what was expected and what was given."""

    def option(word: str) -> T:
        try:
            return read(_unquoted(word))
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected {expected}, got {word!r}") from None

    return option


def _at_least(least: int) -> Callable[[str], int]:
    def whole_number(word: str) -> int:
        number = int(word)
        if number < least:
            raise ValueError(word)
        return number

    return whole_number


def _direction(word: str) -> Direction:
    for direction in get_args(Direction):
        if word.upper() == direction:
            return cast(Direction, direction)
    raise ValueError(word)


def _colour_by(word: str) -> ColourBy:
    try:
        return measure_named(word)
    except OptionError as error:
        raise ValueError(word) from error


def _share(word: str) -> float:
    share = float(word[:-1]) / 100 if word.endswith("%") else float(word)
    if not 0 < share <= 1:
        raise ValueError(word)
    return share


def _bytes(word: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", word.upper())
    size = 0 if found is None else int(float(found[1]) * UNITS[found[2]])
    if size < 1:
        raise ValueError(word)
    return size


def _parser() -> _Parser:
    parser = _Parser(prog="%hookviz", add_help=False, allow_abbrev=False, usage="%%hookviz MODEL [MODEL ...] [options]")
    pattern = _option(str, "a pattern")
    parser.add_argument("models", nargs="*", metavar="MODEL", help="a model, or an expression that gives one")
    parser.add_argument(
        "--depth", type=_option(_at_least(0), "a whole number, 0 or more"), metavar="N",
        help="unfold the containers down to this depth",
    )  # fmt: skip
    parser.add_argument(
        "--direction", type=_option(_direction, "TB or LR"), metavar="TB|LR",
        help="let data flow from the top to the bottom (TB) or from left to right (LR)",
    )  # fmt: skip
    parser.add_argument(
        "--colour-by", type=_option(_colour_by, f"one of {', '.join(MEASURES)}"), metavar="NUMBER",
        help=f"colour the cards by a number: {', '.join(MEASURES)}",
    )  # fmt: skip
    parser.add_argument(
        "--only", action="append", type=pattern, metavar="PATTERN",
        help="capture only modules whose path or class fits, such as layer4.* or Linear; can be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--exclude", action="append", type=pattern, metavar="PATTERN", help="leave out modules like these"
    )
    parser.add_argument(
        "--inputs", action=argparse.BooleanOptionalAction, help="capture what each module was given, too"
    )
    parser.add_argument(
        "--gradients", action=argparse.BooleanOptionalAction, help="capture gradients, which is so without it"
    )
    parser.add_argument(
        "--every", type=_option(_at_least(1), "a whole number, 1 or more"), metavar="N",
        help="capture every N-th run, whatever it costs",
    )  # fmt: skip
    parser.add_argument(
        "--overhead", type=_option(_share, "a share above 0 and at most 1, such as 0.05 or 5%"), metavar="SHARE",
        help="share of the running time that capturing may take, 5%% by default; captures are spaced to keep to it",
    )  # fmt: skip
    parser.add_argument(
        "--keep", dest="keep_bytes", type=_option(_bytes, "a size above 0, such as 256MB"), metavar="SIZE",
        help="memory for whole tensors, 256MB by default; statistics remain of those beyond",
    )  # fmt: skip
    parser.add_argument(
        "--stop-on-nan", action=argparse.BooleanOptionalAction,
        help="stop each run, captured or not, at the first module that returns or gets back a NaN; takes some µs each",
    )  # fmt: skip
    parser.add_argument("--name", type=_option(str, "a name"), metavar="TEXT", help="title of the picture")
    parser.add_argument("--off", dest="is_off", action="store_true", help="stop watching these models, or all")
    parser.add_argument("--list", dest="is_list", action="store_true", help="list the watched models")
    parser.add_argument("--help", dest="is_help", action="store_true", help="show this text")
    return parser


_PARSER = _parser()
