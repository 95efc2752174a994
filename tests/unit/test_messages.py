"""Every message for bad input: what happened, what was given, the way out."""

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.session import ModuleView, watch
from tests.models import fc

NO_MODELS = [(3, "int"), (None, "NoneType"), ("model", "str"), (torch.ones(1), "Tensor")]


def exactly(text: str) -> str:
    return f"^{re.escape(text)}$"


@pytest.mark.parametrize(("given", "kind"), NO_MODELS)
def test_what_is_no_module(given: Any, kind: str) -> None:
    with pytest.raises(
        hookviz.NotAModelError, match=exactly(f"A model is an instance of torch.nn.Module; got {kind}.")
    ):
        watch(given)


def test_a_class_instead_of_an_instance() -> None:
    with pytest.raises(
        hookviz.NotAModelError,
        match=exactly("Linear is a module class, not a model. Watch an instance: watch(Linear(...))."),
    ):
        watch(nn.Linear)  # type: ignore[arg-type]  # that is the mistake


def test_another_class_is_just_no_model() -> None:
    with pytest.raises(hookviz.NotAModelError, match=r"got type\."):
        watch(dict)  # type: ignore[arg-type]  # that is the mistake


def test_a_closed_session() -> None:
    model = fc()
    session = watch(model)
    session.close()

    for change in (
        session.__enter__,
        session.capture_next,
        session.pause,
        session.resume,
        lambda: session.enable("outputs"),
        lambda: session.disable("outputs"),
        lambda: session.keep_first(""),
        lambda: session.mark("lr=0.1"),
        lambda: session.observe(print),
        lambda: session.apply(session.options.changed(every=1)),
    ):
        with pytest.raises(
            hookviz.ClosedSessionError,
            match=exactly("The session of Linear is closed. Watch the model again: hookviz.watch(model)."),
        ):
            change()


def test_an_unknown_path_with_the_nearest() -> None:
    model = nn.ModuleDict({"encoder": fc(), "decoder": fc()})
    session = watch(model)

    with pytest.raises(
        hookviz.UnknownModuleError,
        match=r"^ModuleDict has no module or parameter at 'encodr'\. Nearest: 'encoder', .*"
        r"All paths of modules: session\.paths\(\)\.$",
    ):
        session["encodr"]


def test_an_unknown_parameter_with_the_nearest() -> None:
    model = nn.ModuleDict({"encoder": fc()})
    session = watch(model)

    with pytest.raises(hookviz.UnknownModuleError, match=r"Nearest: 'encoder\.weight'"):
        session["encoder.wieght"]


def test_an_unknown_path_that_is_near_to_nothing() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with pytest.raises(
        hookviz.UnknownModuleError,
        match=exactly("Sequential has no module or parameter at 'ゼロ'. All paths of modules: session.paths()."),
    ):
        session["ゼロ"]


@pytest.mark.parametrize("option", ["only", "exclude"])
def test_a_pattern_that_matches_nothing(option: str) -> None:
    model = nn.ModuleDict({"layer1": fc()})

    with pytest.raises(
        hookviz.PatternError,
        match=exactly(
            "The pattern 'layr1' matches none of the 2 modules. Nearest: 'layer1'. "
            'Write a path, a path with * ("layer4.*"), or a class ("Linear"); all paths: dict(model.named_modules()).'
        ),
    ):
        watch(model, **{option: "layr1"})  # type: ignore[arg-type]  # parametrized


def test_a_class_that_no_module_has() -> None:
    model = nn.Sequential(fc())

    with pytest.raises(hookviz.PatternError, match=r"^The pattern Conv2d matches none of the 2 modules\. Write a path"):
        watch(model, only=nn.Conv2d)


def test_a_switch_at_an_unknown_path() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with pytest.raises(hookviz.PatternError, match=r"^The pattern '7' matches none of the 2 modules\."):
        session.disable("outputs", "7")


KEEP = "keep_bytes is how many bytes of tensors may be kept, 1 or more; got {}. The default is 268435456 (256 MB)."
HISTORY = "history is how many captured runs are remembered, 1 or more; got {}. The default is 200."
EVERY = "every must be 1 (each run) or more; got {}. To stop, call session.pause()."
OVERHEAD = (
    "overhead is the share of the time that capturing may take, above 0 and at most 1; got {}. "
    "The default is 0.05; to stop capturing, call session.pause()."
)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("keep_bytes", 0, KEEP.format("0")),
        ("keep_bytes", -5, KEEP.format("-5")),
        ("history", 0, HISTORY.format("0")),
        ("history", -1, HISTORY.format("-1")),
        ("overhead", 0.0, OVERHEAD.format("0.0")),
        ("overhead", -0.1, OVERHEAD.format("-0.1")),
        ("every", 0, EVERY.format("0")),
        ("every", -2, EVERY.format("-2")),
    ],
)
def test_a_limit_of_zero_or_below(option: str, value: float, text: str) -> None:
    model = fc()
    before = set(model.__dict__)

    with pytest.raises(hookviz.LimitError, match=exactly(text)):
        watch(model, **{option: value})  # type: ignore[arg-type]  # parametrized

    assert set(model.__dict__) == before


