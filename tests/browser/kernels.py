"""Kernels of several versions for the stories: the installed ipykernel, and others from folders of their own."""

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

FOLDERS = "HOOKVIZ_KERNELS"
"""Variable that names a folder with one folder per version, each made so:
``pip install --no-deps --target kernels/6.31.0 ipykernel==6.31.0``."""

OLDEST = "6.31.0"
"""The last version without threads of their own for comms; continuous integration has it beside the newest."""


def versions() -> list[str]:
    """The versions that the stories are told with: the installed one, the oldest, and what else is there."""
    return list(dict.fromkeys([version("ipykernel"), OLDEST, *available_versions()]))


def available_versions() -> list[str]:
    """The versions that are there: the installed one, and those that have a folder."""
    return list(dict.fromkeys([version("ipykernel"), *sorted(folder.name for folder in kernel_folders())]))


def kernel_folders() -> list[Path]:
    folder = os.environ.get(FOLDERS)
    return [] if folder is None else [path for path in Path(folder).resolve().iterdir() if path.is_dir()]


def write_kernel_specs(data: Path) -> None:
    """Let a server whose data lies in ``data`` start a kernel by the name that ``kernel_name`` gives."""
    for folder in kernel_folders():
        path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        spec = {
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": f"ipykernel {folder.name}",
            "language": "python",
            "env": {"PYTHONPATH": path},
        }
        target = data / "kernels" / kernel_name(folder.name)
        target.mkdir(parents=True)
        (target / "kernel.json").write_text(json.dumps(spec))


def kernel_name(wanted: str) -> str:
    """Name of the kernel of this version; a test without it is skipped, in continuous integration it fails."""
    if wanted == version("ipykernel"):
        return "python3"
    if wanted not in [folder.name for folder in kernel_folders()]:
        reason = f"No ipykernel {wanted}: {FOLDERS} names no folder with a folder {wanted} in it."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return f"ipykernel-{wanted}"
