"""DOT to pictures. The one place that knows which programs can lay out a diagram.

graphviz-pure comes first: it is installed with hookviz and draws the same picture on every machine.
Then a ``dot`` on the PATH. Without either, ``RenderError`` names the way out.
"""

import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

from hookviz.diagram.png import dot_for_png
from hookviz.diagram.stopping import Stop
from hookviz.diagram.svg import svg_from_engine
from hookviz.errors import RenderError

PNG_SCALE = 2
"""Pixels of the PNG for one pixel of the SVG, so that it is sharp on dense screens."""

PNG_SIDE = 4000
"""No side of a PNG has more pixels; a larger picture is drawn smaller."""

_POINTS_PER_INCH = 72
_TIMEOUT_SECONDS = 120


def render_svg(dot: str, stop: Stop | None = None) -> str:
    """The picture as one SVG element; see ``svg`` for what is in it.

    Args:
        dot: The diagram in Graphviz's language.
        stop: Ends it from another thread.

    Raises:
        RenderError: if no engine is installed or none could draw this.
        StoppedError: if it was ended.
    """
    stop = Stop() if stop is None else stop
    return svg_from_engine(_draw(dot, ["-Tsvg"], stop).decode("utf-8"))


def render_png(dot: str, *, scale: float = PNG_SCALE) -> bytes:
    """The picture as a PNG at ``scale`` times the size of the SVG, with no side longer than 4000 pixels.

    Raises:
        RenderError: if no engine is installed or none could draw this.
    """
    dpi = scale * _POINTS_PER_INCH
    inches = PNG_SIDE / dpi
    return _draw(dot_for_png(dot), ["-Tpng", f"-Gdpi={dpi}", f"-Gsize={inches:.3f},{inches:.3f}"], Stop())


def _draw(dot: str, options: list[str], stop: Stop) -> bytes:
    """What the first engine that succeeds writes; its warnings stay out of the user's notebook."""
    failures = []
    for engine in engines():
        try:
            code, drawn, complaints = _run([engine, "-Kdot", *options], _dialect(dot, engine).encode("utf-8"), stop)
        except (OSError, subprocess.TimeoutExpired) as error:
            failures.append(f"{engine.name}: {error}")
            continue
        if code == 0 and drawn:
            return drawn
        failures.append(f"{engine.name}: {_complaint(complaints)}")
    if not failures:
        raise RenderError(
            "The diagram cannot be laid out: neither graphviz-pure nor a dot program is installed. "
            "Install one: pip install graphviz-pure. The text tree needs neither."
        )
    raise RenderError(f"No engine could lay out the diagram: {'; '.join(failures)}. The text tree needs none.")


def _run(command: list[Path | str], given: bytes, stop: Stop) -> tuple[int, bytes, bytes]:
    """Exit code, output and complaints of a program; it has ended, however this one is left."""
    stop.check()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process, stop.reaching(process):
        try:
            drawn, complaints = process.communicate(given, timeout=_TIMEOUT_SECONDS)
        except BaseException:
            process.kill()
            raise
    stop.check()
    return process.returncode, drawn, complaints


def engines() -> list[Path]:
    """Programs that can draw DOT, the preferred one first."""
    candidates = [_pure_engine(), shutil.which("dot")]
    return [Path(candidate) for candidate in candidates if candidate is not None]


def _pure_engine() -> Path | str | None:
    """The graphviz-pure program where pip put it, which need not be on the PATH of a notebook's kernel."""
    try:
        files = metadata.files("graphviz-pure") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        located = Path(str(file.locate()))
        if re.fullmatch(r"graphviz-pure(\.exe)?", file.name) and located.is_file():
            return located
    return shutil.which("graphviz-pure")


def _dialect(dot: str, engine: Path) -> str:
    """The same drawing for a system ``dot``: 2.43 writes the ID of a cell to the SVG only if the cell is a link."""
    return dot if engine.stem == "graphviz-pure" else dot.replace(' TOOLTIP="', ' HREF="#" TOOLTIP="')


def _complaint(stderr: bytes) -> str:
    """The line that tells most: the first error, since the rest follows from it."""
    lines = stderr.decode("utf-8", errors="replace").strip().splitlines()
    errors = [line for line in lines if line.startswith("Error")]
    return (errors or lines or ["it wrote nothing"])[0]
