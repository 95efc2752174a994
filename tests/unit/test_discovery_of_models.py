"""Hooks are listed whatever the model is made of."""

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode

from hookviz.hooks.discovery import discover
from hookviz.session import watch


def look(*_: object) -> None:
    """A hook that only looks."""


def found(model: nn.Module) -> list[str]:
    return [f"{hook.place.kind} {hook.place.path}" for hook in discover(model)]


def with_tensor(tensor: Tensor) -> nn.Module:
    """A module with a tensor that has a hook, of whatever sort it is."""
    module = nn.Module()
    module._buffers["tensor"] = tensor.requires_grad_()
    tensor.register_hook(look)
    return module


def fake() -> Tensor:
    with FakeTensorMode():
        return torch.ones(2)


@pytest.mark.filterwarnings("ignore:.*prototype stage:UserWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.ones(2, device="meta"),
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
        lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
        lambda: torch.ones(2, dtype=torch.complex64),
        fake,
    ],
)
def test_tensors_of_every_sort_may_have_hooks(make: Callable[[], Tensor]) -> None:
    assert found(with_tensor(make())) == ["tensor tensor"]


def test_a_scripted_and_a_traced_part_are_passed_over() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scripted = torch.jit.script(nn.Sequential(nn.Linear(2, 2)))
        traced = torch.jit.trace(nn.Linear(2, 2), torch.ones(1, 2))
    model = nn.Sequential(scripted, traced, nn.Linear(2, 2))
    model[2].register_forward_hook(look)

    assert found(model) == ["forward 2"]


def test_what_torch_makes_of_a_model_has_no_replaced_forward() -> None:
    model = nn.Sequential(nn.Linear(2, 2))

    assert found(torch.fx.symbolic_trace(model)) == []
    assert found(torch.compile(model, backend="eager")) == []  # type: ignore[arg-type]  # it is a module again


def test_hooks_are_listed_within_function_transforms() -> None:
    model = nn.Linear(2, 2)
    model.register_forward_hook(look)
    inside: list[list[str]] = []

    def loss(x: Tensor) -> Tensor:
        inside.append(found(model))
        return x.sum()

    torch.func.grad(loss)(torch.ones(2))

    assert inside == [["forward "]]


def test_listing_between_forward_and_backward_leaves_the_graph_as_it_is() -> None:
    model = nn.Linear(2, 2)
    session = watch(model)
    loss = model(torch.ones(1, 2)).sum()

    assert session.hooks == []

    loss.backward()
    assert model.bias.grad is not None
    assert model.bias.grad.tolist() == [1.0, 1.0]
