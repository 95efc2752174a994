"""Every message for bad input: what happened, what was given, the way out."""

from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.session import ModuleView, watch
from tests.exactly import exactly
from tests.models import fc

NO_MODELS = [(3, "int"), (None, "NoneType"), ("model", "str"), (torch.ones(1), "Tensor")]


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


def test_a_switch_at_an_unknown_path() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with pytest.raises(hookviz.PatternError, match=r"^The pattern '7' matches none of the 2 modules\."):
        session.disable("outputs", "7")


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
