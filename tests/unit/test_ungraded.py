"""An output outside of any backward pass says what it lacks."""

import torch
from torch import nn

from hookviz.capture.ungraded import takes_gradient, why_no_gradient
from tests.models import fc, row


def test_nothing_before_it_requires_grad() -> None:
    assert why_no_gradient(nn.ReLU(), [row()], row()) == "does not require grad: nothing before it does"


def test_all_of_its_parameters_are_frozen() -> None:
    frozen = nn.Sequential(fc().requires_grad_(False), nn.ReLU())

    assert why_no_gradient(frozen, [row()], row()) == "frozen: does not require grad"


def test_it_has_parameters_that_learn_and_no_way_to_them() -> None:
    assert why_no_gradient(fc(), [row()], row().detach()) == "does not require grad: detached on the way"


def test_its_input_requires_grad_and_there_is_no_way_to_it() -> None:
    learning = row().requires_grad_()

    assert why_no_gradient(nn.ReLU(), [learning], row()) == "does not require grad: detached on the way"


def test_whole_numbers_have_no_gradient() -> None:
    assert why_no_gradient(fc(), [row()], row().argmax()) == "int64 has no gradient"


def test_a_tensor_of_a_function_transform_takes_no_hook() -> None:
    seen: list[tuple[bool, str]] = []
    module, factor = fc(), row().requires_grad_()

    def inside(value: torch.Tensor) -> torch.Tensor:
        learning = value * factor
        seen.append((takes_gradient(learning), why_no_gradient(module, [], learning)))
        return value

    torch.func.vmap(inside)(torch.ones(2, 4))

    assert seen == [(False, "not observable inside of a function transform")]
