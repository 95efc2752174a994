"""Past runs are remembered as numbers, the newest ones only."""

import numpy as np
import pytest
import torch

from hookviz.capture.capture import Capture
from hookviz.capture.history import History
from hookviz.capture.moments import measure
from hookviz.capture.run import Run
from hookviz.errors import NotCapturedError, UnknownMarkError


def run_of(step: int, *outputs: float) -> Run:
    """A run in which module "a" returns each of the numbers."""
    run = Run(step, "")
    for output in outputs:
        call = run.add("a", 1)
        call.output_captures = [Capture(measure(torch.tensor([output]), with_sample=False), None, "")]
    return run


def test_steps_and_values_come_oldest_first() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))
    history.add(run_of(4, 7.0))

    steps, values = history.of("a", "output", "mean")

    assert (steps.tolist(), values.tolist()) == ([1, 4], [5.0, 7.0])


def test_only_the_last_runs_are_kept() -> None:
    history = History(2)
    for step in (1, 2, 3):
        history.add(run_of(step, float(step)))

    assert history.of("a", "output", "max")[0].tolist() == [2, 3]


def test_of_several_calls_in_a_run_the_last_one_counts() -> None:
    history = History(10)
    history.add(run_of(1, 5.0, 9.0))

    assert history.of("a", "output", "mean")[1].tolist() == [9.0]


def test_a_run_that_is_added_again_replaces_itself() -> None:
    history, run = History(10), run_of(1, 5.0)
    history.add(run)
    history.add(run)

    assert history.of("a", "output", "mean")[0].tolist() == [1]


def test_a_number_that_is_not_defined_is_nan() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))

    assert np.isnan(history.of("a", "output", "std")[1]).tolist() == [True]


@pytest.mark.parametrize(("path", "kind", "statistic"), [("b", "output", "mean"), ("a", "grad_output", "mean")])
def test_what_was_not_captured_has_no_history(path: str, kind: str, statistic: str) -> None:
    history = History(10)
    history.add(run_of(1, 5.0))

    with pytest.raises(NotCapturedError, match=f"There is no history of '{statistic}' of '{kind}' at '{path}'"):
        history.of(path, kind, statistic)  # type: ignore[arg-type]  # parametrized


def test_an_unknown_statistic_is_an_error_that_names_those_there_are() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))

    with pytest.raises(NotCapturedError, match='Statistics: "output" has mean, std, min, max, norm, zeros;'):
        history.of("a", "output", "median")  # type: ignore[arg-type]  # that is the point


def test_a_shorter_history_keeps_the_newest() -> None:
    history = History(10)
    for step in (1, 2, 3):
        history.add(run_of(step, float(step)))

    history.resize(2)
    history.add(run_of(4, 4.0))

    assert history.of("a", "output", "mean")[0].tolist() == [3, 4]


def test_runs_after_a_mark_are_kept_apart() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))

    history.mark("lr=0.1", 2)
    history.add(run_of(2, 7.0))

    assert history.of("a", "output", "mean")[1].tolist() == [7.0]
    assert history.of("a", "output", "mean", "")[1].tolist() == [5.0]
    assert history.marks == {"": 1, "lr=0.1": 2}


def test_a_run_from_before_a_mark_that_comes_in_late_is_kept_with_its_own() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))

    history.mark("lr=0.1", 3)
    history.add(run_of(2, 6.0))
    history.add(run_of(3, 7.0))

    assert history.of("a", "output", "mean", "")[0].tolist() == [1, 2]
    assert history.of("a", "output", "mean", "lr=0.1")[0].tolist() == [3]


def test_a_mark_before_the_first_run_names_all_of_them() -> None:
    history = History(10)

    history.mark("lr=0.1", 1)
    history.add(run_of(1, 5.0))

    assert history.marks == {"lr=0.1": 1}


def test_the_same_mark_again_replaces_what_it_stood_for() -> None:
    history = History(10)
    history.mark("a", 1)
    history.add(run_of(1, 5.0))
    history.mark("b", 2)
    history.add(run_of(2, 6.0))

    history.mark("a", 3)
    history.add(run_of(3, 7.0))

    assert history.marks == {"b": 2, "a": 3}
    assert history.of("a", "output", "mean", "a")[0].tolist() == [3]


def test_the_newest_eight_trainings_are_remembered() -> None:
    history = History(10)
    for step in range(1, 11):
        history.mark(str(step), step)
        history.add(run_of(step, 5.0))

    assert list(history.marks) == ["3", "4", "5", "6", "7", "8", "9", "10"]


def test_each_training_has_a_ring_of_its_own() -> None:
    history = History(2)
    for step in (1, 2):
        history.add(run_of(step, 5.0))
    history.mark("later", 3)
    for step in (3, 4, 5):
        history.add(run_of(step, 5.0))

    assert history.of("a", "output", "mean", "")[0].tolist() == [1, 2]
    assert history.of("a", "output", "mean", "later")[0].tolist() == [4, 5]


def test_an_unknown_mark_is_an_error_that_names_those_there_are() -> None:
    history = History(10)
    history.mark("lr=0.1", 1)

    with pytest.raises(UnknownMarkError, match=r"There is no mark 'lr=1' in the history\. Marks: 'lr=0\.1'"):
        history.of("a", "output", "mean", "lr=1")


def test_zeros_and_updates_have_steps_of_their_own() -> None:
    history = History(10)
    history.add(run_of(1, 5.0))
    history.add(run_of(2, 5.0))

    history.add_zeros(2, "a", 0.25)
    history.add_update(1, "a", 0.001)

    assert [each.tolist() for each in history.of("a", "output", "zeros")] == [[2], [0.25]]
    assert [each.tolist() for each in history.of("a", "parameters", "update_ratio")] == [[1], [0.001]]


def test_numbers_that_are_taken_seldom_reach_no_further_back_than_the_runs() -> None:
    history = History(2)
    for step in (1, 2, 3):
        history.add(run_of(step, 5.0))
        if step != 2:
            history.add_zeros(step, "a", 0.25)

    assert history.of("a", "output", "zeros")[0].tolist() == [3]
