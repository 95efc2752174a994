"""Dead units and saturated activations are found over the history, by what every captured run showed."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.models import wired
from tests.training import noise, only, symptoms, trained


def layer(width: int = 8, *, bias: float = 0.0, units: int = 0) -> nn.Linear:
    """A layer, the first of whose units are far below 0."""
    torch.manual_seed(0)
    fc = nn.Linear(8, width)
    with torch.no_grad():
        fc.bias[:units] = bias
    return fc


def test_units_that_are_always_zero_are_dead() -> None:
    model = nn.Sequential(layer(bias=-100.0, units=6), nn.ReLU())

    session = trained(model, noise(100, 8))

    finding = only(session)
    assert (finding.symptom, finding.path, finding.step) == ("dead units", "1", 1)
    assert finding.numbers == {"dead": 6, "units": 8, "values_of_each": 500}
    assert finding.sentence == (
        "6 of 8 units of 1 (ReLU) are dead: they gave nothing but 0, for 500 values of each since step 1. "
        "They get no gradient, so they stay so."
    )


def test_a_few_dead_units_are_no_alarm() -> None:
    model = nn.Sequential(layer(bias=-100.0, units=2), nn.ReLU())

    assert symptoms(trained(model, noise(100, 8))) == []


def test_of_few_values_nothing_is_said() -> None:
    model = nn.Sequential(layer(bias=-100.0, units=6), nn.ReLU())

    assert symptoms(trained(model, noise(3, 8))) == []


def test_a_unit_that_was_active_once_is_not_dead() -> None:
    model = nn.Sequential(layer(bias=-100.0, units=6), nn.ReLU())
    session = watch(model, every=1)
    with torch.no_grad():
        for factor in (1.0, 1.0, -1.0, 1.0):
            model(noise(100, 8)() * factor)
            model[0].bias.mul_(-1)  # type: ignore[operator]  # nn.Sequential does not tell the class

    assert symptoms(session) == []


def test_units_that_came_to_life_before_the_history_begins_are_dead_again() -> None:
    model = nn.Sequential(layer(bias=100.0, units=6), nn.ReLU())
    session = watch(model, every=1, history=3)
    with torch.no_grad():
        model(noise(100, 8)())
        model[0].bias.mul_(-1)  # type: ignore[operator]  # nn.Sequential does not tell the class
        for _ in range(3):
            model(noise(100, 8)())

    assert only(session).step == 2


def test_a_mark_begins_the_history_anew() -> None:
    model = nn.Sequential(layer(bias=100.0, units=6), nn.ReLU())
    session = watch(model, every=1)
    with torch.no_grad():
        model(noise(100, 8)())
        model[0].bias.mul_(-1)  # type: ignore[operator]  # nn.Sequential does not tell the class
        session.mark("later")
        for _ in range(3):
            model(noise(100, 8)())

    assert only(session).step == 2


@pytest.mark.parametrize("activation", [nn.GELU(), nn.SiLU(), nn.ReLU6()], ids=["gelu", "silu", "relu6"])
def test_activations_like_relu_die_as_well(activation: nn.Module) -> None:
    model = nn.Sequential(layer(bias=-100.0, units=8), activation)

    assert symptoms(trained(model, noise(100, 8))) == [("dead units", "1")]


@pytest.mark.parametrize("activation", [nn.LeakyReLU(), nn.Identity()], ids=["leaky", "identity"])
def test_activations_that_let_something_through_do_not_die(activation: nn.Module) -> None:
    model = nn.Sequential(layer(bias=-100.0, units=8), activation)

    assert symptoms(trained(model, noise(100, 8))) == []


def test_channels_are_the_units_of_a_convolution() -> None:
    torch.manual_seed(0)
    convolution = nn.Conv2d(3, 8, 3)
    with torch.no_grad():
        convolution.bias[:6] = -100.0  # type: ignore[index]  # it has one
    model = nn.Sequential(convolution, nn.BatchNorm2d(8).eval(), nn.ReLU())

    finding = only(trained(model, noise(2, 3, 10, 10)))

    assert (finding.numbers["dead"], finding.numbers["units"]) == (6, 8)


def test_features_are_the_units_of_a_row_of_tokens() -> None:
    model = nn.Sequential(layer(bias=-100.0, units=6), nn.ReLU())

    finding = only(trained(model, noise(4, 25, 8)))

    assert (finding.numbers["dead"], finding.numbers["units"]) == (6, 8)


def test_units_die_before_a_function_as_well() -> None:
    model = wired(lambda model, x: torch.relu(model.fc(x)), fc=layer(bias=-100.0, units=6))

    finding = only(trained(model, noise(100, 8)))

    assert (finding.symptom, finding.path) == ("dead units", "fc")
    assert "they never got above 0, and the ReLU behind makes 0 of them" in finding.sentence


def test_an_activation_that_is_used_at_two_places_has_units_at_each() -> None:
    def wiring(model: Any, x: torch.Tensor) -> Any:
        return model.relu(model.second(model.relu(model.first(x))))

    model = wired(wiring, first=layer(), second=layer(bias=-100.0, units=8), relu=nn.ReLU())

    finding = only(trained(model, noise(100, 8), steps=2))

    assert finding.sentence.startswith("All 8 units of relu (ReLU, call 2) are dead")


@pytest.mark.parametrize(
    "activation", [nn.Sigmoid(), nn.Tanh(), nn.Softmax(dim=-1)], ids=["sigmoid", "tanh", "softmax"]
)
def test_an_activation_at_the_ends_of_its_range_is_saturated(activation: nn.Module) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), activation, nn.Linear(8, 8))

    session = trained(model, lambda: noise(100, 8)() * 5_000)

    assert ("saturated", "1") in symptoms(session)
    finding = next(finding for finding in session.health() if finding.symptom == "saturated")
    assert finding.numbers["share"] > 0.9
    assert "There it lets hardly any gradient through." in finding.sentence


@pytest.mark.parametrize(
    "activation", [nn.Sigmoid(), nn.Tanh(), nn.Softmax(dim=-1)], ids=["sigmoid", "tanh", "softmax"]
)
def test_an_ordinary_activation_is_not(activation: nn.Module) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), activation, nn.Linear(8, 8))

    assert symptoms(trained(model, noise(100, 8))) == []


def test_a_model_that_is_sure_of_its_answer_is_not_saturated() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Sigmoid())

    session = trained(model, lambda: noise(100, 8)() * 5_000)

    assert "saturated" not in {symptom for symptom, _ in symptoms(session)}


def test_a_softmax_over_one_value_is_not_saturated() -> None:
    model = nn.Sequential(nn.Linear(8, 1), nn.Softmax(dim=-1), nn.Linear(1, 8))

    session = trained(model, noise(100, 8))

    assert "saturated" not in {symptom for symptom, _ in symptoms(session)}
