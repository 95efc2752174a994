"""What is shown of an exception's message."""

from typing import Final

LONGEST_LINE: Final = 500
"""Of a message, so many characters are shown."""

_INTERRUPT: Final = KeyboardInterrupt.__name__


def error_text(error: BaseException) -> str:
    """What is kept of an error: ``ValueError: no``, or its type alone where there is no message."""
    return ": ".join(filter(None, (type(error).__name__, first_line(error))))


def is_interrupt(text: str) -> bool:
    """Whether it is what ``error_text`` makes of an interrupt: the user ended the run, and nothing is wrong with it."""
    return text.partition(":")[0] == _INTERRUPT


def sentence(text: str) -> str:
    """With a full stop at its end; an error that is quoted there may have brought its own."""
    return text if text.endswith((".", "…")) else f"{text}."


def first_line(error: BaseException) -> str:
    """The first line of an exception's message, or the beginning of a very long one."""
    try:
        line = (str(error).splitlines() or [""])[0]
        return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    except Exception:  # noqa: BLE001  # an exception's own __str__ may raise
        return "(its message cannot be shown)"
