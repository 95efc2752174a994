"""Expected pictures and texts that are too long to stand in a test.

``HOOKVIZ_UPDATE_GOLDEN=1 pytest`` writes them anew; the difference then shows in version control.
"""

import os
from pathlib import Path

_FOLDER = Path(__file__).parent / "unit" / "golden"


def golden(name: str, actual: str) -> str:
    """The expected text of this name; the actual one, written down, where an update was asked for."""
    path = _FOLDER / name
    if os.environ.get("HOOKVIZ_UPDATE_GOLDEN"):
        path.write_text(f"{actual}\n", encoding="utf-8", newline="\n")
    return path.read_text(encoding="utf-8").removesuffix("\n")
