"""Engines are found, asked in order, kept quiet, and missed with advice."""

import shutil
import struct
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import pytest

from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import engines, render_png, render_svg
from hookviz.errors import RenderError
from tests.graphs import RESIDUAL_DATA, graph, module, one_card, residual


def test_the_same_graph_gives_the_same_bytes() -> None:
    dot = to_dot(residual(), RESIDUAL_DATA)

    assert render_svg(dot) == render_svg(dot)
    assert render_png(dot) == render_png(dot)


def test_the_picture_comes_from_the_engine_that_is_installed_with_hookviz() -> None:
    assert engines()[0].stem == "graphviz-pure"


def test_the_engine_is_found_though_it_is_not_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert render_svg(to_dot(one_card(), {})).startswith("<svg")


def test_warnings_about_letters_stay_out_of_the_notebook(capfd: pytest.CaptureFixture[str]) -> None:
    render_svg(to_dot(graph(module("이름"), module("😀"), module("μ")), {}))

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("options", "factor"), [({}, 2), ({"scale": 1}, 1)])
def test_a_png_has_twice_the_pixels_of_the_svg_unless_told_otherwise(options: dict[str, float], factor: int) -> None:
    dot = to_dot(one_card(), {})

    width, height = size_of(render_png(dot, **options))

    svg = render_svg(dot)
    assert width == pytest.approx(factor * float(svg.split('width="')[1].split('"')[0]), abs=2)
    assert height == pytest.approx(factor * float(svg.split('height="')[1].split('"')[0]), abs=2)


def test_a_large_png_is_bounded() -> None:
    wide = graph(*(module(f"fc{i}") for i in range(60)))

    width, height = size_of(render_png(to_dot(wide, {})))

    assert width == pytest.approx(4000, abs=2)
    assert 10 < height < 100


def test_without_an_engine_the_error_tells_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "files", no_files)
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(RenderError, match=r"neither graphviz-pure nor a dot .* pip install graphviz-pure"):
        render_svg("digraph {}")


def test_a_system_dot_draws_where_graphviz_pure_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dot = to_dot(residual(), RESIDUAL_DATA)
    expected = render_svg(dot)
    system = shutil.copy(engines()[0], tmp_path / "dot")
    monkeypatch.setattr(metadata, "files", no_files)
    monkeypatch.setattr(shutil, "which", lambda name: str(system) if name == "dot" else None)

    svg = render_svg(dot)

    assert engines() == [tmp_path / "dot"]
    assert svg == expected


def test_an_engine_that_fails_hands_over_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pure = engines()[0]
    monkeypatch.setattr("hookviz.diagram.render.engines", lambda: [Path(sys.executable), pure])

    assert render_svg(to_dot(one_card(), {})).startswith("<svg")


def test_what_no_engine_can_draw_is_said_with_the_engines_own_words() -> None:
    with pytest.raises(RenderError, match=r"No engine could lay out the diagram: graphviz-pure: .*syntax error"):
        render_svg("digraph {{{")


def test_an_engine_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(process: subprocess.Popen[bytes], _given: bytes, timeout: float) -> NoReturn:
        raise subprocess.TimeoutExpired(process.args, timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", hang)

    with pytest.raises(RenderError, match="timed out after 120 seconds"):
        render_svg("digraph {}")


def no_files(name: str) -> NoReturn:
    raise metadata.PackageNotFoundError(name)


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height, https://www.w3.org/TR/png/#11IHDR."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)
