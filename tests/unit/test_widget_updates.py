"""Newest values while a cell runs, seldom enough not to be felt, and the rest at its end."""

import contextlib
import gc
import threading
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hookviz.widget import updates as updates_file
from hookviz.widget.presentation import Presentation
from hookviz.widget.updates import Updates, updates_of


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
        self.session = SimpleNamespace(tick=None, is_open=True, capture_next=self.grant)
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


def end_cells(updates: Updates, count: int) -> None:
    for _ in range(count):
        updates.flush()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(updates_file, "time", clock)
    return clock


@pytest.fixture
def picture(clock: Clock) -> Picture:
    return Picture(clock)


def updates_for(picture: Picture, pump: Callable[[], int] | None = None) -> Updates:
    return Updates(cast(Presentation, picture), pump)


def run_for(seconds: float, clock: Clock, updates: Updates, *, step: float = 0.01) -> None:
    end = clock.now + seconds
    while clock.now < end - 1e-9:
        updates.tick()
        clock.now += step


def test_at_most_ten_updates_a_second(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)

    run_for(1.0, clock, updates)

    assert 8 <= picture.refreshed <= 10


def test_picture_that_is_slow_to_update_comes_less_often(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.cost = 0.05

    run_for(100.0, clock, updates)

    # 2 % of 100 seconds, and what may be spent at first.
    assert 2.0 <= picture.refreshed * 0.05 <= 2.3


def test_single_slow_update_does_not_hold_up_those_that_follow(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.cost = 0.2
    updates.tick()
    picture.cost = 0.0
    clock.now += 0.1

    run_for(1.0, clock, updates)

    assert picture.refreshed >= 9


def test_slow_layouts_come_seldom_and_do_not_stop_the_values(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.has_other_structure = True
    picture.layout_cost = 1.0

    run_for(61.0, clock, updates)

    # One second of each 20, and between them ten updates a second.
    assert picture.drawn in (3, 4)
    assert picture.refreshed >= 500


def test_a_tick_tells_how_long_it_waited_for_a_layout(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.cost, picture.layout_cost, picture.has_other_structure = 0.125, 1.0, True

    seconds = [updates.tick()]
    picture.has_other_structure = False
    clock.now += 20.0
    seconds.append(updates.tick())

    assert seconds == [pytest.approx(1.125), 0.0]


def test_what_it_takes_from_the_thread_is_counted(clock: Clock, picture: Picture) -> None:
    def answer() -> int:
        clock.now += 0.25
        return 1

    updates = updates_for(picture, answer)
    picture.cost = 0.5

    updates.tick()
    updates.tick()

    assert updates.seconds == pytest.approx(0.75 + 0.25)


def test_nothing_is_sent_while_nothing_is_new(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.is_stale = False

    run_for(1.0, clock, updates)

    assert picture.refreshed == 0


def test_picture_that_nobody_sees_is_not_kept_up_to_date(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.has_views = False

    run_for(1.0, clock, updates)
    updates.flush()

    assert picture.refreshed == 0


def test_clicks_are_looked_for_every_50_milliseconds(clock: Clock, picture: Picture) -> None:
    looked: list[float] = []

    def look() -> int:
        looked.append(clock.now)
        return 0

    updates = updates_for(picture, look)

    run_for(0.5, clock, updates)

    assert [round(time - 100, 2) for time in looked] == pytest.approx(
        [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45], abs=0.011
    )


def test_other_threads_send_nothing(picture: Picture) -> None:
    updates = updates_for(picture, lambda: pytest.fail("read the shell channel"))

    thread = threading.Thread(target=updates.tick)
    thread.start()
    thread.join()

    assert picture.refreshed == 0


def test_fault_does_not_reach_the_run_and_stops_live_updates_only(clock: Clock, picture: Picture) -> None:
    updates = updates_for(picture)
    picture.error = RuntimeError("lamp burnt out")
    with pytest.warns(UserWarning, match="Showing failed with RuntimeError: lamp burnt out Live updates") as faults:
        run_for(1.0, clock, updates)
    picture.error = None
    run_for(1.0, clock, updates)
    while_running = picture.refreshed

    updates.flush()

    assert len(faults) == 1
    assert picture.problem.startswith("Showing failed with RuntimeError: lamp burnt out. Live updates stopped")
    assert (while_running, picture.refreshed) == (0, 1)


def test_interrupt_by_the_user_reaches_the_run(clock: Clock, picture: Picture) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    updates = updates_for(picture, interrupted)

    with pytest.raises(KeyboardInterrupt):
        updates.tick()


def test_first_run_of_each_cell_is_captured(picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)

    events.begin_cell()
    events.end_cell()
    events.begin_cell()

    assert picture.granted == 2


def test_end_of_a_cell_shows_what_is_left(clock: Clock, picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    events.begin_cell()
    updates.tick()

    events.end_cell()

    assert picture.refreshed == 2


def test_what_a_button_ran_between_two_cells_is_shown_at_once(clock: Clock, picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)

    events.handle_message()

    assert (picture.granted, picture.refreshed) == (1, 1)


def test_a_message_within_a_cell_waits_for_the_next_update(clock: Clock, picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    events.begin_cell()
    granted = picture.granted

    events.handle_message()

    assert (picture.granted, picture.refreshed) == (granted, 0)


def test_a_message_that_ran_nothing_draws_nothing(clock: Clock, picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    picture.is_stale = False

    events.handle_message()

    assert picture.refreshed == 0


def test_fault_at_the_end_of_each_cell_is_told_once(picture: Picture) -> None:
    updates = updates_for(picture)
    picture.error = RuntimeError("lamp burnt out")

    with pytest.warns(UserWarning, match="lamp burnt out The picture could not be brought up to date") as faults:
        end_cells(updates, 2)

    assert len(faults) == 1


def test_closed_session_gets_its_last_picture_and_no_more(picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    picture.session.is_open = False

    events.end_cell()

    assert picture.refreshed == 1
    assert events.count() == 0


def test_events_do_not_keep_a_picture_alive(picture: Picture) -> None:
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    reference = weakref.ref(updates)

    picture.session.tick = None
    del updates
    gc.collect()
    events.end_cell()

    assert reference() is None
    assert events.count() == 0


def test_all_widgets_of_a_picture_share_its_updates(picture: Picture) -> None:
    events = Events()
    kernel = SimpleNamespace(shell=SimpleNamespace(events=events))
    presentation = cast(Presentation, picture)

    first: Any = updates_of(presentation, kernel)
    second = updates_of(presentation, kernel)

    assert second is first
    assert picture.session.tick == first.tick
    assert events.count() == 4
