"""All captured outputs at once."""

import pytest
import torch
from torch import nn

import hookviz
from hookviz.session import watch
from tests.models import fc, row, wired


def test_outputs_has_each_module_that_was_called_and_no_other() -> None:
    def wiring(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        for layer in model.layers:  # type: ignore[union-attr]  # a ModuleList
            x = layer(x)
        return x

    model = wired(wiring, layers=nn.ModuleList([nn.ReLU(), nn.Flatten(0)]), unused=fc())
    session = watch(model)
    model(torch.tensor([[-1.0, 2.0]]))

    outputs = session.outputs()

    assert list(outputs) == ["", "layers.0", "layers.1"]
    assert outputs["layers.0"].tensor.tolist() == [[0.0, 2.0]]
    assert outputs["layers.1"].tensor.tolist() == outputs[""].tensor.tolist() == [0.0, 2.0]


def test_outputs_are_those_of_the_last_call() -> None:
    model = wired(lambda model, x: model.twice(model.twice(x)), twice=nn.LeakyReLU(0.5))
    session = watch(model)
    model(torch.tensor([-4.0]))

    assert session.outputs()["twice"].tensor.tolist() == [-1.0]


def test_outputs_leave_out_what_was_not_captured() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model, exclude="0")
    model(row())

    assert list(session.outputs()) == ["", "1"]


def test_outputs_put_into_another_run_give_the_first_ones_result() -> None:
    model = nn.Sequential(nn.Flatten(0), nn.ReLU())
    session = watch(model, every=1)
    model(torch.ones(2))

    session.intervene("0", hookviz.Replace(session.outputs()["0"]))

    assert model(torch.zeros(2)).tolist() == [1.0, 1.0]


def test_outputs_before_the_first_run_say_that_there_was_none() -> None:
    model = fc()

    with pytest.raises(
        hookviz.NotCapturedError, match=r"^There are no outputs of Linear: no run yet: call the model\.$"
    ):
        watch(model).outputs()
