"""What is not there says why, and what brings it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture.call import What
from hookviz.hooks.paths import quoted
from hookviz.session import Session, watch
from tests.models import fc, row, wired
from tests.views import at, parameter_at


def why(session: Session, path: str, what: What = "output") -> str:
    """The message that reading a value of a module raises, from its colon on."""
    with pytest.raises(hookviz.NotCapturedError, match=rf"^There is no {what} of {quoted(path)}: ") as caught:
        getattr(at(session, path), what)
    return str(caught.value).partition(": ")[2]


def why_no_gradient(session: Session, path: str) -> str:
    with pytest.raises(hookviz.NotCapturedError, match=f"^There is no gradient of '{re.escape(path)}': ") as caught:
        parameter_at(session, path).grad_summary  # noqa: B018  # reading is what raises
    return str(caught.value).partition(": ")[2]


def test_no_run_yet() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    assert why(session, "0") == "no run yet: call the model."


def test_a_session_that_is_paused_before_its_first_run() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    session.pause()
    model(row())

    assert why(session, "0") == "the session is paused: call session.resume(), then the model."


def test_a_module_outside_of_a_part_that_was_called_alone() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)
    model[0](row())

    assert why(session, "1") == "not called: run 1 was of 0 alone."


def test_a_module_that_its_model_does_not_call() -> None:
    model = wired(lambda model, value: model.used(value), used=fc(), unused=nn.Dropout())
    session = watch(model)
    model(row())

    assert why(session, "unused") == (
        "it was not called in the last captured run (its forward may be called directly, or replaced)."
    )


@pytest.mark.parametrize(
    ("exclude", "shown"), [("1", "'1'"), (["0", "?"], "'?'"), (nn.ReLU, "ReLU"), ("ReLU", "'ReLU'")]
)
def test_a_module_that_exclude_leaves_out(exclude: str | list[str] | type[nn.Module], shown: str) -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model, exclude=exclude)
    model(row())

    assert why(session, "1") == (f"left out by exclude={shown}. Watch all again: hookviz.watch(model, exclude=[]).")


def test_a_module_that_only_leaves_out() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model, only=["0", nn.Linear])
    model(row())

    assert why(session, "1") == "left out by only='0', Linear. Watch all again: hookviz.watch(model, only=\"*\")."


def test_the_ways_out_of_leaving_out_are_ways_out() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model, only="0", exclude="", every=1)

    watch(model, exclude=[])
    watch(model, only="*")
    model(row())

    assert at(session, "1").output.summary.shape == (1, 4)


@pytest.mark.parametrize(
    ("what", "switch"),
    [("output", "outputs"), ("input", "inputs"), ("grad_output", "gradients"), ("grad_input", "gradients")],
)
def test_a_switch_that_is_off_for_all_modules(what: What, switch: str) -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, gradients=False)
    session.disable("outputs")
    model(row())

    assert why(session, "1", what) == (
        f'{switch} are switched off for all modules. Switch them on: session.enable("{switch}").'
    )


@pytest.mark.parametrize(("mode", "name"), [(torch.no_grad, "no_grad"), (torch.inference_mode, "inference_mode")])
@pytest.mark.parametrize("what", ["grad_output", "grad_input"])
def test_a_run_without_gradients(what: What, mode: Callable[[], Any], name: str) -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)
    with mode():
        model(row())

    assert why(session, "1", what) == f"ran under {name}."


def test_a_switch_that_is_off_for_one_module() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    session.disable("outputs", "0")
    model(row())

    assert why(session, "0") == (
        "outputs are switched off for this module. Switch them on: session.enable(\"outputs\", '0')."
    )


def test_a_switch_that_is_on_again_since_the_last_run() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    session.disable("outputs", "0")
    model(row())
    session.enable("outputs", "0")

    assert why(session, "0") == (
        "outputs of this module were off when the last captured run began; the next one has them."
    )


@pytest.mark.parametrize("message", ["too large\nby far", "too large."])
def test_a_forward_that_raised(message: str) -> None:
    def wiring(_: nn.Module, value: torch.Tensor) -> torch.Tensor:
        raise ValueError(message)

    model = nn.Sequential(wired(wiring))
    session = watch(model)
    with pytest.raises(ValueError, match="too large"):
        model(row())

    assert why(session, "0") == "forward raised: ValueError: too large."
    assert why(session, "0", "grad_output") == "forward raised: ValueError: too large."


def test_a_call_that_goes_on() -> None:
    seen: list[str] = []

    def wiring(_: nn.Module, value: torch.Tensor) -> torch.Tensor:
        seen.append(why(session, ""))
        return value

    model = wired(wiring)
    session = watch(model)

    model(row())

    assert seen == ["it has not returned yet."]


def test_a_tensor_that_cannot_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("no storage")

    model = nn.Sequential(fc())
    session = watch(model)
    monkeypatch.setattr("hookviz.capture.store.TensorStore.take", refuse)
    model(row())

    assert why(session, "0") == "a tensor could not be recorded: RuntimeError: no storage."


def test_a_gradient_without_a_backward() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    model(row())

    assert why(session, "0", "grad_output") == "no backward yet."
    assert why_no_gradient(session, "0.weight") == "no backward yet: loss.backward() brings it."


def test_a_gradient_of_a_module_without_parameters_at_the_front() -> None:
    model = nn.Sequential(nn.ReLU(), fc())
    session = watch(model)
    model(row()).sum().backward()

    assert why(session, "0", "grad_output") == "does not require grad: nothing before it does."


def test_a_gradient_of_a_frozen_parameter() -> None:
    linear = fc().requires_grad_(False)
    model = nn.Sequential(linear, fc())
    session = watch(model)
    model(row()).sum().backward()

    assert why_no_gradient(session, "0.weight") == "frozen: does not require grad."
    assert why(session, "0", "grad_output") == "frozen: does not require grad."


def test_a_gradient_that_was_zeroed_since() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    model(row()).sum().backward()

    model.zero_grad()

    assert why_no_gradient(session, "0.weight") == "it is not in the loss, or zero_grad() took it."
    assert why_no_gradient(session, "0.bias") == "it is not in the loss, or zero_grad() took it."


def test_a_gradient_of_a_buffer() -> None:
    model = nn.Sequential(nn.BatchNorm1d(4))
    session = watch(model)

    assert why_no_gradient(session, "0.running_mean") == "it is a buffer, which is not learned."


def test_the_gradient_itself_is_missing_for_the_same_reason() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with pytest.raises(hookviz.NotCapturedError, match=r"^There is no gradient of '0.weight': no backward yet"):
        parameter_at(session, "0.weight").grad  # noqa: B018  # reading is what raises


def test_values_of_a_parameter_that_is_not_made_yet() -> None:
    model = nn.Sequential(nn.LazyLinear(3))
    view = parameter_at(watch(model), "0.weight")

    with pytest.raises(hookviz.NotCapturedError) as caught:
        view.tensor  # noqa: B018  # reading is what raises

    assert str(caught.value) == (
        "There are no values of '0.weight': not initialized yet: a lazy module makes it in its first call. "
        "Call the model."
    )
    assert repr(view.summary) == "<TensorSummary: not initialized yet: a lazy module makes it in its first call>"
