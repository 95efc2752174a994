"""Captured runs stay within their share of the time. Time is a number here, so nothing waits."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookviz.capture.budget import BURST_RUNS, LEAST_SHARE, WINDOW_SECONDS, Budget
from hookviz.errors import LimitError


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def captured_of(budget: Budget, clock: Clock, runs: int, *, cost: float, pause: float) -> list[bool]:
    due = []
    for _ in range(runs):
        due.append(budget.is_due())
        if due[-1]:
            clock.now += cost
            budget.spend(cost)
        clock.now += pause
    return due


def test_the_first_run_is_captured_whatever_it_costs() -> None:
    assert Budget(0.01, None, clock=Clock()).is_due()


def test_the_first_run_is_paid_off_before_the_next_is_captured() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)

    due = captured_of(budget, clock, 60, cost=0.001, pause=0.001)

    # 1 ms spent, and 1 ms to spend again, at 45 µs a ms
    assert [step for step, is_due in enumerate(due) if is_due] == [0, 44]


def test_a_granted_run_is_captured_at_once_and_paid_off_like_the_first() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    captured_of(budget, clock, 10, cost=0.001, pause=0.001)

    budget.grant()
    due = captured_of(budget, clock, 80, cost=0.001, pause=0.001)

    # 1 ms spent at once, 0.5 ms still owed for the first one, and 1 ms to spend again, at 45 µs a ms; then 1 ms each
    assert [step for step, is_due in enumerate(due) if is_due] == [0, 55, 76]


def test_with_a_margin_runs_are_spaced_as_if_they_cost_so_much_more_and_the_share_is_what_they_cost() -> None:
    clock = Clock()
    budget = Budget(0.05, None, margin=2.0, clock=clock)

    due = captured_of(budget, clock, 2_000, cost=0.01, pause=0.02)

    # At nine tenths of the limit, 0.9 s in the 20.5 s that a thousand runs take: 46 runs that count as 20 ms each.
    assert sum(due[1000:]) == 47
    assert 0.02 < budget.share() < 0.025


def test_a_very_expensive_first_run_is_paid_off_for_five_seconds() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    assert captured_of(budget, clock, 1, cost=10.0, pause=0.0) == [True]

    # Two runs a second: 1 s, and 2.2 s for what the next run may be expected to cost, 0.1 s at nine tenths of 5 %.
    due = captured_of(budget, clock, 60, cost=0.02, pause=0.5)
    assert due.index(True) == 7


def test_a_run_that_cost_more_than_was_expected_is_paid_off_whole() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    captured_of(budget, clock, 1, cost=0.001, pause=1.0)
    assert captured_of(budget, clock, 1, cost=10.0, pause=0.0) == [True]

    assert not any(captured_of(budget, clock, 400, cost=0.02, pause=0.5))


def test_where_each_nth_run_is_captured_none_is_granted() -> None:
    budget = Budget(0.05, 3, clock=Clock())
    assert budget.is_due()

    budget.grant()

    assert [budget.is_due() for _ in range(3)] == [False, False, True]


def test_after_a_pause_a_few_cheap_runs_in_a_row_are_all_captured_before_spacing_begins() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    captured_of(budget, clock, 1, cost=0.001, pause=1.0)

    due = captured_of(budget, clock, 8, cost=0.001, pause=0.0)

    assert due == [True] * BURST_RUNS + [False] * 4


def test_what_noticing_the_other_runs_takes_comes_off_what_captures_may_take() -> None:
    quiet, busy = Clock(), Clock()
    free, burdened = Budget(0.05, None, clock=quiet), Budget(0.05, None, clock=busy)

    without = sum(captured_of(free, quiet, 10_000, cost=0.001, pause=0.001))
    captured = 0
    for _ in range(10_000):
        is_due = burdened.is_due()
        busy.now += 0.001
        if is_due:
            captured += 1
            burdened.spend(0.001)
        else:
            burdened.pass_by(0.000_02)

    # Of 45 µs a ms, noticing leaves 25: five ninths.
    assert without == pytest.approx(471, abs=2)
    assert captured == pytest.approx(250, abs=5)


def test_a_fifth_of_the_limit_is_left_to_captures_however_much_noticing_takes() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)

    captured = 0
    for _ in range(100_000):
        is_due = budget.is_due()
        clock.now += 0.0001
        if is_due:
            captured += 1
            budget.spend(0.001)
        else:
            budget.pass_by(0.000_01)

    # 9 ms a second are left, so nine captures of 1 ms: 90 in these ten seconds.
    assert 85 <= captured <= 92
    assert budget.share() == pytest.approx(0.11, abs=0.005)


def test_share_stands_still_while_nothing_runs() -> None:
    clock = Clock()
    budget = Budget(0.05, 1, clock=clock)
    for _ in range(10):
        budget.is_due()
        clock.now += 0.5
        budget.run_ended()
        budget.spend(0.25)
    clock.now += 5.0
    at_rest = budget.share()

    clock.now += 3600.0

    assert budget.share() == at_rest
    assert at_rest == pytest.approx(2.5 / 7.0)


def test_what_has_a_pace_of_its_own_shows_in_the_share_and_takes_nothing_from_captures() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    captured_of(budget, clock, 100, cost=0.001, pause=0.019)  # two seconds
    share = budget.share()

    budget.set_apart(1.0)

    assert budget.share() == pytest.approx(share + 1.0 / 2.0, rel=0.1)
    assert sum(captured_of(budget, clock, 100, cost=0.001, pause=0.019)) >= 80


def test_what_was_spent_is_remembered_in_few_numbers_however_short_the_steps_are() -> None:
    clock = Clock()
    budget = Budget(0.05, 1, clock=clock)

    captured_of(budget, clock, 30_000, cost=0.0005, pause=0.0005)  # thirty seconds

    assert budget.share() == pytest.approx(0.5, rel=0.01)
    assert len(budget._spent) <= 401


def test_after_an_expensive_run_the_next_waits() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)

    due = captured_of(budget, clock, 3, cost=2.0, pause=1.0)

    assert due == [True, False, False]


def test_cells_called_by_hand_are_all_captured() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)

    assert all(captured_of(budget, clock, 20, cost=0.01, pause=2.0))


def test_every_third_run_is_captured_with_every_3_whatever_it_costs() -> None:
    clock = Clock()
    budget = Budget(0.05, 3, clock=clock)

    assert captured_of(budget, clock, 7, cost=60.0, pause=0.0) == [True, False, False, True, False, False, True]


def test_share_is_that_of_the_last_twenty_seconds() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    budget.is_due()
    clock.now += 60.0
    budget.spend(1.0)

    now, clock.now = budget.share(), clock.now + 20.5

    assert now == 0.05
    assert budget.share() == 0.0


def test_share_is_that_of_the_time_since_the_first_run_where_this_is_shorter() -> None:
    clock = Clock()
    budget = Budget(0.05, None, clock=clock)
    clock.now += 60.0
    budget.is_due()
    clock.now += 2.0

    assert budget.share(open_seconds=0.5) == 0.25


def test_share_is_never_above_one() -> None:
    clock = Clock()
    budget = Budget(1.0, None, clock=clock)
    budget.spend(100.0)

    assert budget.share() == 1.0


RUNS = st.lists(st.tuples(st.floats(0.0001, 0.5), st.floats(0.0, 3.0)), min_size=1, max_size=120)


@settings(deadline=None, max_examples=150)
@given(overhead=st.floats(0.01, 1.0), idle=st.floats(0.0, 100.0), runs=RUNS, times=st.integers(1, 6))
def test_in_no_window_more_is_spent_than_the_limit_and_what_nobody_could_expect(
    overhead: float, idle: float, runs: list[tuple[float, float]], times: int
) -> None:
    clock = Clock()
    budget = Budget(overhead, None, clock=clock)
    clock.now += idle
    spent: list[tuple[float, float]] = []

    for cost, pause in runs * times:
        if budget.is_due():
            clock.now += cost
            budget.spend(cost)
            spent.append((clock.now, cost))
        clock.now += pause

    # The first run is captured whatever it costs.
    del spent[0]
    for end, _ in spent:
        within = [cost for at, cost in spent if end - WINDOW_SECONDS < at <= end]
        assert sum(within) <= overhead * WINDOW_SECONDS + max(within) + 1e-6


@settings(deadline=None, max_examples=50)
@given(overhead=st.floats(0.01, 1.0), cost=st.floats(0.0001, 0.01), pause=st.floats(0.0, 0.1), passed=st.floats(0, 1))
def test_over_many_runs_the_share_stays_under_the_limit(
    overhead: float, cost: float, pause: float, passed: float
) -> None:
    clock = Clock()
    budget = Budget(overhead, None, clock=clock)
    noticing = passed * overhead * (1 - LEAST_SHARE) * pause
    began = clock.now + cost

    first, *later = captured_of(budget, clock, 1, cost=cost, pause=pause)
    spent = 0.0
    for _ in range(1000):
        seconds = cost if budget.is_due() else noticing
        clock.now += seconds + pause
        spent += seconds
        (budget.spend if seconds == cost else budget.pass_by)(seconds)

    assert (first, later) == (True, [])
    assert spent <= overhead * (clock.now - began) + 1e-6


@pytest.mark.parametrize("overhead", [0, -0.1, 1.5, float("nan")])
def test_a_share_outside_of_its_range_is_an_error(overhead: float) -> None:
    with pytest.raises(
        LimitError,
        match=re.escape(
            "overhead is the share of the time that capturing may take, above 0 and at most 1; "
            f"got {overhead!r}. The default is 0.05; to stop capturing, call session.pause()."
        ),
    ):
        Budget(overhead, None)


@pytest.mark.parametrize("every", [0, -3])
def test_an_interval_below_one_is_an_error(every: int) -> None:
    with pytest.raises(LimitError, match=rf"every must be 1 \(each run\) or more; got {every}. To stop, call"):
        Budget(0.05, every)
