"""What is shown of an exception's message."""

from typing import Final

LONGEST_LINE: Final = 500
"""Of a message, so many characters are shown."""


def first_line(error: BaseException) -> str:
    """The first line of an exception's message, or the beginning of a very long one."""
    try:
        line = (str(error).splitlines() or [""])[0]
        return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    except Exception:  # noqa: BLE001  # an exception's own __str__ may raise
        return "(its message cannot be shown)"
