"""Hooks that are written on parameters, and on any tensor."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.models import fc, row


@pytest.mark.parametrize("by", ["path", "itself"])
def test_a_hook_on_a_parameter(by: str) -> None:
    model: Any = nn.Sequential(fc())
    session = watch(model)
    weight = model[0].weight
    target = "0.weight" if by == "path" else weight

    hook = session.hook(target, "tensor", lambda grad: grad * 0)
    model(row()).sum().backward()

    assert (hook.path, hook.kind) == ("0.weight", "tensor")
    assert weight.grad.abs().sum() == 0
    hook.remove()


def test_a_hook_after_the_gradient_was_added() -> None:
    model: Any = nn.Sequential(fc())

    def clip(parameter: torch.Tensor) -> None:
        assert parameter.grad is not None
        parameter.grad.clamp_(-0.5, 0.5)

    watch(model).hook("0.weight", "post_accumulate_grad", clip)
    model(row()).sum().backward()

    assert model[0].weight.grad.max() == 0.5


def test_a_hook_on_any_tensor() -> None:
    model = fc()
    session = watch(model)
    source = torch.ones(1, requires_grad=True)
    tensor = source * 2

    hook = session.hook(tensor, "tensor", lambda grad: grad * 10)
    tensor.sum().backward()

    assert hook in session.hooks
    assert hook.path == "tensor"
    assert source.grad is not None
    assert source.grad.tolist() == [20.0]


def test_a_hook_on_a_tensor_that_is_gone_is_gone_from_the_list() -> None:
    model = fc()
    session = watch(model)
    tensor = torch.ones(1, requires_grad=True) * 2
    session.hook(tensor, "tensor", lambda grad: None)

    del tensor

    assert session.hooks == []
