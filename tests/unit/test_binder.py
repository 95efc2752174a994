"""What Binder would do with this repository, as repo2docker says it without an engine."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
INSTALL = 'RUN ${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"'


@pytest.fixture(scope="module")
def plan() -> tuple[str, str]:
    """The Dockerfile for this repository, and what was said on the way."""
    return planned(ROOT)


def planned(repository: Path) -> tuple[str, str]:
    # Binder builds as an ordinary user; root would own the files otherwise.
    options = ["--no-build", "--debug", "--user-id=1000", "--user-name=jovyan"]
    answer = subprocess.run(
        [sys.executable, "-m", "repo2docker", *options, str(repository)], capture_output=True, text=True, check=True
    )
    return answer.stdout, answer.stderr


def binder_lines() -> list[str]:
    text = (ROOT / "binder" / "requirements.txt").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_python_is_one_that_the_package_runs_on(plan: tuple[str, str]) -> None:
    _, said = plan

    assert "Building conda environment for python=3.11" in said


def test_repository_is_copied_before_it_is_installed(plan: tuple[str, str]) -> None:
    dockerfile, _ = plan
    copy = "COPY --chown=1000:1000 src/ ${REPO_DIR}/"

    assert dockerfile.count(INSTALL) == 1
    assert dockerfile.index(copy) < dockerfile.index(INSTALL)


def test_no_system_package_is_added(plan: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "runtime.txt").write_text("python-3.11\n")

    plain, _ = planned(tmp_path)

    assert plan[0].count("apt-get -qq install") == plain.count("apt-get -qq install") > 0


def test_torch_is_a_cpu_build_that_the_package_takes() -> None:
    lines = binder_lines()
    pins = [line for line in lines if line.startswith("torch")]
    wanted = next(item for item in dependencies() if item.name == "torch")

    assert [line.rpartition("/")[2] for line in lines if line.startswith("--extra-index-url ")] == ["cpu"]
    assert pins == ["torch==2.13.0+cpu"]
    assert wanted.specifier.contains("2.13.0+cpu")


def test_the_rest_is_the_project_and_requirements_that_pip_can_read() -> None:
    rest = [line for line in binder_lines() if not line.startswith(("--", "torch"))]

    assert rest[-1] == ".[lab]"
    assert [Requirement(line).name for line in rest[:-1]] == ["ipykernel", "jupyterlab"]


def dependencies() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [Requirement(line) for line in project["dependencies"]]
