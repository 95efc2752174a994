"""An engine that lays out when it is told to, for tests of what goes on meanwhile."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hookviz.diagram import render

SCRIPT = """#!/bin/sh
echo $$ >> {folder}/begun
while [ ! -e {folder}/go ]; do sleep 0.01; done
exec {engine} "$@"
"""


class SlowEngine:
    """Stands in the place of all engines; it waits until ``go``."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        script = folder / "engine"
        script.write_text(SCRIPT.format(folder=folder, engine=render.engines()[0]))
        script.chmod(0o755)
        monkeypatch.setattr(render, "engines", lambda: [script])

    @property
    def processes(self) -> list[int]:
        """Numbers of all that were begun."""
        begun = self._folder / "begun"
        return [int(number) for number in begun.read_text().split()] if begun.exists() else []

    def wait_for(self, count: int) -> None:
        """Wait until so many were begun."""
        wait_until(lambda: len(self.processes) >= count)

    @property
    def running(self) -> list[int]:
        """Numbers of those that have not ended."""
        return [number for number in self.processes if _is_there(number)]

    def go(self) -> None:
        """Let all go on, and those that come."""
        (self._folder / "go").touch()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something that is about to happen."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end, "it did not happen within 20 seconds"
        time.sleep(0.01)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
