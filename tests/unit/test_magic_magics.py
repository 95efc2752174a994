"""``%hookviz`` in IPython without a notebook, where it prints the diagram as text."""

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from hookviz.magic.extension import load_ipython_extension, unload_ipython_extension
from hookviz.session import WatchOptions, watch
from tests.seen import sessions


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


def test_help_lists_all_options(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%hookviz --help").raise_error()

    assert "--overhead SHARE" in capsys.readouterr().out
    help_of_magic = shell.object_inspect("%hookviz")["docstring"]
    assert help_of_magic.startswith("See what flows through a PyTorch model")
    assert "--overhead SHARE" in help_of_magic


def test_value_of_an_expression_that_nobody_else_owns_is_shown(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("%hookviz nn.Sequential(nn.Linear(2, 3), nn.Tanh())").raise_error()

    assert "Tanh" in capsys.readouterr().out
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
