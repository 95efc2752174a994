"""A hook that ran tells what it did, in numbers that fit in a line."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.hooks.interventions import Clamp
from hookviz.session import watch
from tests.hooked import note, only_hook
from tests.models import row, wired


def test_a_hook_that_ran_tells_how_often_and_what_it_did() -> None:
    step = nn.Identity()
    step.register_forward_hook(lambda module, args, output: output / 2)
    model = nn.Sequential(step, step)
    with watch(model) as session:
        model(torch.tensor([6.0, 2.0]))

        report = session.report(only_hook(session))

    assert (report.fired, report.outcome, report.note) == (2, "changed", "(3, 1) → (1.5, 0.5)")


def test_a_change_of_many_values_is_told_by_its_size() -> None:
    def add_five(_module: nn.Module, _args: Any, output: Tensor) -> Tensor:
        return output + 5

    model = nn.Identity()
    model.register_forward_hook(add_five)
    with watch(model) as session:
        model(torch.zeros(100))

        assert note(session) == "mean changed by +5, largest change 5"


def change(convert: Callable[[Tensor], Tensor], value: Tensor) -> str:
    """The note on a hook that converts this output."""
    model = nn.Identity()
    model.register_forward_hook(lambda module, args, output: convert(output))
    with watch(model) as session:
        model(value)
        return note(session)


def test_another_dtype_or_shape_of_few_values_is_told_beside_them() -> None:
    few = torch.tensor([3.0, 1.0])

    assert change(Tensor.double, few) == "(3, 1) → (3, 1), float32 → float64"
    assert change(lambda output: output.reshape(1, 2), few) == "(3, 1) → (3, 1), shape 2 → 1×2"


def test_a_change_in_late_digits_is_told_by_its_size() -> None:
    few = torch.tensor([1.0, 1.0], dtype=torch.float64)

    assert change(lambda output: output + 1e-9, few) == "mean changed by +1e-09, largest change 1e-09"


def test_nan_that_a_hook_made_in_many_values_is_counted() -> None:
    many = torch.ones(64)

    assert change(lambda output: output / (torch.arange(64) >= 12), many) == "Inf 12 of 64 made here"
    assert change(lambda output: output * float("nan"), many) == "NaN 64 of 64 made here"


def test_a_change_that_left_the_graph_is_told_with_the_values() -> None:
    few = torch.tensor([3.0, 1.0], requires_grad=True)

    assert change(lambda output: output.detach() + 5, few) == "(3, 1) → (8, 6), detached from the graph"
    assert change(Tensor.detach, few) == "detached the output from the graph"


def test_an_intervention_that_clips_nothing_is_not_said_to_change_it() -> None:
    model = nn.Identity()
    with watch(model) as session:
        hook = session.intervene("", Clamp(-9, 9))
        model(torch.tensor([3.0, 1.0]))

        report = session.report(hook)

    assert (report.outcome, report.note) == ("observed", "replaced the output by an equal value")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None → 0"),
        (b"ab", "b'ab' → 0"),
        ({2, 1}, "{1, 2} → 0"),
        (2j, "2j → 0"),
        (frozenset(), "frozenset() → 0"),
    ],
)
def test_a_value_without_tensors_is_written_out(value: object, text: str) -> None:
    model = wired(lambda m, x: value)
    model.register_forward_hook(lambda module, args, output: 0)
    with watch(model) as session:
        model(row())

        assert note(session) == text
