"""What is new is shown when a cell or a message is over, for as long as the session is open."""

import gc
import threading
import weakref
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hookviz.widget.presentation import Presentation
from hookviz.widget.updates import Updates, updates_of
from tests.live_picture import Clock, Events, Picture, updates_for


def following(picture: Picture) -> tuple[Updates, Events]:
    """Updates of a picture, and the events of the cells that they follow. What is told lives as long as both."""
    updates, events = updates_for(picture), Events()
    updates.follow_cells(events)
    return updates, events


def end_cells(updates: Updates, count: int) -> None:
    for _ in range(count):
        updates.flush()


def test_first_run_of_each_cell_is_captured(picture: Picture) -> None:
    _updates, events = following(picture)

    events.begin_cell()
    events.end_cell()
    events.begin_cell()

    assert picture.granted == 2


def test_end_of_a_cell_shows_what_is_left(clock: Clock, picture: Picture) -> None:
    updates, events = following(picture)
    events.begin_cell()
    updates.tick()

    events.end_cell()

    assert picture.refreshed == 2


def test_what_a_button_ran_between_two_cells_is_shown_at_once(clock: Clock, picture: Picture) -> None:
    _updates, events = following(picture)

    events.handle_message()

    assert (picture.granted, picture.refreshed) == (1, 1)


@pytest.mark.parametrize(("message", "shown"), [("execute_request", 0), ("comm_msg", 1)])
def test_a_widget_that_is_made_in_a_running_cell_knows_that_it_runs(picture: Picture, message: str, shown: int) -> None:
    events = Events()
    kernel = SimpleNamespace(
        shell=SimpleNamespace(events=events),
        get_parent=lambda: {"header": {"msg_type": message}},
    )
    updates_of(cast("Presentation", picture), kernel)

    events.handle_message()

    assert picture.refreshed == shown


def test_the_thread_of_a_cell_is_known_until_its_end(picture: Picture) -> None:
    _updates, events = following(picture)

    events.begin_cell()
    assert picture.session.cell_thread == threading.get_ident()

    events.end_cell()
    assert picture.session.cell_thread is None


def test_a_message_within_a_cell_waits_for_the_next_update(clock: Clock, picture: Picture) -> None:
    _updates, events = following(picture)
    events.begin_cell()
    granted = picture.granted

    events.handle_message()

    assert (picture.granted, picture.refreshed) == (granted, 0)


def test_a_message_that_ran_nothing_draws_nothing(clock: Clock, picture: Picture) -> None:
    _updates, events = following(picture)
    picture.is_stale = False

    events.handle_message()

    assert picture.refreshed == 0


def test_fault_at_the_end_of_each_cell_is_told_once(picture: Picture) -> None:
    updates = updates_for(picture)
    picture.error = RuntimeError("lamp burnt out")

    with pytest.warns(UserWarning, match="lamp burnt out. The picture could not be brought up to date") as faults:
        end_cells(updates, 2)

    assert len(faults) == 1


def test_closed_session_gets_its_last_picture_and_no_more(picture: Picture) -> None:
    _updates, events = following(picture)
    picture.session.is_open = False

    events.end_cell()

    assert picture.refreshed == 1
    assert events.count() == 0


def test_events_do_not_keep_a_picture_alive(picture: Picture) -> None:
    updates, events = following(picture)
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
