"""A mistake in a line of ``%hookviz`` is told in one line, and changes nothing."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from hookviz.errors import HookvizError
from hookviz.session import WatchOptions, session_of
from tests.seen import error_of, sessions


def test_mistake_in_the_second_model_stops_none(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model").raise_error()

    error_of(shell, capsys, "%hookviz --off model model[0]")

    assert len(sessions(shell)) == 1


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("%hookviz", "UsageError: %hookviz: name a model, as in: %hookviz model. All options: %hookviz?"),
        ("%hookviz modle", "UsageError: %hookviz: name 'modle' is not defined. Models here: model."),
        ("%hookviz 'modle'", "UsageError: %hookviz: 'modle' is a text, not a model. Models here: model."),
        ("%hookviz 3+4", "UsageError: %hookviz: 3+4 is neither a model nor a tensor; its type is int."),
        ("%hookviz model[", "UsageError: %hookviz: a ] is missing in: model["),
        ("%hookviz 3 +", "UsageError: %hookviz: '+' is not a Python expression. All options: %hookviz?"),
        ("%hookviz models['c']", "UsageError: %hookviz: models['c'] raised KeyError: 'c'"),
        ("%hookviz model, other", "UsageError: %hookviz: write spaces between models, no commas: %hookviz model other"),
        ("%hookviz model,x", "UsageError: %hookviz: write spaces between models, no commas: %hookviz model x"),
        ("%hookviz model --depth -1", "UsageError: %hookviz: argument --depth: expected a whole number, 0 or more"),
        ("%hookviz --off model", "UsageError: %hookviz: model is not watched. The watched models: %hookviz --list"),
        ("%hookviz model --every", "UsageError: %hookviz: argument --every: expected one argument. "),
        ("%%hookviz\n1", "UsageError: %hookviz: name a model, as in: %%hookviz model. All options: %hookviz?"),
        ("%%hookviz --off model\n1", "UsageError: %hookviz: --off, --list and --help stand alone, without a cell "),
        (
            "%%hookviz net\nnet = nn.ReLU()",
            "UsageError: %hookviz: 'net' is made by this very cell, which has not run yet. Make it in a cell before, ",
        ),
        ("%%hookviz modle\n1", "UsageError: %hookviz: name 'modle' is not defined. Models here: model."),
    ],
)
def test_mistake_is_told_in_one_line(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str, error: str
) -> None:
    seen = error_of(shell, capsys, cell)

    assert error in seen
    assert "\n" not in seen
    assert sessions(shell) == []


@pytest.mark.parametrize(
    "line",
    [
        "%hookviz 3",
        "%hookviz nn.Linear",
        "%hookviz model --only nothing.*",
    ],
)
def test_what_the_session_refuses_is_told_in_one_line(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    seen = error_of(shell, capsys, line)

    assert seen.startswith("UsageError: %hookviz: ")
    assert "\n" not in seen
    assert sessions(shell) == []


def test_mistake_in_the_second_model_watches_none(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    error_of(shell, capsys, "%hookviz model modle")

    assert sessions(shell) == []


def test_option_that_does_not_fit_the_second_model_watches_none(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = error_of(shell, capsys, "%hookviz model model[1] --only 1.*")

    assert seen.startswith("UsageError: %hookviz: The pattern '1.*' matches none")
    assert sessions(shell) == []
    assert session_of(shell.user_ns["model"]) is None


def test_option_that_does_not_fit_the_second_model_leaves_the_options_of_the_first(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("%hookviz model --every 3").raise_error()

    error_of(shell, capsys, "%hookviz model model[1] --only 1.*")

    assert sessions(shell)[0].options == WatchOptions(every=3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("show(3)", "A model is an instance of torch.nn.Module; got int."),
        ("show(model, depth='a')", "depth is how many levels are unfolded, a whole number from 0; got 'a'."),
        (
            "show(model, direction='down')",
            (
                'direction is "TB", from the top to the bottom, or "LR", from left to right; None for what suits the '
                "graph; got 'down'."
            ),
        ),
        ("show(model, every=0)", "every must be 1 (each run) or more; got 0. To stop, call session.pause()."),
        (
            "show(hookviz.watch(model), every=3)",
            "A session has its options already: hookviz.watch(session.model, every=3) changes them.",
        ),
    ],
)
def test_mistake_in_a_call_of_show_is_told(shell: InteractiveShell, call: str, message: str) -> None:
    error = shell.run_cell(f"import hookviz\nhookviz.{call}").error_in_exec

    assert isinstance(error, HookvizError)
    assert str(error) == message
