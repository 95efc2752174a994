"""Gradients arrive with backward, and the model computes as before."""

import re

import pytest
import torch
from torch import nn

from hookviz.errors import NotCapturedError
from hookviz.session import watch
from tests.models import fc, row, wired
from tests.views import at, parameter_at


def test_gradients_arrive_with_backward() -> None:
    model = nn.Sequential(fc(), wired(lambda _, x: x * 3))
    session = watch(model)
    output = model(row())
    with pytest.raises(NotCapturedError, match="no backward yet"):
        at(session, "0").grad_output  # noqa: B018  # reading is what raises

    output.sum().backward()

    assert at(session, "0").grad_output.tensor.tolist() == [[3.0, 3.0, 3.0, 3.0]]
    assert at(session, "1").grad_output.tensor.tolist() == [[1.0, 1.0, 1.0, 1.0]]
    assert session.run is not None
    assert session.run.has_gradients


def test_parameters_are_shown_with_their_gradients() -> None:
    linear = fc()
    linear.bias.requires_grad_(False)
    model = nn.Sequential(linear)
    session = watch(model)
    model(row()).sum().backward()

    weight, bias = parameter_at(session, "0.weight"), parameter_at(session, "0.bias")
    assert weight.grad.tolist() == [[1.0, 1.0, 1.0, 1.0]] * 4
    assert weight.grad_summary.norm == 4.0
    assert bias.note == "frozen: does not require grad"
    assert list(at(session, "0").parameters) == ["weight", "bias"]


def test_a_copied_parameter_is_not_the_models() -> None:
    linear = fc()
    model = nn.Sequential(linear)
    session = watch(model)
    expected = linear.weight.detach().clone()

    parameter_at(session, "0.weight").tensor.zero_()

    assert torch.equal(linear.weight, expected)


def test_outputs_and_gradients_are_bit_for_bit_those_of_the_bare_model() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(fc(), nn.Dropout(0.5), fc())
    torch.manual_seed(1)
    bare = model(row())
    bare.sum().backward()
    expected = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    model.zero_grad()
    session = watch(model)

    torch.manual_seed(1)
    seen = model(row())
    seen.sum().backward()

    assert session.runs_captured == 1
    assert torch.equal(seen, bare)
    for parameter, gradient in zip(model.parameters(), expected, strict=True):
        assert parameter.grad is not None
        assert torch.equal(parameter.grad, gradient)


def test_several_gradients_at_once_reach_the_user_and_the_picture_says_why_it_has_none() -> None:
    model = nn.Sequential(fc(), nn.Tanh())
    session = watch(model)
    x = row().requires_grad_()
    output = model(x)
    several = torch.eye(output.numel()).reshape(-1, *output.shape)

    (gradients,) = torch.autograd.grad(output, x, several, is_grads_batched=True, retain_graph=True)

    assert gradients.shape == (output.numel(), *x.shape)
    assert session.problem == ""
    with pytest.raises(NotCapturedError, match=re.escape("several gradients at once (is_grads_batched=True)")):
        at(session, "0").grad_output  # noqa: B018  # reading is what raises

    output.sum().backward()
    assert at(session, "0").grad_output.shape == at(session, "0").output.shape
