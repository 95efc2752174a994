"""What may be shown of the inside of a module."""

import types

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

from hookviz.session import watch
from hookviz.tracing.visibility import visibility


class Mine(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 2)


class MyEncoder(nn.TransformerEncoder): ...


class MyAttention(nn.MultiheadAttention): ...


class MySequential(nn.Sequential): ...


def parametrized() -> nn.Module:
    model = Mine()
    model.weight = nn.Parameter(torch.ones(2))
    parametrize.register_parametrization(model, "weight", nn.Identity())
    return model


def encoder(kind: type[nn.TransformerEncoder] = nn.TransformerEncoder) -> nn.Module:
    return kind(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1, enable_nested_tensor=False)


def with_its_own_forward(module: nn.Module) -> nn.Module:
    module.fc = nn.Linear(2, 2)
    module.forward = types.MethodType(lambda self, x: self.fc(x), module)
    return module


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        (nn.Linear(2, 2), "closed"),
        (Mine().fc, "closed"),
        (Mine(), "open"),
        (parametrized(), "open"),
        (nn.Sequential(nn.ReLU()), "open"),
        (nn.Sequential(), "closed"),
        (nn.ModuleList([nn.ReLU()]), "open"),
        (MySequential(nn.ReLU()), "open"),
        (nn.MultiheadAttention(4, 2), "closed"),
        (MyAttention(4, 2), "closed"),
        (nn.TransformerEncoderLayer(4, 2, 8), "open"),
        (nn.TransformerEncoderLayer(4, 2, 8).eval(), "open"),
        (nn.TransformerEncoderLayer(4, 2, 8).eval().requires_grad_(False), "closed"),
        (nn.TransformerDecoderLayer(4, 2, 8).eval(), "open"),
        (encoder(), "children"),
        (encoder(MyEncoder), "children"),
        (nn.Transformer(4, 2, 1, 1, 8, batch_first=True), "children"),
        (nn.DataParallel(Mine()), "children"),
        (nn.LSTM(2, 2), "closed"),
        (with_its_own_forward(nn.Module()), "open"),
        (with_its_own_forward(nn.Identity()), "open"),
        (with_its_own_forward(nn.MultiheadAttention(4, 2)), "closed"),
    ],
)
def test_what_may_be_shown_of_a_modules_inside(module: nn.Module, expected: str) -> None:
    assert visibility(module) == expected


def test_encoder_layer_that_may_run_as_one_kernel_is_one_card() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8).eval()

    with torch.no_grad():
        assert visibility(layer) == "closed"
        assert visibility(layer.train()) == "open"


def test_a_plain_module_with_a_forward_of_its_own_unfolds() -> None:
    model = with_its_own_forward(nn.Module())
    session = watch(model)

    model(torch.ones(1, 2))

    assert [node.path for node in session.graph().nodes if node.kind == "module"] == ["fc"]


def test_a_child_that_is_none_is_no_child() -> None:
    model = nn.Module()
    model.register_module("norm", None)

    assert visibility(model) == "closed"
