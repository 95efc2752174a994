"""The built front end: one script and one style sheet."""

from pathlib import Path

from hookviz.errors import BundleMissingError

STATIC = Path(__file__).parent / "static"


def read_bundle(static: Path = STATIC) -> tuple[str, str]:
    """Script and style sheet, as they were built from ``hookviz/frontend``.

    Raises:
        BundleMissingError: if they were not built; the message says how to build them.
    """
    parts = []
    for name in ("widget.js", "widget.css"):
        path = static / name
        if not path.is_file():
            raise BundleMissingError(
                f"The widget's front end is not built: {path} is missing. "
                "In a checkout of hookviz, run: pip install -e .   (or: npm ci && npm run build, in hookviz/frontend)."
            )
        parts.append(path.read_text(encoding="utf-8"))
    script, style = parts
    return script, style
