"""``%hookviz`` and ``%%hookviz`` in IPython without a notebook, where they print the diagram as text."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from hookviz.errors import NotAModelError
from hookviz.magic.extension import load_ipython_extension, unload_ipython_extension
from hookviz.session import Session, WatchOptions, session_of, watch

SETUP = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
models = {"a b": model}
x = torch.ones(1, 2)
"""


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    config = Config()
    # Its thread would outlive the test.
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=config)
    load_ipython_extension(shell)
    shell.run_cell(SETUP).raise_error()
    yield shell
    unload_ipython_extension(shell)
    shell.reset(new_session=False)
    InteractiveShell.clear_instance()


def sessions(shell: InteractiveShell) -> list[Session]:
    return shell.magics_manager.registry["HookvizMagics"]._open()  # type: ignore[no-any-return]  # IPython has no types


def error_of(shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str) -> str:
    """What the user sees of a cell that fails: nothing but this line."""
    result = shell.run_cell(cell)
    assert not result.success
    seen = capsys.readouterr()
    return (seen.out + seen.err).strip()


def test_model_is_watched_and_shown(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model").raise_error()

    printed = capsys.readouterr().out
    assert printed.startswith("model\n")
    assert "Linear" in printed
    assert [session.model for session in sessions(shell)] == [shell.user_ns["model"]]


def test_again_on_a_watched_model_shows_the_same_session(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz --inputs model").raise_error()
    (first,) = sessions(shell)

    shell.run_cell('%hookviz models["a b"]').raise_error()

    assert sessions(shell) == [first]
    assert first.options.inputs


def test_other_options_change_the_open_session(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --inputs").raise_error()
    (first,) = sessions(shell)

    shell.run_cell("%hookviz model --every 3 --keep 1MB --no-gradients").raise_error()

    assert sessions(shell) == [first]
    assert first.is_open
    assert first.options == WatchOptions(inputs=True, every=3, keep_bytes=1_048_576, gradients=False)


def test_session_behind_the_magic_is_that_of_watch(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --every 3").raise_error()

    assert watch(shell.user_ns["model"]) is sessions(shell)[0]


def test_options_that_stay_from_before_are_told(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model --inputs --every 3").raise_error()
    first = capsys.readouterr().out
    shell.run_cell("%hookviz model --every 2").raise_error()

    second = capsys.readouterr().out
    assert first.startswith("model\n├─")
    assert second.startswith(
        "model is watched with --inputs, as before. To begin anew: %hookviz --off model\nmodel\n├─"
    )


def test_options_can_be_taken_back(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --inputs --no-gradients --only 0").raise_error()

    shell.run_cell("%hookviz model --no-inputs --gradients --only *").raise_error()

    assert sessions(shell)[0].options == WatchOptions()


@pytest.mark.parametrize("pattern", ["Linear", "nn.Linear", "Dense"])
def test_only_takes_a_class(shell: InteractiveShell, pattern: str) -> None:
    shell.run_cell("Dense = nn.Linear").raise_error()

    shell.run_cell(f"%hookviz model --only {pattern}").raise_error()

    (session,) = sessions(shell)
    assert [path for path in session.paths() if session.is_enabled("outputs", path)] == ["0", "1.1"]


def test_exclude_takes_a_class(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --exclude ReLU").raise_error()

    (session,) = sessions(shell)
    assert [path for path in session.paths() if not session.is_enabled("outputs", path)] == ["1.0"]


def test_comment_is_no_model(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model  # the whole of it").raise_error()

    assert len(sessions(shell)) == 1


def test_session_that_was_made_in_python_can_be_shown(shell: InteractiveShell) -> None:
    session = shell.user_ns["session"] = watch(shell.user_ns["model"], every=2)

    shell.run_cell("%hookviz session").raise_error()

    assert sessions(shell) == [session]


def test_several_models_and_expressions(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell('%hookviz models["a b"] model[1] --name "My net"').raise_error()

    assert capsys.readouterr().out.count("My net") == 2
    assert len(sessions(shell)) == 2


def test_braces_and_dollars_belong_to_the_expression(shell: InteractiveShell) -> None:
    shell.user_ns["which"] = "a b"

    shell.run_cell("%hookviz models[f'{which}']").raise_error()

    assert len(sessions(shell)) == 1


def test_long_expression_is_no_title(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz {name: value for name, value in models.items()}['a b']").raise_error()

    assert [session.name for session in sessions(shell)] == ["Sequential"]


def test_depth_folds_what_is_below(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model --depth 0").raise_error()

    assert "ReLU" not in capsys.readouterr().out


def test_list_names_the_watched_models(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz --list").raise_error()
    before = capsys.readouterr().out
    shell.run_cell("%hookviz model --every 2").raise_error()
    shell.run_cell("for _ in range(3): model(x)").raise_error()
    capsys.readouterr()

    shell.run_cell("%hookviz --list").raise_error()

    assert before == "No model is watched.\n"
    assert capsys.readouterr().out == "model: Sequential, 2 of 3 runs captured\n"


def test_off_stops_one_model_or_all(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model model[0] model[1]").raise_error()
    first, second, third = sessions(shell)

    shell.run_cell("%hookviz --off model[0]").raise_error()
    after_one = [first.is_open, second.is_open, third.is_open]
    shell.run_cell("%hookviz --off").raise_error()

    assert after_one == [True, False, True]
    assert [first.is_open, third.is_open] == [False, False]


def test_model_that_is_named_twice_is_stopped_once(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model").raise_error()

    shell.run_cell("%hookviz --off model model").raise_error()

    assert sessions(shell) == []


def test_mistake_in_the_second_model_stops_none(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model").raise_error()

    error_of(shell, capsys, "%hookviz --off model model[0]")

    assert len(sessions(shell)) == 1


def test_help_lists_all_options(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz --help").raise_error()

    assert "--overhead SHARE" in capsys.readouterr().out
    help_of_magic = shell.object_inspect("%hookviz")["docstring"]
    assert help_of_magic.startswith("See what flows through a PyTorch model")
    assert "--overhead SHARE" in help_of_magic


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("%hookviz", "UsageError: %hookviz: name a model, as in: %hookviz model. All options: %hookviz?"),
        ("%hookviz modle", "UsageError: %hookviz: name 'modle' is not defined. Models here: model."),
        ("%hookviz 'modle'", "UsageError: %hookviz: 'modle' is a text, not a model. Models here: model."),
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


def test_value_of_an_expression_that_nobody_else_owns_is_shown(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("%hookviz nn.Sequential(nn.Linear(2, 3), nn.Tanh())").raise_error()

    assert "Tanh" in capsys.readouterr().out
    assert sessions(shell) == []


def test_cell_runs_under_a_session_that_closes_after_it(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("%%hookviz model --every 1\ny = model(x)\ny.shape").raise_error()

    printed = capsys.readouterr().out
    assert "torch.Size([1, 1])" in printed
    assert printed.index("torch.Size") < printed.index("└─")
    assert shell.user_ns["y"].shape == (1, 1)
    assert sessions(shell) == []
    assert "_compiled_call_impl" not in vars(shell.user_ns["model"])


def test_session_that_was_open_before_the_cell_stays_open(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --every 1").raise_error()
    (session,) = sessions(shell)

    shell.run_cell("%%hookviz model\nmodel(x)").raise_error()

    assert session.is_open
    assert session.runs_captured == 1


def test_session_that_was_opened_in_python_stays_open_too(shell: InteractiveShell) -> None:
    session = watch(shell.user_ns["model"], every=1)

    shell.run_cell("%%hookviz model\nmodel(x)").raise_error()

    assert session.is_open
    assert session.runs_captured == 1


def test_options_of_a_watched_cell_end_with_it(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model --every 1").raise_error()
    (session,) = sessions(shell)

    shell.run_cell("%%hookviz model --inputs\nmodel(x)").raise_error()

    assert session.options == WatchOptions(every=1)
    assert session.run is not None
    assert session.run.calls[0].input_captures[0] is not None


def test_error_in_the_cell_appears_as_without_the_magic(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    result = shell.run_cell("%%hookviz model\nfirst = 1\nraise ValueError('mine')\nsecond = 2")

    seen = capsys.readouterr().out
    assert isinstance(result.error_in_exec, ValueError)
    assert "----> 2 raise ValueError('mine')" in seen
    assert "hookviz/magic" not in seen
    assert "run_cell_magic" not in seen
    assert sessions(shell) == []


@pytest.mark.parametrize("cell", ["own(x)", "%%hookviz own\nown(x)"])
def test_error_in_a_traced_run_is_shown_without_frames_of_ours(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str
) -> None:
    # A module with a child: inside of it, the tracer sees each function of torch.
    forward = "def forward(self, x):\n        return torch.matmul(x, torch.ones(3, 1))"
    shell.run_cell(f"class Own(nn.Sequential):\n    {forward}").raise_error()
    shell.run_cell("own = Own(nn.ReLU())\n%hookviz own").raise_error()
    capsys.readouterr()

    result = shell.run_cell(cell)

    shown = capsys.readouterr().out
    assert isinstance(result.error_in_exec, RuntimeError)
    assert "> 3     return torch.matmul(x, torch.ones(3, 1))" in shown
    assert re.findall(r"\S*hookviz/\w+/\w+\.py", shown) == []


def test_error_of_hookviz_that_the_cell_itself_raised_is_the_cells_own(shell: InteractiveShell) -> None:
    result = shell.run_cell("%%hookviz model\nimport hookviz\nhookviz.watch(3)")

    assert isinstance(result.error_in_exec, NotAModelError)


def test_cell_is_run_as_it_stands(shell: InteractiveShell) -> None:
    cell = '%%hookviz model\ntext = """\n  two spaces {x} $x\n"""\n%time z = 1\nmodel(x);'

    shell.run_cell(cell).raise_error()

    assert (shell.user_ns["text"], shell.user_ns["z"]) == ("\n  two spaces {x} $x\n", 1)


def test_cell_is_compiled_as_the_users_own(shell: InteractiveShell) -> None:
    shell.run_cell("%%hookviz model\ndef f(a: int): pass\nkind = f.__annotations__['a']").raise_error()

    assert shell.user_ns["kind"] is int


def test_syntax_error_in_the_cell_is_one(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    result = shell.run_cell("%%hookviz model\nfor")

    assert isinstance(result.error_in_exec, SyntaxError)
    assert "invalid syntax" in capsys.readouterr().out
    assert sessions(shell) == []


def test_unloading_stops_all_and_leaves_nothing(shell: InteractiveShell) -> None:
    events = {name: list(callbacks) for name, callbacks in shell.events.callbacks.items()}
    shell.run_cell("%hookviz model").raise_error()
    (session,) = sessions(shell)

    unload_ipython_extension(shell)

    assert not session.is_open
    assert shell.find_line_magic("hookviz") is None
    assert shell.find_cell_magic("hookviz") is None
    assert {name: list(callbacks) for name, callbacks in shell.events.callbacks.items()} == events


def test_loading_twice_keeps_what_is_watched(shell: InteractiveShell) -> None:
    shell.run_cell("%hookviz model").raise_error()
    before = sessions(shell)

    load_ipython_extension(shell)

    assert sessions(shell) == before


def test_model_that_is_gone_is_no_longer_listed(shell: InteractiveShell, capsys: pytest.CaptureFixture[Any]) -> None:
    shell.run_cell("other = nn.ReLU()\n%hookviz other").raise_error()
    shell.run_cell("import gc\ndel other\ngc.collect();").raise_error()
    capsys.readouterr()

    shell.run_cell("%hookviz --list").raise_error()

    assert capsys.readouterr().out == "No model is watched.\n"


def test_tensor_is_shown_with_its_hooks_and_its_past(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("w = torch.ones(2, requires_grad=True); y = (w * 3).exp()\ny.register_hook(abs)").raise_error()
    capsys.readouterr()

    shell.run_cell("%hookviz y").raise_error()

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "y"
    assert [line.split()[1] for line in lines[1:5]] == ["y", "exp", "mul", "w"]
    assert lines[5:8] == ["gradient: not kept: it is an intermediate result", "hooks: 1", "  ● abs  tensor"]


def test_tensor_and_model_can_be_shown_together(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz model x").raise_error()

    printed = capsys.readouterr().out
    assert printed.startswith("model\n")
    assert "\nx\n" in printed
    assert [session.model for session in sessions(shell)] == [shell.user_ns["model"]]
