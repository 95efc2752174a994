"""Past runs are remembered as numbers, the newest ones only."""

import numpy as np
import pytest
import torch

from hookviz.capture.capture import Capture
from hookviz.capture.history import History
from hookviz.capture.run import Run
from hookviz.capture.summary import measure
from hookviz.errors import NotCapturedError


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

    with pytest.raises(NotCapturedError, match="Statistics: mean, std, min, max, norm"):
        history.of("a", "output", "median")  # type: ignore[arg-type]  # that is the point


def test_a_shorter_history_keeps_the_newest() -> None:
    history = History(10)
    for step in (1, 2, 3):
        history.add(run_of(step, float(step)))

    history.resize(2)
    history.add(run_of(4, 4.0))

    assert history.of("a", "output", "mean")[0].tolist() == [3, 4]
