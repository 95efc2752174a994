"""The first NaN of a run is laid to what made it: a module, an operation, an input or a parameter."""

import math
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.capture.run import Run
from hookviz.graph.origin import Origin, origin_of
from hookviz.graph.verdict import card_words, node_troubles, place_words
from hookviz.session import watch
from hookviz.tracing.flow import Flow
from tests.models import fc, row, wired

NAN_ROW = torch.tensor([[math.nan, 1.0, 1.0, 1.0]])


def run_of(model: nn.Module, *args: Any, **options: Any) -> Run:
    with watch(model, every=1, **options) as session:
        model(*args)
        assert session.run is not None
        return session.run


def origin(model: nn.Module, *args: Any, **options: Any) -> Origin:
    found = origin_of(run_of(model, *args, **options))
    assert found is not None
    return found


def told(found: Origin) -> tuple[str, str]:
    return card_words(found), place_words(found, "Model")


def spoiler(value: float = math.nan) -> Any:
    return wired(lambda m, x: x * value)


def test_a_finite_run_has_no_origin() -> None:
    assert origin_of(run_of(nn.Sequential(fc()), row())) is None


def test_a_module_whose_input_was_finite_made_it() -> None:
    found = origin(nn.Sequential(fc(), spoiler(), fc()), row())

    assert found.call.path == "1"
    assert told(found) == ("made here", "NaN made in 1")


def test_an_operation_before_a_module_made_it() -> None:
    model = wired(lambda m, x: m.b(torch.log(-m.a(x).abs())), a=fc(), b=fc())

    found = origin(model, row())

    assert found.call.path == "b"
    assert told(found) == ("its input was NaN already: made by log before it", "NaN made by log before b")


def test_of_two_operations_that_can_have_made_it_both_are_named() -> None:
    model = wired(lambda m, x: m.b(torch.log(torch.rsqrt(m.a(x)) - 1000)), a=fc(), b=fc())

    found = origin(model, row())

    assert [node.label for node in found.suspects] == ["rsqrt", "sub", "log"]
    assert place_words(found, "Model") == "NaN made by rsqrt or sub or log before b"


def test_an_operation_that_can_make_an_infinity_is_suspected_of_that_but_of_no_nan() -> None:
    overflow = wired(lambda m, x: m.b(torch.exp(m.a(x) * 0 + 1000).abs()), a=fc(), b=nn.Identity())

    found = origin(overflow, row())

    assert (found.kind, [node.label for node in found.suspects]) == ("Inf", ["mul", "add", "exp"])


def test_a_single_operation_before_a_module_is_sure() -> None:
    model = wired(lambda m, x: m.b(m.a(x) * math.nan), a=fc(), b=fc())

    run = run_of(model, row())

    found = origin_of(run)
    assert found is not None
    assert isinstance(run.flow, Flow)
    assert told(found) == ("its input was NaN already: made by mul before it", "NaN made by mul before b")
    assert node_troubles(found, run.flow) == {"op::mul:0": "NaN made here"}


def test_operations_whose_results_have_no_infinity_are_not_suspected() -> None:
    def wiring(m: Any, x: torch.Tensor) -> Any:
        y = m.a(x)
        return {"gt": torch.log(y.abs()) > 0, "argmax": y.argmax(-1), "scaled": y * math.inf}

    found = origin(wired(wiring, a=fc()), row())

    assert [node.label for node in found.suspects] == ["mul"]
    assert place_words(found, "Model") == "Inf made by mul in Model"


def test_operations_whose_results_were_returned_and_finite_are_not_suspected() -> None:
    def wiring(m: Any, x: torch.Tensor) -> Any:
        y = m.a(x)
        return [y.exp(), y.sum(), [y.double() * math.inf]]

    found = origin(wired(wiring, a=fc()), row())

    assert [node.label for node in found.suspects] == ["mul"]


