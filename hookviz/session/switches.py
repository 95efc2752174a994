"""Which captures are on, in general and for each module; read once at the beginning of each run."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Literal, get_args

from hookviz.capture.plan import Plan

Switch = Literal["outputs", "gradients", "inputs"]


class CaptureSwitches:
    """Three switches for all modules and three for each; a capture happens where both are on.

    May be changed from any thread at any time: a run works with the plans that were made when it began.
    """

    def __init__(self, watched: frozenset[str], *, inputs: bool, gradients: bool) -> None:
        self.watched = watched
        self._general: dict[Switch, bool] = {"outputs": True, "gradients": gradients, "inputs": inputs}
        self._off: dict[Switch, set[str]] = {what: set() for what in get_args(Switch)}
        self._lock = threading.Lock()
        self._plans: dict[str, Plan] | None = None

    def set(self, what: Switch, paths: Iterable[str] | None, *, enabled: bool) -> None:
        """Switch one kind on or off: for all modules (None) or some."""
        with self._lock:
            if paths is None:
                self._general[what] = enabled
            elif enabled:
                self._off[what].difference_update(paths)
            else:
                self._off[what].update(paths)
            self._plans = None

    def is_on(self, what: Switch, path: str | None) -> bool:
        """Whether one kind is on in general (None), or is captured at a path."""
        if path is None:
            return self._general[what]
        return self._general[what] and path in self.watched and path not in self._off[what]

    def off_paths(self, what: Switch) -> tuple[str, ...]:
        """The modules for which it was switched off by themselves, sorted."""
        with self._lock:
            return tuple(sorted(self._off[what]))

    def watch(self, paths: frozenset[str]) -> None:
        """The model changed: these modules are captured from now on."""
        with self._lock:
            self.watched = paths
            self._plans = None

    def add(self, paths: Iterable[str]) -> None:
        """A run added modules to the model: these are captured, too, in that very run."""
        with self._lock:
            self.watched |= frozenset(paths)
            if self._plans is not None:
                # In place: the run has these plans at hand.
                self._plans |= {path: self._plan(path) for path in self.watched - self._plans.keys()}

    def plans(self) -> dict[str, Plan]:
        """What to capture at each path that is watched."""
        with self._lock:
            if self._plans is None:
                self._plans = {path: self._plan(path) for path in self.watched}
            return self._plans

    def _plan(self, path: str) -> Plan:
        return Plan(self.is_on("outputs", path), self.is_on("gradients", path), self.is_on("inputs", path))
