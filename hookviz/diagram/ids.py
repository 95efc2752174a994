"""The one encoding of node ids for names in DOT, which no name of a module can break out of."""

import re

_PLAIN = re.compile(r"[A-Za-z0-9-]")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9-]")
# https://www.w3.org/TR/xml/#charsets
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TOKEN = re.compile(r"[A-Za-z0-9-]+|_([1-9a-f][0-9a-f]*|0)_")


def encode_id(text: str) -> str:
    """The same id in letters, digits, ``-`` and ``_`` alone; every other character is ``_hex_``.

    Two ids never become one, and ``decode_id`` gives back the very id.
    """
    return _NOT_PLAIN.sub(lambda found: f"_{ord(found.group()):x}_", text)


def decode_id(encoded: str) -> str:
    """The id that ``encode_id`` was given.

    Raises:
        ValueError: if the text did not come from ``encode_id``.
    """
    characters = []
    position = 0
    while position < len(encoded):
        token = _TOKEN.match(encoded, position)
        character = _character(token) if token else None
        if token is None or character is None:
            raise ValueError(f"{encoded!r} is no encoded id: nothing starts with {encoded[position:][:9]!r} there.")
        characters.append(character)
        position = token.end()
    return "".join(characters)


def attribute_id(text: str) -> str:
    """The id as the value of an attribute: itself, but for characters that XML 1.0 forbids.

    Only those are written as ``encode_id`` writes them.
    """
    return _FORBIDDEN.sub(lambda found: encode_id(found.group()), text)


def _character(token: re.Match[str]) -> str | None:
    """The text that a token stands for, None if it stands for none or needed no escape."""
    code = token.group(1)
    if code is None:
        return token.group()
    if int(code, 16) > 0x10FFFF:
        return None
    character = chr(int(code, 16))
    return None if _PLAIN.fullmatch(character) else character