def test_an_operation_is_suspected_of_which_a_finite_slice_was_returned() -> None:
    def wiring(m: Any, x: torch.Tensor) -> Any:
        y = torch.log(m.a(x) * torch.tensor([1.0, 1.0, 1.0, 0.0]))
        return y[:, :3], y + y

    model = wired(wiring, a=fc())
    nn.init.constant_(model.a.weight, 1.0)

    found = origin(model, torch.ones(1, 4))

    assert "log" in [node.label for node in found.suspects]


def test_an_operation_of_several_results_is_suspected_whichever_was_returned() -> None:
    def wiring(m: Any, x: torch.Tensor) -> Any:
        std, mean = torch.std_mean(m.a(x) * torch.tensor([1.0, 2.0, 3.0, 4.0]), dim=-1, correction=3)
        return mean, std / 0

    model = wired(wiring, a=fc())

    assert [node.label for node in origin(model, row()).suspects] == ["mul", "std_mean", "div"]


def test_an_operation_after_the_last_child_made_it() -> None:
    block = wired(lambda m, x: m.fc(x) * math.nan, fc=fc())

    found = origin(nn.Sequential(fc(), block, fc()), row())

    assert found.call.path == "1"
    assert told(found) == ("made by mul in its own forward", "NaN made by mul in 1")


def test_an_operation_before_a_nested_container_is_not_laid_to_what_is_inside() -> None:
    inner = nn.Sequential(fc(), nn.ReLU())
    model = wired(lambda m, x: m.block(x * math.nan), block=inner)

    found = origin(model, row())

    assert found.call.path == "block.0"
    assert told(found)[1] == "NaN made by mul before block.0"


def test_a_container_is_not_taken_for_what_was_made_inside() -> None:
    found = origin(nn.Sequential(nn.Sequential(fc(), nn.Sequential(fc(), spoiler())), fc()), row())

    assert found.call.path == "0.1.1"
    assert found.is_made_inside("0.1")
    assert found.is_made_inside("0")
    assert not found.is_made_inside("1")


def test_operations_of_a_container_whose_output_was_finite_are_not_suspected() -> None:
    sound = wired(lambda m, x: m.fc(x).relu(), fc=fc())
    model = wired(lambda m, x: m.last(m.sound(x) * math.nan), sound=sound, last=fc())

    assert [node.label for node in origin(model, row()).suspects] == ["mul"]


def test_a_nan_in_the_input_of_the_model_is_laid_to_the_input() -> None:
    model = wired(lambda m, x: m.a(x.relu()), a=fc())

    run = run_of(model, NAN_ROW)

    found = origin_of(run)
    assert found is not None
    assert isinstance(run.flow, Flow)
    assert told(found) == ("its input was NaN already: the model's input x holds it", "NaN in the model's input x")
    assert node_troubles(found, run.flow) == {"input:x": "NaN in it"}


def test_of_two_inputs_the_one_that_holds_it_is_named() -> None:
    model = wired(lambda m, x, y: m.a(x + y), a=fc())

    assert told(origin(model, row(), NAN_ROW))[1] == "NaN in the model's input more[0]"


def test_an_input_that_is_finite_is_not_suspected_beside_an_operation() -> None:
    model = wired(lambda m, x: m.a(x * math.nan), a=fc())

    assert told(origin(model, row()))[1] == "NaN made by mul before a"


def test_a_nan_in_a_parameter_is_laid_to_the_parameter() -> None:
    layer = fc()
    with torch.no_grad():
        layer.weight[0, 0] = math.nan

    found = origin(nn.Sequential(fc(), layer), row())

    assert told(found) == ("its weight holds it", "NaN in the parameter 1.weight")


def test_a_parameter_that_an_operation_uses_is_laid_to_the_parameter() -> None:
    block = wired(lambda m, x: m.fc(x * m.scale), fc=fc())
    block.scale = nn.Parameter(torch.tensor(math.nan))

    found = origin(nn.Sequential(fc(), block), row())

    assert told(found) == (
        "its input was NaN already: the parameter 1.scale holds it",
        "NaN in the parameter 1.scale",
    )


