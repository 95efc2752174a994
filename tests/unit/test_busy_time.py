"""The time in which the user's program works: runs, and what follows them closely."""

import pytest

from hookviz.capture.busy_time import BusyTime


def test_runs_and_short_pauses_between_them_count() -> None:
    busy = BusyTime()

    for began in (10.0, 11.0, 12.0):
        busy.begin(began)
        busy.end(began + 0.25)

    assert busy.at(12.25) == 2.25


def test_a_long_pause_counts_as_one_second() -> None:
    busy = BusyTime()
    busy.begin(10.0)
    busy.end(10.1)

    assert busy.at(10.6) == pytest.approx(0.6)
    assert busy.at(1000.0) == pytest.approx(1.1)


def test_what_follows_a_long_run_counts_up_to_four_times_its_length() -> None:
    busy = BusyTime()
    busy.begin(10.0)
    busy.end(15.0)

    assert busy.at(35.0) == 25.0
    assert busy.at(99.0) == 25.0


def test_a_run_that_goes_on_counts_as_it_goes() -> None:
    busy = BusyTime()
    busy.begin(10.0)

    assert busy.at(70.0) == 60.0


def test_before_the_first_run_no_time_counts() -> None:
    assert BusyTime().at(70.0) == 0.0
