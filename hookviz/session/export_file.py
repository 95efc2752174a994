"""The file that a session is written to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from hookviz.errors import ExportError
from hookviz.session.accepted import require
from hookviz.session.forms import RECORDERS

PICTURES: Final = (".svg", ".png", ".dot", ".txt")
"""Suffixes of pictures; those of the other forms are in ``RECORDERS``."""


def export_file(path: str | os.PathLike[str]) -> Path:
    """The file at a path, if a session can be written there.

    Raises:
        ExportError: for a suffix of another form, or a folder that is not there.
        OptionError: if it is no path.
    """
    require('A file is given by its path, such as "model.svg"', path, is_accepted=isinstance(path, (str, os.PathLike)))
    file = Path(path)
    *others, last = (*PICTURES, *RECORDERS)
    if file.suffix.lower() not in (*others, last):
        form = f"as {file.suffix!r} ({file.name})" if file.suffix else f"to {os.fspath(path)!r}, which has no suffix"
        raise ExportError(f"A session is not written {form}. Choose {', '.join(others)} or {last}.")
    if not file.parent.is_dir():
        raise ExportError(
            f"There is no folder {str(file.parent)!r} to write {file.name} into. Make it, or choose another."
        )
    return file


def write(file: Path, content: str | bytes) -> None:
    """Put the content into a file, in place of what it had.

    Raises:
        ExportError: if the system refuses; the message has its reason.
    """
    try:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ExportError(f"{str(file)!r:.300} cannot be written: {reason}. Choose another file.") from error
