"""A session that rests lets runs pass by: they are counted, and what has to act before the next run wakes it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest
import torch
from torch import nn

import hookviz
from hookviz.hooks.pace import REST_SECONDS, Pace


def least(measure: Callable[[], float], enough: float) -> float:
    """The least of a few measurements, or the first that is enough: what a busy machine adds is never negative."""
    found = math.inf
    for _ in range(5):
        if found >= enough:
            found = min(found, measure())
    return found


def test_a_rest_ends_after_a_moment_however_long_it_could_be() -> None:
    pace = Pace()

    pace.rest(100.0, 500.0, 1_000)

    assert pace.until == 100.0 + REST_SECONDS


def test_without_a_run_that_may_pass_there_is_no_rest() -> None:
    pace = Pace()

    pace.rest(100.0, 500.0, 0)

    assert pace.until < 100.0


def test_runs_that_pass_in_a_rest_are_counted() -> None:
    model = nn.Linear(2, 2)
    with hookviz.watch(model) as session:
        session.pause()
        for _ in range(50):
            model(torch.ones(2))

        assert (session.runs_seen, session.runs_captured) == (50, 0)


def test_every_third_run_is_captured_although_others_pass_in_a_rest() -> None:
    model = nn.Linear(2, 2)
    with hookviz.watch(model, every=3) as session:
        steps = []
        for _ in range(10):
            model(torch.ones(2))
            assert session.run is not None
            steps.append(session.run.step)

    assert steps == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10]


def test_the_run_after_resume_is_captured_in_the_middle_of_a_rest() -> None:
    model = nn.Linear(2, 2)
    with hookviz.watch(model, every=1) as session:
        session.pause()
        model(torch.ones(2))
        model(torch.ones(2))

        session.resume()
        model(torch.ones(2))

        assert session.runs_captured == 1
        assert session.run is not None
        assert session.run.step == 3


def test_a_hook_that_is_switched_within_a_run_acts_in_the_next_one() -> None:
    model = nn.Linear(2, 2)
    calls: list[int] = []
    model.register_forward_hook(lambda *_: calls.append(1))
    with hookviz.watch(model, every=1000) as session:
        (hook,) = session.hooks
        for _ in range(3):
            model(torch.ones(2))
        handle = model.register_forward_pre_hook(lambda *_: hook.disable())
        model(torch.ones(2))
        handle.remove()
        seen = len(calls)

        model(torch.ones(2))

        assert len(calls) == seen


def test_the_share_of_a_session_that_is_paused_from_the_start_is_small() -> None:
    def share() -> float:
        model = nn.Linear(2, 2)
        with hookviz.watch(model) as session:
            session.pause()
            for _ in range(3):
                model(torch.ones(2))
                time.sleep(0.02)
            return session.overhead_now

    assert least(share, 0.1) < 0.1


@pytest.mark.parametrize("every", [1, None], ids=["captured", "only noticed"])
def test_what_a_tick_takes_of_the_run_is_counted_as_overhead(every: int | None) -> None:
    def times_counted() -> float:
        model = nn.Linear(2, 2)
        with hookviz.watch(model, every=every) as session:
            model(torch.ones(2))
            ticks: list[float] = []

            def tick() -> None:
                began = time.perf_counter()
                time.sleep(0.1)
                ticks.append(time.perf_counter() - began)

            session.tick = tick
            began = time.perf_counter()
            for _ in range(4):
                model(torch.ones(2))
                time.sleep(0.1)
            passed = time.perf_counter() - began

            assert len(ticks) == 4
            return session.overhead_now * passed / sum(ticks)

    # Once, and not twice; what capturing itself takes comes on top.
    assert 0.9 < least(times_counted, 1.6) < 1.6


def test_a_layout_is_counted_as_overhead_and_does_not_stop_captures() -> None:
    model = nn.Linear(2, 2)
    with hookviz.watch(model) as session:
        model(torch.ones(2))
        began = time.perf_counter()
        waits = [1.0]

        def lay_out() -> float:
            seconds = waits.pop() if waits else 0.0
            time.sleep(seconds)
            return seconds

        session.tick = lay_out
        model(torch.ones(2))
        captured = session.runs_captured
        # One second in twenty would be the whole of what captures may take.
        while session.runs_captured == captured and time.perf_counter() - began < 15:
            time.sleep(0.05)
            model(torch.ones(2))

        assert session.runs_captured > captured
        assert session.overhead_now * (time.perf_counter() - began) > 0.9


def test_looking_for_what_is_wrong_is_part_of_what_a_captured_run_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookviz.health.checkup.Checkup.end", lambda *_given: time.sleep(0.5))
    model = nn.Linear(2, 2)
    with hookviz.watch(model) as session:
        began = time.perf_counter()

        for _ in range(20):
            model(torch.ones(2))
            time.sleep(0.005)

        # Half a second for the first run, which is paid off in ten seconds and more.
        assert session.runs_captured == 1
        assert session.overhead_now * (time.perf_counter() - began) > 0.5
