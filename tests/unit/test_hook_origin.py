"""A hook is told by its name, its line and its owner."""

import functools
import types
from collections.abc import Callable

import pytest
from torch import nn

from hookviz.hooks import origin
from hookviz.hooks.origin import Origin, number_cells, origin_of
from hookviz.session import watch
from tests.hooked import model_of


def look(*_: object) -> None:
    """A hook that only looks."""


def logged(function: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(function)
    def log(*arguments: object) -> None:
        function(*arguments)

    return log


@logged
def decorated(*_: object) -> None:
    """A hook within another function."""


class Watcher:
    """Has hooks of each sort."""

    def method(self, *_: object) -> None: ...

    @staticmethod
    def static(*_: object) -> None: ...

    @classmethod
    def of_class(cls, *_: object) -> None: ...

    def __call__(self, *_: object) -> None: ...


class Narrower(Watcher):
    """Inherits all of it."""


def line(function: Callable[..., object]) -> str:
    code = getattr(function, "__code__", None)
    assert code is not None
    return f"test_hook_origin.py:{code.co_firstlineno}"


@pytest.mark.parametrize(
    ("hook", "label", "function"),
    [
        (look, "look", look),
        (Watcher().method, "Watcher.method", Watcher.method),
        (Watcher.static, "Watcher.static", Watcher.static),
        (Narrower.of_class, "Watcher.of_class", Watcher.of_class.__func__),  # type: ignore[attr-defined]  # a classmethod has one
        (Watcher(), "Watcher.__call__", Watcher.__call__),
        (Narrower(), "Narrower.__call__", Watcher.__call__),
        (functools.partial(functools.partial(look, 1), 2), "look", look),
        (functools.partial(Watcher()), "Watcher.__call__", Watcher.__call__),
        (decorated, "decorated", decorated.__wrapped__),  # type: ignore[attr-defined]  # set by functools.wraps
    ],
)
def test_a_hook_has_the_name_and_line_of_what_it_calls(
    hook: object, label: str, function: Callable[..., object]
) -> None:
    assert origin_of(hook) == Origin(label, line(function), "other")


def test_a_module_as_a_hook_is_told_by_its_forward() -> None:
    found = origin_of(nn.ReLU())

    assert found.label == "ReLU.forward"
    assert found.source.startswith("activation.py:")


def test_what_is_not_written_in_python_has_no_line() -> None:
    assert origin_of([].append) == Origin("list.append", "", "other")


def in_module(name: str, filename: str) -> Callable[..., None]:
    """A function of another module and file, which begins in the file's third line."""
    namespace: dict[str, Callable[..., None]] = {"__name__": name}  # type: ignore[dict-item]  # globals may hold a name
    exec(compile("\n\ndef clip(*_): ...", filename, "exec"), namespace)
    return namespace["clip"]


@pytest.fixture
def numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origin, "_cells", origin._Cells())
    number_cells({"/var/ipykernel_7/12.py": 4}.get)


@pytest.mark.usefixtures("numbered")
@pytest.mark.parametrize(
    ("filename", "source"),
    [
        ("/var/ipykernel_7/12.py", "In [4]:3"),
        (r"C:\Temp\ipykernel_7\13.py", "In [ ]:3"),
        ("<ipython-input-9-0123abcd>", "In [9]:3"),
    ],
)
def test_a_hook_of_a_notebook_has_the_number_of_its_cell_and_is_the_users(filename: str, source: str) -> None:
    assert origin_of(in_module("__main__", filename)) == Origin("clip", source, "user")


def test_a_hook_of_the_program_itself_is_the_users() -> None:
    assert origin_of(in_module("__main__", "/project/train.py")) == Origin("clip", "train.py:3", "user")


def test_an_object_is_its_classs() -> None:
    users = types.new_class("Clip", (Watcher,))
    users.__module__ = "__main__"

    assert origin_of(users()).owner == "user"


def test_a_list_says_where_each_hook_is_from() -> None:
    model = model_of()
    model[0].register_forward_hook(look)

    (hook,) = watch(model).hooks

    assert (hook.label, hook.source, hook.owner) == ("look", line(look), "other")
    assert repr(hook) == "<forward hook look on 0: on, other>"