def test_an_infinity_is_told_as_such() -> None:
    assert told(origin(nn.Sequential(spoiler(math.inf), nn.Identity()), row()))[1] == "Inf made in 0"


def test_a_nan_that_was_made_out_of_an_infinity_says_so() -> None:
    model = nn.Sequential(spoiler(math.inf), wired(lambda m, x: x - x), fc())

    found = origin(model, row())

    assert told(found) == (
        "made here out of Inf in its input",
        "NaN made in 1 out of Inf in its input, which was made in 0",
    )


def test_an_infinity_that_a_nan_was_made_of_is_laid_to_the_operation_between_two_modules() -> None:
    model = wired(lambda m, x: m.c(torch.log(m.l(x))), l=nn.ReLU(), c=wired(lambda m, x: x - x))

    found = origin(model, torch.tensor([[1.0, -1.0, 2.0, -3.0]]))

    assert told(found)[1] == "NaN made in c out of Inf in its input, which was made by log between l and c"


def test_an_infinity_that_can_have_passed_by_a_module_is_laid_to_no_place_between_two() -> None:
    model = wired(lambda m, x: m.c(m.l(x) + torch.log(m.k(x))), l=nn.ReLU(), k=nn.ReLU(), c=wired(lambda m, x: x - x))

    found = origin(model, torch.tensor([[1.0, -1.0, 2.0, -3.0]]))

    assert told(found)[1] == "NaN made in c out of Inf in its input, which was made by log or add before c"


def test_an_infinity_that_passed_through_modules_is_laid_to_the_first_of_them() -> None:
    model = nn.Sequential(fc(), spoiler(math.inf), nn.Identity(), nn.Dropout(0.0), wired(lambda m, x: x - x))

    found = origin(model, row())

    assert told(found)[1] == "NaN made in 4 out of Inf in its input, which was made in 1"


def test_an_infinity_in_the_data_is_laid_to_the_input() -> None:
    model = nn.Sequential(nn.ReLU(), wired(lambda m, x: x - x))

    found = origin(model, torch.tensor([[math.inf, 1.0]]))

    assert told(found)[1] == "NaN made in 1 out of Inf in its input, which was in the model's input"


def test_a_mask_of_infinities_is_not_taken_for_the_nan_that_is_made_of_it() -> None:
    def attend(model: Any, x: torch.Tensor, mask: torch.Tensor) -> Any:
        return model.soft(x + mask)

    model = wired(attend, soft=nn.Softmax(-1))

    found = origin(model, row(), torch.full((1, 4), -math.inf))

    assert found.call.path == "soft"
    assert card_words(found) == "made here out of Inf in its input"


def test_a_module_that_writes_over_its_input_made_it_if_what_fed_it_was_finite() -> None:
    model = nn.Sequential(fc(), wired(lambda m, x: x.mul_(math.nan)))

    assert told(origin(model, row())) == ("made here", "NaN made in 1")


def test_a_module_that_writes_over_its_input_after_an_operation_is_not_sure() -> None:
    model = wired(lambda m, x: m.b(m.a(x) * 2), a=fc(), b=wired(lambda m, x: x.mul_(math.nan)))

    assert told(origin(model, row())) == (
        "first seen here: made here or by mul before it",
        "NaN first seen at b",
    )


def test_a_module_that_is_not_captured_is_suspected() -> None:
    model = nn.Sequential(fc(), spoiler(), fc())

    found = origin(model, row(), exclude="1")

    assert found.call.path == "2"
    assert told(found)[1] == "NaN made by 1 before 2"


@pytest.mark.parametrize("calls", [1, 2])
def test_the_call_that_made_it_is_told_from_those_before(calls: int) -> None:
    def forward(model: Any, x: torch.Tensor) -> Any:
        for step in range(calls):
            x = model.a(x * (math.nan if step == calls - 1 else 1.0))
        return x

    found = origin(wired(forward, a=fc()), row())

    assert found.call.index == calls - 1
    assert place_words(found, "") == "NaN made by mul before a"
