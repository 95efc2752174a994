"""A picture whose updates take the time that they are told to, and the events of cells."""

import contextlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

from hookviz.widget.presentation import Presentation
from hookviz.widget.updates import Updates


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.now


class Picture:
    """Counts how often it was brought up to date, which takes ``cost`` seconds."""

    def __init__(self, clock: Clock) -> None:
        self.session = SimpleNamespace(tick=None, is_open=True, capture_next=self.grant, cell_thread=None)
        self.granted = 0
        self.updates: Updates | None = None
        self.drawing = object()
        self.has_views = True
        self.is_stale = True
        self.cost = 0.0
        self.has_other_structure = False
        self.layout_cost = 0.0
        self.drawn = 0
        self.layout_under_way: object | None = None
        self.beside = 0.0
        self.refreshed = 0
        self.problem = ""
        self.error: Exception | None = None
        self._clock = clock

    def grant(self) -> None:
        self.granted += 1

    def look_for_hooks(self) -> None:
        """There are none."""

    def beside_a_cell(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def take_layout(self, *, wait: bool = True) -> float:
        """Show the layout that took ``beside`` seconds."""
        seconds, self.beside = self.beside, 0.0
        if seconds:
            self._clock.now += self.cost
            self.drawing = object()
            self.layout_under_way = None
        return seconds

    def refresh(self, *, wait: bool = True, may_draw: bool = True) -> bool:
        if self.error is not None:
            raise self.error
        self._clock.now += self.cost
        self.refreshed += 1
        if may_draw and self.has_other_structure:
            self._clock.now += self.layout_cost
            self.drawing = object()
            self.drawn += 1
        return True


class Events:
    """IPython's events, as far as they are used."""

    def __init__(self) -> None:
        names = ["pre_run_cell", "post_run_cell", "pre_execute", "post_execute"]
        self.callbacks: dict[str, list[Callable[..., None]]] = {name: [] for name in names}

    def register(self, name: str, callback: Callable[..., None]) -> None:
        self.callbacks[name].append(callback)

    def unregister(self, name: str, callback: Callable[..., None]) -> None:
        self.callbacks[name].remove(callback)

    def begin_cell(self) -> None:
        self._tell("pre_execute")
        self._tell("pre_run_cell")

    def end_cell(self) -> None:
        self._tell("post_execute")
        self._tell("post_run_cell")

    def handle_message(self) -> None:
        self._tell("pre_execute")
        self._tell("post_execute")

    def count(self) -> int:
        return sum(len(callbacks) for callbacks in self.callbacks.values())

    def _tell(self, name: str) -> None:
        for callback in list(self.callbacks[name]):
            callback(None)


def updates_for(picture: Picture, pump: Callable[[], int] | None = None) -> Updates:
    return Updates(cast(Presentation, picture), pump)


def run_for(seconds: float, clock: Clock, updates: Updates, *, step: float = 0.01) -> None:
    end = clock.now + seconds
    while clock.now < end - 1e-9:
        updates.tick()
        clock.now += step
