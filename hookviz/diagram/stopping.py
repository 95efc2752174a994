"""Ends the work of an engine from another thread, when nobody wants its picture any more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess


class StoppedError(Exception):
    """Somebody ended this layout. Whoever lays out catches it: no user sees it."""


class Stop:
    """Call it to end a layout, from any thread and at any time, also before it began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_set = False

    def __call__(self) -> None:
        """End the engine's process if one runs; what comes next raises."""
        with self._lock:
            self._is_set = True
            if self._process is not None:
                self._process.kill()

    def check(self) -> None:
        """Go on, unless it is ended.

        Raises:
            StoppedError: if it is.
        """
        if self._is_set:
            raise StoppedError

    @contextmanager
    def reaching(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """While inside, this is the process to end."""
        with self._lock:
            self._process = process
            if self._is_set:
                process.kill()
        try:
            yield
        finally:
            with self._lock:
                self._process = None
