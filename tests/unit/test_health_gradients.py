"""Values and gradients that explode or vanish are found, with the module that does it."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.models import wired
from tests.training import noise, only, symptoms, trained


class Times(nn.Module):
    """Multiplies by a number, and gradients as well."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.factor


def test_a_layer_that_makes_values_far_larger_is_found_in_the_first_run() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), Times(1000.0), nn.Linear(8, 8))
    session = watch(model)

    model(noise(16, 8)())

    finding = only(session)
    assert (finding.symptom, finding.path, finding.step, finding.is_alarm) == ("exploding values", "1", 1, True)
    assert finding.numbers["factor"] == pytest.approx(1000.0)
    assert finding.sentence.startswith("1 (Times) makes values 1,000 times larger: their standard deviation is ")


@pytest.mark.parametrize(
    "module", [nn.LayerNorm(8), nn.BatchNorm1d(8), nn.MSELoss()], ids=["layer norm", "batch norm", "loss"]
)
def test_a_normalisation_or_a_loss_does_not_explode(module: nn.Module) -> None:
    torch.manual_seed(0)

    def wiring(model: Any, x: torch.Tensor) -> Any:
        x = model.small(model.fc(x))
        return model.module(x, x * 1e6) if isinstance(model.module, nn.MSELoss) else model.module(x)

    model = wired(wiring, fc=nn.Linear(8, 8), small=Times(1e-4), module=module)
    session = watch(model)

    model(noise(16, 8)())

    assert symptoms(session) == []


def test_what_follows_an_input_is_not_compared_with_it() -> None:
    model = nn.Sequential(nn.Identity(), Times(1.0))
    session = watch(model)

    model(torch.randn(4, 4) * 1e6)

    assert symptoms(session) == []


def test_a_gradient_that_fades_is_laid_to_where_it_is_lost() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8), Times(1e-7), nn.Linear(8, 8))

    session = trained(model, noise(16, 8))

    vanishing = next(each for each in session.health() if each.symptom == "vanishing gradient")
    assert vanishing.path == "1"
    assert vanishing.sentence.startswith(
        "Hardly any gradient arrives at 1 (Linear), and at 0 (Linear) before it: its norm is "
    )
    assert "2 (Times) behind it lets hardly any through" in vanishing.sentence


def test_a_gradient_that_fades_in_many_sigmoids_is_laid_to_none_of_them() -> None:
    torch.manual_seed(0)
    layers = [layer for _ in range(12) for layer in (nn.Linear(16, 16), nn.Sigmoid())]

    session = trained(nn.Sequential(*layers, nn.Linear(16, 1)), noise(32, 16))

    finding = only(session)
    assert finding.symptom == "vanishing gradient"
    assert "it fades from module to module" in finding.sentence


def test_a_gradient_that_is_missing_in_the_first_step_alone_has_not_vanished() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
    nn.init.zeros_(model[1].weight)  # type: ignore[arg-type]  # nn.Sequential does not tell the class

    session = trained(model, noise(16, 8), steps=4)

    assert symptoms(session) == []


def test_a_gradient_that_grows_on_its_way_back_is_found() -> None:
    class Amplified(torch.autograd.Function):
        @staticmethod
        def forward(_: Any, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(_: Any, gradient: torch.Tensor) -> torch.Tensor:
            return gradient * 1e5

    amplified: Any = Amplified.apply
    torch.manual_seed(0)
    model = wired(lambda model, x: model.last(amplified(model.first(x))), first=nn.Linear(8, 8), last=nn.Linear(8, 8))
    session = watch(model)

    model(noise(16, 8)()).square().mean().backward()

    finding = only(session)
    assert (finding.symptom, finding.path) == ("exploding gradient", "first")
    assert finding.numbers["factor"] > 1e4


def test_a_gradient_that_jumps_far_above_its_median_is_found() -> None:
    torch.manual_seed(0)
    model = nn.Linear(8, 8)
    session = trained(model, noise(16, 8), steps=12)

    (model(noise(16, 8)()).square().mean() * 1e5).backward()

    finding = only(session)
    assert (finding.symptom, finding.path, finding.step) == ("exploding gradient", "", 13)
    assert "times its median over the history" in finding.sentence
