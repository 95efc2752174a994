"""Values without tensors, as text: what a program of a package returned, or a module that counts."""

from hookviz.capture.leaves import Leaf, ListParts, Nested, Opaque

MOST_PARTS = 50
"""Of a longer list, so many parts are written out."""

MOST_CHARACTERS = 1_000
"""Of a longer text, so many characters are written out."""


def is_plain(skeleton: Nested) -> bool:
    """Whether a value is something, and holds no tensor."""
    return skeleton is not None and not _has_leaf(skeleton)


def plain_text(skeleton: Nested) -> str:
    """The value as Python writes it, cut where it is long; ``…`` marks a cut, ``<type>`` a foreign object."""
    return _shortened(_text(skeleton))


def _has_leaf(skeleton: Nested) -> bool:
    if type(skeleton) is Leaf:
        return True
    parts = skeleton.values() if type(skeleton) is dict else skeleton
    return type(skeleton) in (dict, tuple, ListParts) and any(_has_leaf(part) for part in parts)


def _text(skeleton: Nested) -> str:
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
        case str() if len(skeleton) > MOST_CHARACTERS:
            # Cut before it is quoted: a book is not copied for its first line.
            return f"{skeleton[:MOST_CHARACTERS]!r}…"
        case _:
            return repr(skeleton)


def _joined(parts: list[str], length: int) -> str:
    return ", ".join([*parts, "…"] if length > len(parts) else parts)


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
