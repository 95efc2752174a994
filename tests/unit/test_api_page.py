"""The page of the public names: every example runs and gives what stands there, and every name has one."""

import doctest
import re
from pathlib import Path

import pytest

import hookviz
from tests.for_hookviz import FOR_HOOKVIZ

PAGE = Path(__file__).parents[2] / "notebooks" / "api.md"
EXAMPLES = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))


def test_examples_give_what_stands_below_them(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # IPython is there only from where the page asks for it.
    names = {"get_ipython": lambda: request.getfixturevalue("shell")}
    page = doctest.DocTestParser().get_doctest(EXAMPLES, names, PAGE.name, str(PAGE), 0)
    complaints: list[str] = []

    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(page, out=complaints.append)

    assert "\n".join(complaints) == ""
    assert result.attempted > 150


def test_every_public_name_has_an_example() -> None:
    # An error stands with its module in a traceback.
    named = set(re.findall(r"hookviz\.(?:errors\.)?(\w+)", EXAMPLES))

    assert sorted(set(hookviz.__all__) - named) == []


@pytest.mark.parametrize(
    "owner",
    [
        hookviz.Session,
        hookviz.Hook,
        hookviz.ModuleView,
        hookviz.ParameterView,
        hookviz.Capture,
        hookviz.TensorSummary,
        hookviz.Histogram,
        hookviz.Cost,
        hookviz.Finding,
    ],
)
def test_every_public_member_has_an_example(owner: type) -> None:
    members = {*dir(owner), *getattr(owner, "__dataclass_fields__", ())}
    public = {name for name in members if not name.startswith("_")} - FOR_HOOKVIZ.get(owner, set())

    assert sorted(name for name in public if not re.search(rf"\.{name}\b", EXAMPLES)) == []
