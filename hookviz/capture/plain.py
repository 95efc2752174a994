"""Values without tensors, as text: what a program of a package returned, or a module that counts."""

import heapq

from hookviz.capture.leaves import Leaf, ListParts, Nested, Opaque, SetParts

MOST_PARTS = 50
"""Of a longer list, so many parts are written out."""

MOST_CHARACTERS = 1_000
"""Of a longer text, so many characters are written out."""

MOST_BITS = 4_000
"""Of a greater number, only the size is told: Python refuses to write out those of more than 4,300 digits."""


def is_plain(skeleton: Nested) -> bool:
    """Whether a value holds no tensor."""
    return not _has_leaf(skeleton)


def plain_text(skeleton: Nested) -> str:
    """The value as Python writes it, cut where it is long; ``…`` marks a cut, ``<type>`` a foreign object."""
    return _shortened(_text(skeleton))


def _has_leaf(skeleton: Nested) -> bool:
    if type(skeleton) is Leaf:
        return True
    parts = skeleton.values() if type(skeleton) is dict else skeleton
    return type(skeleton) in (dict, tuple, ListParts) and any(_has_leaf(part) for part in parts)


def _text(skeleton: Nested) -> str:  # noqa: PLR0911  # one return for each kind of value
    match skeleton:
        case Opaque():
            return f"<{skeleton.type_name}>"
        case ListParts():
            return f"[{_joined([_text(part) for part in skeleton[:MOST_PARTS]], len(skeleton))}]"
        case tuple():
            inside = _joined([_text(part) for part in skeleton[:MOST_PARTS]], len(skeleton))
            return f"({inside},)" if len(skeleton) == 1 else f"({inside})"
        case dict():
            first = list(skeleton.items())[:MOST_PARTS]
            return f"{{{_joined([f'{key!r}: {_text(part)}' for key, part in first], len(skeleton))}}}"
        case SetParts():
            return _set_text(skeleton)
        case int() if skeleton.bit_length() > MOST_BITS:
            return f"<int of {skeleton.bit_length():,} bits>"
        case str() | bytes() if len(skeleton) > MOST_CHARACTERS:
            # Cut before it is quoted: a book is not copied for its first line.
            return f"{skeleton[:MOST_CHARACTERS]!r}…"
        case _:
            return repr(skeleton)


def _set_text(skeleton: SetParts) -> str:
    # In an order of its own: that of a set differs from run to run.
    first = heapq.nsmallest(MOST_PARTS, ((_rank(part), _text(part)) for part in skeleton.parts))
    if not first:
        return "frozenset()" if skeleton.is_frozen else "set()"
    inside = f"{{{_joined([text for _, text in first], skeleton.size)}}}"
    return f"frozenset({inside})" if skeleton.is_frozen else inside


def _rank(part: Nested) -> float:
    """Numbers by their size, all else by its text."""
    return part if type(part) in (bool, int, float) else 0


def _joined(parts: list[str], length: int) -> str:
    return ", ".join([*parts, "…"] if length > len(parts) else parts)


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
