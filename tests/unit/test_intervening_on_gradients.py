"""An intervention on a gradient acts on its way through this module alone."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.hooks.intervening import Target
from hookviz.hooks.interventions import Clamp, Scale, Zero
from tests.intervened import doubling, put
from tests.models import wired


def test_the_gradient_of_what_is_left_flows_on() -> None:
    model = doubling()
    put(model, Zero(), at="[0]")
    x = torch.ones(2, requires_grad=True)

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 2.0]


def test_the_gradient_at_an_output_is_changed() -> None:
    model = nn.Sequential(doubling(), doubling())
    put(model[0], Scale(10), "grad_output")
    x = torch.ones(1, requires_grad=True)

    output = model(x)
    output.sum().backward()

    assert output.tolist() == [4.0]
    assert x.grad is not None
    assert x.grad.tolist() == [40.0]


def test_the_gradient_at_an_input_is_changed_on_its_way_through_this_module_alone() -> None:
    model = wired(lambda model, x: x + model.inner(x), inner=doubling())
    put(model.inner, Zero(), "grad_input")
    x = torch.ones(1, requires_grad=True)

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [1.0]


def test_a_gradient_that_passes_through_is_changed_on_this_way_alone() -> None:
    model = wired(lambda model, x: x + model.inner(x), inner=nn.Identity())
    put(model.inner, Zero(), "grad_output")
    x = torch.ones(1, requires_grad=True) * 1
    x.retain_grad()

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [1.0]


def test_a_part_of_a_gradient_is_changed() -> None:
    model = doubling()
    put(model, Clamp(high=0), "grad_output", at="[1:]")
    x = torch.ones(2, requires_grad=True)

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 0.0]


def test_nothing_stays_on_the_users_leaf() -> None:
    model = doubling()
    put(model, Scale(2), "grad_input")
    x = torch.ones(1, requires_grad=True)

    for _ in range(3):
        model(x).sum().backward()

    assert x._backward_hooks is None
    assert x.grad is not None
    assert x.grad.tolist() == [12.0]


@pytest.mark.parametrize("on", ["grad_output", "grad_input"])
def test_an_in_place_operation_next_to_it_goes_on_working(on: Target) -> None:
    model: Any = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 2))
    with torch.no_grad():
        model[0].weight.copy_(torch.eye(2))
        model[0].bias.fill_(1.0)
    put(model[0], Zero(), on)
    x = torch.ones(1, 2, requires_grad=True)

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [[0.0, 0.0]]
    assert model[2].weight.grad.abs().sum() > 0


def test_the_gradient_at_an_output_that_is_a_view_and_edited_later_is_changed() -> None:
    model = wired(lambda model, x: model.inner(x).relu_(), inner=wired(lambda model, x: (x * 2).view(2, 1)))
    put(model.inner, Scale(10), "grad_output")
    x = torch.ones(2, requires_grad=True)

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [20.0, 20.0]


def test_a_leaf_under_no_grad_gets_no_gradient_hook() -> None:
    model = doubling()
    put(model, Scale(10), "grad_input")
    x = torch.ones(1, requires_grad=True)

    with torch.no_grad():
        assert model(x).tolist() == [2.0]

    assert x._backward_hooks is None
