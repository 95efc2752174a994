"""``%%hookviz``: a cell runs as it would without the magic, and is watched."""

import re

import pytest
from IPython.core.interactiveshell import InteractiveShell

from hookviz.errors import NotAModelError
from hookviz.session import WatchOptions, watch
from tests.seen import sessions


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
