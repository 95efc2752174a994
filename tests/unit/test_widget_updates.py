"""Newest values while a cell runs, seldom enough not to be felt, and the rest at its end."""

import threading

import pytest

from tests.live_picture import Clock, Picture, run_for, updates_for


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
    with pytest.warns(UserWarning, match="Showing failed with RuntimeError: lamp burnt out. Live updates") as faults:
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
