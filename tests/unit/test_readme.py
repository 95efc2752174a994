"""What the README promises is there."""

import re
from collections import OrderedDict
from pathlib import Path

import pytest
import torch
from torch import nn

import hookviz
from hookviz.magic.arguments import help_text
from tests.for_hookviz import FOR_HOOKVIZ

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTION = r"--[a-z-]+"


def test_table_lists_each_option_of_the_magic() -> None:
    table = README.partition("| `%hookviz` | |")[2].partition("\n\n")[0]

    assert sorted(re.findall(rf"^\| `({OPTION})", table, re.MULTILINE)) == sorted(
        set(re.findall(rf"^  ({OPTION})", help_text(), re.MULTILINE))
    )


def test_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    layer = nn.Sequential(OrderedDict(conv1=nn.Conv2d(3, 2, 1), pool=nn.AdaptiveAvgPool2d(1), flat=nn.Flatten()))
    model = nn.Sequential(OrderedDict(layer1=layer, fc=nn.Linear(2, 1)))
    example = re.search(r"```python\n(import hookviz\n.*?)```", README, re.DOTALL)
    assert example is not None

    exec(example[1], {"model": model, "images": torch.ones(1, 3, 4, 4)})

    assert capsys.readouterr().out.count("<TensorSummary ") == 2
    assert (tmp_path / "model.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("bundle")
def test_example_of_a_layout_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(from ipywidgets import .*?)```", README, re.DOTALL)
    assert example is not None
    model = nn.Sequential(OrderedDict(layer1=nn.Sequential(nn.Linear(1, 1)), fc=nn.Linear(1, 1)))
    names = {"hookviz": hookviz, "model": model}

    exec(example[1], names)
    names["inspector"].selected = "layer1.0"  # type: ignore[attr-defined]  # it is a widget

    assert capsys.readouterr().out == "selected module:layer1.0\n"
    assert [names["inspector"].expanded, names["inspector"].colour_by] == [["layer1"], "time"]  # type: ignore[attr-defined]  # it is a widget


def test_table_names_what_a_module_has() -> None:
    table = README.partition('| of a module, `session["fc"]` | |')[2].partition("\n\n")[0]
    names = re.findall(r"`\.(\w+)`", "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `")))

    assert names == [
        "output", "input", "grad_output", "grad_input", "parameters", "calls", "cost", "parameter_count",
    ]  # fmt: skip
    assert [name for name in names if not isinstance(getattr(hookviz.ModuleView, name), property)] == []


def test_table_of_the_session_has_all_that_is_not_the_widgets() -> None:
    model = nn.Linear(1, 1)
    table = README.partition("| of a session | |")[2].partition("\n\n")[0]
    listed = re.findall(r"`\.(\w+)", table)

    public = {name for name in dir(hookviz.watch(model)) if not name.startswith("_")}

    assert sorted(listed) == sorted(public - FOR_HOOKVIZ[hookviz.Session])


def test_options_of_watch_stand_beside_those_of_the_magic() -> None:
    table = README.partition("| `%hookviz` | |")[2].partition("\n\n")[0]
    given = ", ".join(re.findall(r"`((?:only|exclude|inputs|gradients|every|overhead|keep_bytes)=[^`]+)`", table))
    model = nn.Sequential(OrderedDict(fc=nn.Linear(1, 1), layer4=nn.Sequential(nn.Linear(1, 1))))

    options = eval(f"watch(model, {given})", {"watch": hookviz.watch, "model": model}).options

    assert (options.only, options.exclude, options.inputs, options.gradients) == (("fc",), ("layer4.*",), True, False)
    assert (options.every, options.overhead, options.keep_bytes) == (10, 0.05, 256 * 2**20)


def test_links_into_the_repository_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)

    assert len(links) > 3
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    command = next(line for line in README.splitlines() if line.startswith("python3 -m venv") and "test" in line)

    assert command.rpartition("&& ")[2] == "pytest"
    assert "\npytest\n" in (ROOT / ".ci" / "run").read_text()
