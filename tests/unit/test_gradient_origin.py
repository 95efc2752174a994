"""The first NaN of a backward pass is laid to the backward of what made it."""

import math
from typing import Any

import torch
from torch import nn

from hookviz.capture.run import Run
from hookviz.graph.gradient_origin import gradient_origin_of
from hookviz.graph.origin import Origin, origin_of
from hookviz.graph.verdict import card_words, node_troubles, place_words
from hookviz.session import watch
from hookviz.tracing.flow import Flow
from tests.models import fc, row, wired


class NanBackward(torch.autograd.Function):
    """Gives its input, and NaN as its gradient."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
        return gradients[0] * math.nan


def run_of(model: nn.Module, factor: float = 1.0) -> Run:
    with watch(model, every=1) as session:
        (model(row()) * factor).sum().backward()
        assert session.run is not None
        return session.run


def origin(run: Run) -> Origin:
    found = gradient_origin_of(run)
    assert found is not None
    return found


def test_finite_gradients_have_no_origin() -> None:
    assert gradient_origin_of(run_of(nn.Sequential(fc(), fc()))) is None


def test_the_backward_of_the_next_module_made_it() -> None:
    def forward(model: Any, x: torch.Tensor) -> Any:
        return NanBackward.apply(x)  # type: ignore[no-untyped-call]  # torch gives apply no types

    model = nn.Sequential(fc(), fc(), wired(forward), fc())

    run = run_of(model)

    found = origin(run)
    assert origin_of(run) is None
    assert found.call.path == "1"
    assert card_words(found) == "made in the backward of 2"
    assert place_words(found, "") == "NaN gradient made in the backward of 2, after 1"


def test_the_backward_of_an_operation_made_it() -> None:
    model = wired(lambda m, x: m.b(torch.sqrt(m.a(x) * 0)), a=fc(), b=fc())

    run = run_of(model)

    found = origin(run)
    assert isinstance(run.flow, Flow)
    assert found.call.path == "a"
    assert place_words(found, "") == "NaN gradient made in the backward of mul or sqrt, after a"
    assert node_troubles(found, run.flow) == {
        "op::mul:0": "NaN perhaps made in its backward",
        "op::sqrt:0": "NaN perhaps made in its backward",
    }


def test_a_nan_of_the_loss_is_laid_to_the_loss() -> None:
    found = origin(run_of(nn.Sequential(fc(), fc()), math.nan))

    assert found.call.path == "1"
    assert place_words(found, "") == "NaN gradient came in at the model's output: its loss made it"


def test_an_infinite_gradient_is_told_as_such() -> None:
    found = origin(run_of(nn.Sequential(fc()), math.inf))

    assert found.kind == "Inf"
