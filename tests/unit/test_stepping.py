"""Past captured steps are looked at in the same ways as the newest one."""

import re

import pytest
import torch
from torch import nn

from hookviz.capture.capture import Capture
from hookviz.errors import NotCapturedError, NotKeptError, OptionError, UnknownModuleError, UnknownStepError
from hookviz.session import Session, watch
from tests.models import fc, row, wired
from tests.trained import trained


def output_at(session: Session, step: int, path: str = "act") -> Capture:
    capture = session.at_step(step)[path].output
    assert isinstance(capture, Capture)
    return capture


def test_each_captured_step_shows_its_own_values_and_gradients() -> None:
    _model, session = trained(1.0, -2.0, 3.0)

    assert session.steps == [1, 2, 3]
    assert [output_at(session, step).summary.mean for step in session.steps] == [1.0, 0.0, 3.0]
    assert [session.at_step(step)["act"].grad_input[0][0].summary.norm for step in (1, 2)] == [1.0, 0.0]


def test_only_captured_steps_can_be_looked_at() -> None:
    _model, session = trained(*map(float, range(7)), every=3)

    assert session.steps == [1, 4, 7]


def test_no_more_steps_are_remembered_than_the_history_has() -> None:
    _model, session = trained(*map(float, range(7)), history=3)

    assert session.steps == [5, 6, 7]


def test_outputs_of_two_steps_can_be_had_side_by_side() -> None:
    _model, session = trained(1.0, 2.0)

    before, after = (session.at_step(step).outputs() for step in (1, 2))

    assert list(before) == list(after) == ["", "act"]
    assert (before["act"].summary.mean, after["act"].summary.mean) == (1.0, 2.0)


def test_before_the_first_run_there_are_no_steps() -> None:
    session = watch(nn.ReLU())

    assert session.steps == []
    with pytest.raises(
        UnknownStepError, match=r"^There is no step 1 of ReLU: no run was captured yet\. Call the model\.$"
    ):
        session.at_step(1)


def test_a_step_that_is_gone_is_told_with_those_that_are_there() -> None:
    _model, session = trained(*map(float, range(5)), history=3)

    with pytest.raises(
        UnknownStepError,
        match=re.escape(
            "There is no step 2 of Wired: it was not captured, or is older than what history=3 remembers. "
            "Captured: steps 3, 4, 5."
        ),
    ):
        session.at_step(2)


@pytest.mark.parametrize(
    ("step", "why"),
    [(3, "it was not captured"), (99, "there were 41 runs so far"), (0, "there were 41 runs so far")],
)
def test_a_step_that_never_was_is_told_with_the_nearest(step: int, why: str) -> None:
    _model, session = trained(*map(float, range(41)), every=4)
    nearest = {3: "1 and 5", 99: "37 and 41", 0: "1 and 5"}[step]

    with pytest.raises(
        UnknownStepError,
        match=re.escape(
            f"There is no step {step} of Wired: {why}. Captured: 11 steps from 1 to 41, nearest {nearest}; "
            "all: session.steps."
        ),
    ):
        session.at_step(step)


def test_a_step_is_a_whole_number() -> None:
    _model, session = trained(1.0)

    with pytest.raises(OptionError, match=r"^A step is its number, such as session\.steps\[0\]; got '1' \(str\)\.$"):
        session.at_step("1")  # type: ignore[arg-type]  # that is the mistake


def test_a_past_step_has_statistics_and_says_why_there_is_no_tensor() -> None:
    _model, session = trained(1.0, 2.0, 3.0, keep_bytes=32)  # whole steps may take 8 bytes, a step has 12

    past = output_at(session, 1)

    assert past.summary.mean == 1.0
    assert past.summary.histogram is not None
    with pytest.raises(NotKeptError, match=r"session\.keep_first\(\) stay longer, and a larger keep_bytes"):
        past.tensor  # noqa: B018  # reading is what raises


def test_tensors_of_modules_asked_for_stay_in_past_steps() -> None:
    model = nn.Sequential(nn.ReLU(), nn.LeakyReLU(0.5))
    session = watch(model, every=1, keep_bytes=96)  # 24 bytes for whole steps of 24, 48 with those of wanted modules
    session.keep_first("1")

    for value in (1.0, 2.0, 3.0):
        model(torch.tensor([value] * 3))

    assert output_at(session, 1, "1").tensor.tolist() == [1.0, 1.0, 1.0]
    assert not output_at(session, 1, "0").is_kept


def test_a_module_that_is_not_there_cannot_be_kept_first() -> None:
    model = nn.Sequential(nn.ReLU(), nn.LeakyReLU(0.5))
    session = watch(model)
    session.keep_first("1")

    with pytest.raises(UnknownModuleError, match=re.escape("Sequential has no module or parameter at 'zz'.")):
        session.keep_first("0", "zz")

    assert session.kept_first == ("1",)


def test_a_module_that_went_is_no_longer_among_those_kept_first() -> None:
    model = nn.Sequential(nn.ReLU(), nn.LeakyReLU(0.5))
    session = watch(model, every=1)
    session.keep_first("0", "1")

    del model[1]
    model(torch.zeros(1))

    assert session.kept_first == ("0",)


def test_a_module_that_came_later_was_not_called_in_a_past_step() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    model(row())
    model.append(nn.ReLU())
    model(row())

    with pytest.raises(NotCapturedError, match=r"^There is no output of '1': .*not called.* in step 1\.$"):
        session.at_step(1)["1"].output  # noqa: B018  # reading is what raises
    assert session.graph(step=1).nodes[1].path == "0"


def test_parameters_of_a_past_step_are_not_remembered() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    model(row())
    model(row())

    for read in (lambda: session.at_step(1)["0.weight"], lambda: session.at_step(1)["0"].parameters):
        with pytest.raises(NotCapturedError, match=r"what parameters were in past steps is not remembered"):
            read()
    assert list(session.at_step(2)["0"].parameters) == ["weight", "bias"]


def test_what_was_not_captured_then_is_told_though_it_is_now() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    session.disable("outputs", "0")
    model(row())
    session.enable("outputs", "0")
    model(row())

    with pytest.raises(
        NotCapturedError,
        match=re.escape("There is no output of '0': outputs of this module were not captured in step 1."),
    ):
        session.at_step(1)["0"].output  # noqa: B018  # reading is what raises
    graph = session.graph(step=1)
    assert session.at_step(1).node_data(graph)["module:0"].state == "off"


def test_a_step_knows_how_often_modules_were_called_and_what_raised() -> None:
    def wiring(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        for _ in range(int(x.abs().sum())):
            x = model.fc(x)  # type: ignore[operator]  # a module
        raise ValueError("enough")

    model = wired(wiring, fc=fc())
    session = watch(model, every=1)
    for times in (2, 3):
        with pytest.raises(ValueError, match="enough"):
            model(torch.full((1, 4), times / 4))

    step = session.at_step(1)

    assert len(step["fc"].calls) == 2
    assert step.run.exception == "ValueError: enough"
    assert repr(step) == "<Step 1 of Wired: 3 calls, raised ValueError: enough>"
    assert step.node_data(step.graph())["module:fc"].state == "captured"


def test_a_step_as_a_table() -> None:
    _model, session = trained(1.0, 2.0)

    assert session.at_step(1).to_dataframe()["mean"].tolist() == [1.0, 1.0]


def test_a_module_that_was_called_once_has_one_call_in_its_repr() -> None:
    _model, session = trained(1.0)

    assert repr(session["act"]) == "<ModuleView act: ReLU, 1 call>"
