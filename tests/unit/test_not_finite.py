"""What entered a call that returned a NaN is looked at as it was when it entered."""

import math

import torch
from torch import nn

from hookviz.capture.call import ModuleCall
from hookviz.capture.not_finite import NotFiniteCount, NotFiniteKind, Witness
from hookviz.session import watch
from tests.models import fc, wired

NAN: frozenset[NotFiniteKind] = frozenset({"NaN"})
INF: frozenset[NotFiniteKind] = frozenset({"Inf"})


def call_of(model: nn.Module, x: torch.Tensor, path: str) -> ModuleCall:
    with watch(model, every=1) as session:
        model(x)
        assert session.run is not None
        return next(call for call in session.run.calls if call.path == path)


def test_of_a_finite_run_no_input_is_looked_at() -> None:
    model = nn.Sequential(fc())

    assert call_of(model, torch.ones(1, 4), "0").witness is None


def test_an_input_that_holds_a_nan_is_told_from_one_that_holds_an_infinity() -> None:
    model = nn.Sequential(fc())

    with_nan = call_of(model, torch.tensor([[math.nan, 1, 1, 1]]), "0").witness
    with_inf = call_of(model, torch.tensor([[math.inf, 1, 1, 1]]), "0").witness

    assert with_nan == Witness((NAN,), ())
    assert with_inf == Witness((INF,), ())


def test_a_parameter_that_is_not_finite_is_named() -> None:
    layer = fc()
    with torch.no_grad():
        layer.weight[0, 0] = math.nan
        layer.bias[1] = math.inf

    found = call_of(nn.Sequential(layer), torch.ones(1, 4), "0").witness

    assert found is not None
    assert found.inputs == (frozenset(),)
    assert found.parameters == (("weight", NAN), ("bias", INF))
    assert found.counts == (NotFiniteCount(1, 0, 16), NotFiniteCount(0, 1, 4))


def test_of_an_input_that_the_module_wrote_over_nothing_is_known() -> None:
    model = nn.Sequential(fc(), wired(lambda m, x: x.mul_(math.nan)))

    found = call_of(model, torch.ones(1, 4), "1").witness

    assert found is not None
    assert found.inputs == (None,)
    assert found.had("NaN") is None


def test_of_an_input_written_over_in_inference_mode_nothing_is_known() -> None:
    model = nn.Sequential(fc(), wired(lambda m, x: x.mul_(math.nan)))

    with torch.inference_mode():
        found = call_of(model, torch.ones(1, 4), "1").witness

    assert found is not None
    assert found.inputs == (None,)


def test_those_that_only_pass_a_nan_on_are_not_looked_at() -> None:
    model = nn.Sequential(wired(lambda m, x: x * math.nan), fc())

    assert call_of(model, torch.ones(1, 4), "0").witness == Witness((frozenset(),), ())
    assert call_of(model, torch.ones(1, 4), "1").witness is None
    assert call_of(model, torch.ones(1, 4), "").witness == Witness((frozenset(),), ())
