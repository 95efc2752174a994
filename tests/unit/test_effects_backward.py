"""Each hook on gradients is seen with the gradient before and after it."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.hooks.interventions import Scale
from hookviz.session import Session, watch
from tests.effects import Double, told, values, written


@pytest.fixture
def model() -> nn.Module:
    return Double()


def halve(_module: nn.Module, grad_input: Any, _grad_output: Any) -> Any:
    return (grad_input[0] / 2,)


def double(_module: nn.Module, grad_output: Any) -> Any:
    return (grad_output[0] * 2,)


def test_halved_gradient_is_seen_in_a_backward_hook(model: nn.Module, session: Session) -> None:
    model.register_full_backward_hook(halve)

    model(values()).backward(torch.tensor([0.75, 0.25]))

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [
        ("grad_input[0]", "(1.5, 0.5)", "(0.75, 0.25)")
    ]


def test_gradient_that_arrives_is_seen_before_and_after_a_backward_pre_hook(model: nn.Module, session: Session) -> None:
    model.register_full_backward_pre_hook(double)

    model(values()).backward(torch.tensor([0.75, 0.25]))

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [
        ("grad_output[0]", "(0.75, 0.25)", "(1.5, 0.5)")
    ]


def test_intervention_on_a_gradient_is_seen_in_backward(model: nn.Module, session: Session) -> None:
    hook = session.intervene("", Scale(0.5), on="grad_output")

    output = model(values())
    before = session.report(hook)
    output.backward(torch.tensor([1.5, 0.5]))

    assert (before.fired, before.note) == (0, "no backward yet")
    assert told(session.effects()) == [("replaced the gradient", [("(1.5, 0.5)", "(0.75, 0.25)")])]


def test_hooks_of_a_parameter_are_seen_in_backward() -> None:
    model = nn.Linear(2, 1, bias=False)
    model.weight.register_hook(lambda gradient: gradient * 2)
    model.weight.register_post_accumulate_grad_hook(lambda weight: setattr(weight, "grad", None))
    with watch(model, every=1) as session:
        model(torch.tensor([[1.5, 0.5]])).backward()

        effects = session.effects("weight")

    assert [(effect.kind, effect.call) for effect in effects] == [("tensor", None), ("post_accumulate_grad", None)]
    assert told(effects) == [
        ("replaced the gradient", [("(1.5, 0.5)", "(3, 1)")]),
        ("set parameter.grad to None", [("(3, 1)", "None")]),
    ]
    assert model.weight.grad is None


def test_hook_that_raises_in_backward_is_marked_on_its_card() -> None:
    def clip(gradient: Tensor) -> None:
        raise ValueError("too steep")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    model.get_parameter("0.weight").register_hook(clip)
    with watch(model, every=1) as session:
        with pytest.raises(ValueError, match="too steep"):
            model(torch.ones(1)).backward()

        assert session.node_data(session.graph())["module:0"].trouble == "hook clip raised ValueError: too steep"
