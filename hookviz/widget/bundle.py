"""The built front end: a script and a style sheet for the widget, and for the page of a recording."""

from pathlib import Path

from hookviz.errors import BundleMissingError

STATIC = Path(__file__).parent / "static"


def read_bundle(static: Path = STATIC) -> tuple[str, str]:
    """The widget's script and style sheet, as they were built from ``hookviz/frontend``.

    Raises:
        BundleMissingError: if they were not built; the message says how to build them.
    """
    return _read(static, "widget.js"), _read(static, "widget.css")


def read_page(static: Path = STATIC) -> tuple[str, str]:
    """The same for a page that shows a recording.

    Raises:
        BundleMissingError: if they were not built; the message says how to build them.
    """
    return _read(static, "page.js"), _read(static, "page.css")


def _read(static: Path, name: str) -> str:
    path = static / name
    if not path.is_file():
        raise BundleMissingError(
            f"The widget's front end is not built: {path} is missing. "
            "In a checkout of hookviz, run: pip install -e .   (or: npm ci && npm run build, in hookviz/frontend)."
        )
    return path.read_text(encoding="utf-8")
