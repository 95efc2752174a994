"""Interventions through the session are hooks in its list, switched and removed like others."""

import copy
import re
from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.errors import InterventionError
from hookviz.hooks.intervening import leaf_of
from hookviz.hooks.interventions import Add, Replace, Scale, Zero
from hookviz.session import watch
from tests.hooked import identity
from tests.models import row, wired
from tests.views import at


@pytest.mark.parametrize("leaf", ["output[1]", "[1]", 1])
def test_one_of_several_tensors_is_named_in_full_or_in_short(leaf: str | int) -> None:
    model = wired(lambda model, x: model.pair(x), pair=wired(lambda model, x: (x, x + 1)))
    hook = watch(model).intervene("pair", Zero(), leaf=leaf)

    first, second = model(torch.ones(1))

    assert (first.item(), second.item()) == (1.0, 0.0)
    assert hook.label == "Zero() on output[1]"


@pytest.mark.parametrize(
    ("leaf", "on", "full"),
    [
        ("['mask']", "input", "input['mask']"),
        ("grad_output[0]", "grad_output", "output[0]"),
        (0, "grad_input", "input[0]"),
        ("output", "output", "output"),
        (None, "output", None),
    ],
)
def test_short_names_are_those_of_the_value_that_is_changed(leaf: str | int | None, on: str, full: str | None) -> None:
    assert leaf_of(leaf, on) == full


@pytest.mark.parametrize("leaf", ["logits", "input[0]", True, 1.5])
def test_what_names_no_tensor_is_refused_at_once(leaf: Any) -> None:
    model = identity()
    words = f'leaf says which tensor of the output is meant: "output[1]", "[1]" or 1, "output[\'mask\']"; got {leaf!r}.'

    with pytest.raises(InterventionError, match=f"^{re.escape(words)}$"):
        watch(model).intervene("first", Zero(), leaf=leaf)

    assert not model.first._forward_hooks


def test_an_intervention_is_a_hook_in_the_list() -> None:
    model = identity()
    session = watch(model)

    hook = session.intervene("first", Scale(0.5), at="[:, 0]")

    assert session.hooks == [hook]
    assert (hook.label, hook.kind, hook.path, hook.owner) == (
        "Scale(0.5) on output[:, 0]",
        "forward",
        "first",
        "hookviz",
    )
    assert re.fullmatch(r"test_session_interventions\.py:\d+", hook.source)
    assert model(row()).tolist() == [[0.5, 1.0, 1.0, 1.0]]


def test_an_intervention_is_switched_and_removed() -> None:
    model = identity()
    session = watch(model)
    hook = session.intervene("first", Zero(), "input")
    outputs = [model(row()).sum().item()]

    hook.disable()
    outputs.append(model(row()).sum().item())
    hook.enable()
    outputs.append(model(row()).sum().item())
    hook.remove()
    outputs.append(model(row()).sum().item())

    assert outputs == [0.0, 4.0, 0.0, 4.0]
    assert session.hooks == []


def test_an_intervention_on_a_gradient_registers_no_backward_hook() -> None:
    model = identity()
    hook = watch(model).intervene("first", Scale(3), "grad_output")
    x = row().requires_grad_()

    model(x).sum().backward()

    assert hook.kind == "forward"
    assert not model.first._backward_hooks
    assert x.grad is not None
    assert x.grad.tolist() == [[3.0, 3.0, 3.0, 3.0]]


def test_what_was_captured_in_an_earlier_run_takes_the_place_of_the_present_value() -> None:
    model = identity()
    session = watch(model, every=1)
    model(torch.tensor([[1.0, 2.0]]))
    clean = at(session, "first").output

    session.intervene("first", Replace(clean), at="[:, 1]")

    assert model(torch.tensor([[5.0, 6.0]])).tolist() == [[5.0, 2.0]]


def test_a_value_that_was_not_kept_cannot_take_a_place() -> None:
    model = identity()
    session = watch(model, every=1, keep_bytes=8)
    model(row())

    with pytest.raises(hookviz.NotKeptError, match="keep_bytes=8"):
        Replace(at(session, "first").output)


def test_the_run_shows_the_value_after_the_intervention() -> None:
    model = identity()
    session = watch(model, every=1)
    session.intervene("first", Add(5))

    model(row())

    assert at(session, "first").output.tensor.tolist() == [[6.0, 6.0, 6.0, 6.0]]


@pytest.mark.parametrize("every", [1, 1000])
def test_calls_are_numbered_anew_in_each_run_captured_or_not(every: int) -> None:
    model = wired(lambda model, x: [model.inner(x).item() for _ in range(2)], inner=nn.Identity())
    watch(model, every=every).intervene("inner", Zero(), call=1)

    assert [model(torch.ones(())) for _ in range(3)] == [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]


def test_an_intervention_in_a_copied_model_is_listed_there() -> None:
    model = identity()
    watch(model).intervene("first", Zero())
    again = copy.deepcopy(model)

    assert [(hook.label, hook.owner) for hook in watch(again).hooks] == [("Zero() on output", "hookviz")]
    assert again(row()).sum().item() == 0.0
