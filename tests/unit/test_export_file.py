"""A file that a session cannot be written to."""

from pathlib import Path

import pytest

import hookviz
from hookviz.session import watch
from tests.exactly import exactly
from tests.models import fc


@pytest.mark.parametrize(
    ("name", "form"), [("picture.pdf", "as '.pdf' (picture.pdf)"), ("picture", "to 'picture', which has no suffix")]
)
def test_a_file_of_a_kind_that_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    model = fc()
    session = watch(model)

    with pytest.raises(
        hookviz.ExportError,
        match=exactly(f"A session is not written {form}. Choose .svg, .png, .dot, .txt, .json or .html."),
    ):
        session.export(name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["svg", "json"])
def test_a_file_that_the_system_does_not_let_be_written(tmp_path: Path, suffix: str) -> None:
    model = fc()
    session = watch(model)
    there = tmp_path / f"model.{suffix}"
    there.mkdir()

    with pytest.raises(
        hookviz.ExportError, match=exactly(f"{str(there)!r} cannot be written: Is a directory. Choose another file.")
    ):
        session.export(there)


def test_a_file_name_that_cannot_be(tmp_path: Path) -> None:
    model = fc()

    with pytest.raises(hookviz.ExportError, match=r"cannot be written: embedded null byte\. Choose another file\.$"):
        watch(model).export(tmp_path / "a\0.txt")


def test_a_file_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    model = fc()
    session = watch(model)
    folder = tmp_path / "pictures"

    with pytest.raises(
        hookviz.ExportError,
        match=exactly(f"There is no folder {str(folder)!r} to write m.svg into. Make it, or choose another."),
    ):
        session.export(folder / "m.svg")

    assert not folder.exists()
