"""A layer that gives nothing but 0 is told from a gradient that fades in a deep model."""

from typing import Any

import torch
from torch import nn

from hookviz.session import watch
from tests.models import wired
from tests.training import noise, symptoms, trained


def silenced(units: int = 8) -> nn.Linear:
    """A layer below 0 for all inputs."""
    torch.manual_seed(0)
    fc = nn.Linear(8, units)
    nn.init.constant_(fc.bias, -100.0)
    return fc


def fading(*layers: nn.Module) -> nn.Sequential:
    """These layers, and many sigmoids behind them."""
    torch.manual_seed(0)
    return nn.Sequential(*layers, *(each for _ in range(10) for each in (nn.Linear(8, 8), nn.Sigmoid())))


def test_a_dead_layer_is_found_before_each_unit_was_looked_at_for_long() -> None:
    model = fading(nn.Linear(8, 8), nn.Linear(8, 8), silenced(), nn.ReLU())

    session = trained(model, noise(16, 8), steps=3)

    dead, vanishing = session.health()
    assert (dead.symptom, dead.path, dead.step) == ("dead units", "3", 1)
    norm = session.history("3", "grad_output", "norm")[1][-1]
    assert norm > 0
    assert dead.numbers == {"values": 384, "runs": 3, "norm": norm}
    assert dead.sentence == (
        "All 384 values of 3 (ReLU) are 0, in each captured run since step 1. "
        f"Of the gradient of norm {norm:.3g} that arrives there, exactly none comes through to 2 (Linear): "
        "it does not fade there, it ends."
    )
    assert vanishing.symptom == "vanishing gradient"
    assert vanishing.path != "3"


def test_a_gradient_that_only_fades_is_no_dead_layer() -> None:
    model = fading(nn.Linear(8, 8), nn.ReLU())

    assert [symptom for symptom, _ in symptoms(trained(model, noise(16, 8), steps=3))] == ["vanishing gradient"]


def test_a_layer_before_a_function_is_found_as_well() -> None:
    model = wired(lambda m, x: m.last(torch.relu(m.fc(x))), fc=silenced(), last=nn.Linear(8, 8))

    finding = trained(model, noise(16, 8), steps=3).health()[0]

    assert finding.sentence == (
        "All 384 values of fc (Linear) are at most 0, and the ReLU behind makes 0 of them, in each captured run since "
        "step 1. Exactly no gradient comes through to fc (Linear): it does not fade there, it ends."
    )


def test_of_two_runs_or_few_values_nothing_is_said() -> None:
    def model(units: int) -> nn.Module:
        return nn.Sequential(silenced(units), nn.ReLU(), nn.Linear(units, 8))

    assert "dead units" not in dict(symptoms(trained(model(8), noise(16, 8), steps=2)))
    assert "dead units" not in dict(symptoms(trained(model(4), noise(16, 8), steps=3)))
    assert "dead units" in dict(symptoms(trained(model(5), noise(16, 8), steps=3)))


def test_a_layer_that_was_active_in_one_of_the_last_runs_is_not_dead() -> None:
    model = nn.Sequential(silenced(), nn.ReLU(), nn.Linear(8, 8))
    session = watch(model, every=1)
    inputs = noise(16, 8)
    for run in range(5):
        with torch.no_grad():
            nn.init.constant_(model[0].bias, 100.0 if run == 2 else -100.0)  # type: ignore[arg-type]  # it has one
        model(inputs()).square().mean().backward()

    assert "dead units" not in dict(symptoms(session))


def test_without_a_backward_nothing_is_said_of_so_few_values() -> None:
    model = nn.Sequential(nn.Linear(8, 8, bias=False), nn.ReLU())
    session = watch(model, every=1)

    for _ in range(5):
        model(torch.zeros(16, 8))

    assert symptoms(session) == []


def test_a_layer_whose_units_are_known_to_be_dead_is_told_once() -> None:
    def wiring(model: Any, x: torch.Tensor) -> Any:
        return model.last(model.relu(model.fc(x)))

    model = wired(wiring, fc=silenced(), relu=nn.ReLU(), last=nn.Linear(8, 8))

    found = [path for symptom, path in symptoms(trained(model, noise(100, 8))) if symptom == "dead units"]

    assert found == ["relu"]