WHOLE_RUNS = "a whole number of runs, such as"
PATTERNS = (
    'a path ("fc"), a path with * ("layer4.*"), the name of a class ("Linear"), a module class, or several in a list'
)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("only", 3, f"only is {PATTERNS}; got 3 (int)."),
        ("only", ["fc", int], f"only is {PATTERNS}; got <class 'int'> (type)."),
        ("exclude", {"fc": 1}, f"exclude is {PATTERNS}; got {{'fc': 1}} (dict)."),
        ("inputs", "yes", "inputs is True or False; got 'yes' (str)."),
        ("gradients", 0, "gradients is True or False; got 0 (int)."),
        ("exact", 1.0, "exact is True or False; got 1.0 (float)."),
        ("keep_bytes", "1MB", "keep_bytes is a whole number of bytes, such as 64 * 2**20; got '1MB' (str)."),
        ("keep_bytes", 1e6, "keep_bytes is a whole number of bytes, such as 64 * 2**20; got 1000000.0 (float)."),
        ("overhead", "x", "overhead is a share of the time, such as 0.05; got 'x' (str)."),
        ("every", 1.5, f"every is {WHOLE_RUNS} 10; got 1.5 (float)."),
        ("every", True, f"every is {WHOLE_RUNS} 10; got True (bool)."),
        ("history", "a", f"history is {WHOLE_RUNS} 200; got 'a' (str)."),
    ],
)
def test_an_option_of_a_wrong_type(option: str, value: object, text: str) -> None:
    model = fc()

    with pytest.raises(hookviz.OptionError, match=exactly(text)):
        watch(model, **{option: value})  # type: ignore[arg-type]  # that is the mistake


@pytest.mark.parametrize(("depth", "shown"), [(-1, "-1"), ("2", "'2'"), (1.5, "1.5")])
def test_a_depth_that_is_no_depth(depth: Any, shown: str) -> None:
    model = fc()
    session = watch(model)

    with pytest.raises(
        hookviz.OptionError,
        match=exactly(f"depth is how many levels are unfolded, a whole number from 0; got {shown}."),
    ):
        session.text(depth=depth)


def test_a_tensor_that_was_not_kept() -> None:
    model = nn.Sequential(fc())
    session = watch(model, keep_bytes=8)
    model(torch.ones(1, 4))
    view = session["0"]
    assert isinstance(view, ModuleView)

    with pytest.raises(
        hookviz.NotKeptError,
        match=exactly(
            "The 1×4 float32 tensor was not kept: 16 bytes are over a quarter of the limit keep_bytes=8; "
            "select its module in the picture or raise the limit."
        ),
    ):
        view.output.tensor  # noqa: B018  # reading is what raises


@pytest.mark.parametrize(
    ("name", "form"), [("picture.pdf", "as '.pdf' (picture.pdf)"), ("picture", "to 'picture', which has no suffix")]
)
def test_a_file_of_a_kind_that_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    model = fc()
    session = watch(model)

    with pytest.raises(
        hookviz.ExportError,
        match=exactly(f"A session is not written {form}. Choose .svg, .png, .dot, .txt, .json or .html."),
    ):
        session.export(name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["svg", "json"])
def test_a_file_that_the_system_does_not_let_be_written(tmp_path: Path, suffix: str) -> None:
    model = fc()
    session = watch(model)
    there = tmp_path / f"model.{suffix}"
    there.mkdir()

    with pytest.raises(
        hookviz.ExportError, match=exactly(f"{str(there)!r} cannot be written: Is a directory. Choose another file.")
    ):
        session.export(there)


def test_a_file_name_that_cannot_be(tmp_path: Path) -> None:
    model = fc()

    with pytest.raises(hookviz.ExportError, match=r"cannot be written: embedded null byte\. Choose another file\.$"):
        watch(model).export(tmp_path / "a\0.txt")


def test_a_file_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    model = fc()
    session = watch(model)
    folder = tmp_path / "pictures"

    with pytest.raises(
        hookviz.ExportError,
        match=exactly(f"There is no folder {str(folder)!r} to write m.svg into. Make it, or choose another."),
    ):
        session.export(folder / "m.svg")

    assert not folder.exists()


def test_a_history_at_an_unknown_path_with_the_nearest() -> None:
    model = nn.ModuleDict({"encoder": fc()})
    session = watch(model)

    with pytest.raises(hookviz.UnknownModuleError, match=r"no module or parameter at 'encodr'\. Nearest: 'encoder'"):
        session.history("encodr", "output", "mean")


def test_a_history_of_a_parameter() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with pytest.raises(hookviz.NotCapturedError, match=r"^There is no history of 'norm' of 'output' at '0\.weight'\."):
        session.history("0.weight", "output", "norm")


@pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")
def test_a_model_that_was_compiled_from_outside_is_said_to_be_so_in_its_text() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    before = session.text()

    compiled = torch.compile(model)

    assert compiled is not model
    first, second, *rest = session.text().splitlines()
    assert second == "torch.compile(model) was made: calls of its result are not observable, those of the model are"
    assert [first, *rest] == before.splitlines()


@pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")
def test_of_a_scripted_model_the_structure_is_shown_and_the_rest_said() -> None:
    model = torch.jit.script(nn.Sequential(fc(), nn.ReLU()))
    session = watch(model)

    output = model(torch.ones(1, 4))

    assert output.shape == (1, 4)
    assert session.paths() == ["", "0", "1"]
    assert session.unobservable()[0] == "the model: compiled: not observable"
    assert "<svg" in session.svg()
    inner = session["0"]
    assert isinstance(inner, ModuleView)
    with pytest.raises(hookviz.NotCapturedError, match=r"compiled: not observable"):
        inner.output  # noqa: B018  # reading is what raises


def test_a_model_of_five_thousand_modules_opens_folded() -> None:
    model = nn.Sequential(*(nn.Sequential(*(nn.Identity() for _ in range(99))) for _ in range(50)))
    session = watch(model)

    graph = session.graph()

    assert len(session.paths()) == 5001
    assert len([node for node in graph.nodes if node.kind == "module"]) <= 60
