"""Wrong arguments get an error of hookviz that says what was given and the way out."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from torch import nn

import hookviz
from hookviz.package import Package
from hookviz.session import Session, watch
from tests.exactly import exactly
from tests.models import fc

NO_PATH = (
    'A module or parameter is named by its path, such as "fc.weight", the model itself by ""; '
    "got {}. All paths of modules: session.paths()."
)
NO_HOOK = "A hook is one that session.hooks lists, or that session.hook(...) returned; got {}."
CAPTURES = "The captures: 'outputs', 'gradients', 'inputs'."
NO_PATTERN = (
    'Modules are picked by a path ("fc"), a path with * ("layer4.*"), the name of a class ("Linear") '
    "or a module class; got 3 (int)."
)
NO_GRAPH = "A graph is what session.graph() gives; got 3 (int)."

MISTAKES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda session: session[3], NO_PATH.format("3 (int)")),
    (lambda session: session[None], NO_PATH.format("None (NoneType)")),
    (lambda session: session.effects(3), NO_PATH.format("3 (int)")),
    (lambda session: session.keep_first("0", 3), NO_PATH.format("3 (int)")),
    (lambda session: session.is_enabled("outputs", 3), NO_PATH.format("3 (int)")),
    (
        lambda session: session.disable("output"),
        f"There is no capture 'output' to switch. Nearest: 'outputs'. {CAPTURES}",
    ),
    (lambda session: session.enable("x"), f"There is no capture 'x' to switch. {CAPTURES}"),
    (lambda session: session.is_enabled("foo"), f"There is no capture 'foo' to switch. {CAPTURES}"),
    (lambda session: session.off_paths(None), f"There is no capture None to switch. {CAPTURES}"),
    (lambda session: session.disable("outputs", 3), NO_PATTERN),
    (lambda session: session.report(None), NO_HOOK.format("None (NoneType)")),
    (lambda session: session.report("double"), NO_HOOK.format("'double' (str)")),
    (lambda session: session.switch_hooks([1], on=True), NO_HOOK.format("1 (int)")),
    (
        lambda session: session.switch_hooks(None, on=True),
        "Hooks are given in a list, such as session.hooks; got None (NoneType).",
    ),
    (
        lambda session: session.export(None),
        'A file is given by its path, such as "model.svg"; got None (NoneType).',
    ),
    (
        lambda session: session.apply(3),
        (
            "apply takes options, such as session.options.changed(every=1), which hookviz.watch(model, every=1) makes; "
            "got 3 (int)."
        ),
    ),
    (
        lambda session: session.options.changed(evry=2),
        (
            "There is no option 'evry'. The options: only, exclude, inputs, gradients, keep_bytes, overhead, every, "
            "exact, history, stop_on_nan."
        ),
    ),
    (lambda session: session.switch_hooks([], on="no"), "on is True or False; got 'no' (str)."),
    (
        lambda session: setattr(session, "name", 3),
        'The name of a session is a text, such as "teacher"; got 3 (int).',
    ),
    (
        lambda session: session.graph(expanded="0"),
        "expanded is the paths that are unfolded, such as [\"layer4\"]; got '0' (str).",
    ),
    (
        lambda session: session.graph(expanded=[[]]),
        'expanded is the paths that are unfolded, such as ["layer4"]; got [[]] (list).',
    ),
    (lambda session: session.node_data(3), NO_GRAPH),
    (lambda session: session.colouring(3, "time"), NO_GRAPH),
    (lambda session: session.to_dataframe(history="mean"), "history is True or False; got 'mean' (str)."),
    (
        lambda session: session.hook("", "forward", print, label=3),
        'label is a hook\'s name in the list and the picture, such as "clip"; got 3 (int).',
    ),
    (
        lambda session: session.intervene("", hookviz.Zero(), label=3),
        'label is a hook\'s name in the list and the picture, such as "clip"; got 3 (int).',
    ),
    (
        lambda session: session.hook("", "forward", print, with_kwargs="yes"),
        "with_kwargs is True or False; got 'yes' (str).",
    ),
    (lambda session: session.observe(3), "observe takes a function that is called with the session; got 3 (int)."),
]

NO_PACKAGES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: Package(3),  # type: ignore[arg-type]  # that is the mistake
        "A package takes programs in a list: Package([program_a, program_b]); got 3 (int).",
    ),
    (
        lambda: Package([len], names=3),  # type: ignore[arg-type]  # that is the mistake
        'Names are given in a list, such as names=["first", "second"]; got 3 (int).',
    ),
    (
        lambda: Package([len], names="a"),
        'Names are given in a list, such as names=["first", "second"]; got \'a\' (str).',
    ),
    (
        lambda: Package([len], names=[3]),  # type: ignore[list-item]  # that is the mistake
        "A program's name is text without dots, got 3.",
    ),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[message[:40] for _, message in MISTAKES])
def test_a_wrong_argument_of_a_session(mistake: Callable[[Session], Any], message: str) -> None:
    model = nn.Sequential(fc())

    with pytest.raises(hookviz.OptionError, match=exactly(message)):
        mistake(watch(model))


def test_a_wrong_hook_among_others_leaves_them_all_as_they_are() -> None:
    model = fc()
    session = watch(model)
    hook = session.hook("", "forward", lambda module, args, output: None)

    with pytest.raises(hookviz.OptionError):
        session.switch_hooks([hook, 1], on=False)  # type: ignore[list-item]  # that is the mistake

    assert hook.enabled


@pytest.mark.parametrize(("mistake", "message"), NO_PACKAGES)
def test_a_wrong_argument_of_a_package(mistake: Callable[[], Any], message: str) -> None:
    with pytest.raises(hookviz.PackageError, match=exactly(message)):
        mistake()


def test_a_program_that_is_named_by_what_cannot_be_a_name() -> None:
    package = Package([len])

    with pytest.raises(hookviz.UnknownModuleError, match=r"The package has no program \[\]\. There are 'len'"):
        package.hook([], print)  # type: ignore[arg-type]  # that is the mistake


def test_a_table_without_pandas_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fc()
    session = watch(model)
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(hookviz.PandasMissingError, match=r"needs pandas, .*: pip install pandas$") as caught:
        session.to_dataframe()

    assert isinstance(caught.value, ImportError)
