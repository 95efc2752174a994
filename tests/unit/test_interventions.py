"""Each intervention makes one thing of a value, of the same shape and dtype, and leaves the value as it was."""

import copy
import math
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch

from hookviz.errors import InterventionError
from hookviz.hooks.interventions import Add, Clamp, Intervention, Noise, Replace, Scale, Zero

VALUES = [1.0, -2.0, 3.0]

MADE: list[tuple[Intervention, list[float], str]] = [
    (Zero(), [0.0, 0.0, 0.0], "Zero()"),
    (Scale(0.5), [0.5, -1.0, 1.5], "Scale(0.5)"),
    (Scale(torch.tensor([1.0, 0.0, 2.0])), [1.0, 0.0, 6.0], "Scale(Tensor 3)"),
    (Add(1), [2.0, -1.0, 4.0], "Add(1)"),
    (Add(torch.tensor([1, 2, 3])), [2.0, 0.0, 6.0], "Add(Tensor 3)"),
    (Clamp(-1, 1), [1.0, -1.0, 1.0], "Clamp(-1, 1)"),
    (Clamp(low=0), [1.0, 0.0, 3.0], "Clamp(low=0)"),
    (Clamp(high=2.5), [1.0, -2.0, 2.5], "Clamp(high=2.5)"),
    (Replace(7), [7.0, 7.0, 7.0], "Replace(7)"),
    (Replace(torch.tensor([4.0, 5.0, 6.0])), [4.0, 5.0, 6.0], "Replace(Tensor 3)"),
    (Noise(0.0), [1.0, -2.0, 3.0], "Noise(0, seed=0)"),
]


@pytest.mark.parametrize(("intervention", "expected", "name"), MADE, ids=[case[2] for case in MADE])
def test_what_an_intervention_makes_of_a_value(intervention: Intervention, expected: list[float], name: str) -> None:
    value = torch.tensor(VALUES)

    changed = intervention.on(value, 0)

    assert changed.tolist() == expected
    assert value.tolist() == VALUES
    assert repr(intervention) == name


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.complex64])
@pytest.mark.parametrize("intervention", [Zero(), Scale(0.5), Add(1.5), Noise(1.0), Replace(2.0)], ids=repr)
def test_the_dtype_stays(intervention: Intervention, dtype: torch.dtype) -> None:
    value = torch.ones(2, dtype=dtype)

    assert intervention.on(value, 0).dtype == dtype


@pytest.mark.parametrize("intervention", [Zero(), Scale(2), Add(1), Clamp(0, 1), Replace(3)], ids=repr)
def test_whole_numbers_stay_whole(intervention: Intervention) -> None:
    assert intervention.on(torch.tensor([1, 2]), 0).dtype == torch.int64


def test_whole_numbers_cannot_become_fractions() -> None:
    with pytest.raises(
        InterventionError,
        match=re.escape(
            "Scale(0.5) makes float32 of int64, and the dtype must stay. "
            "Give whole numbers, or choose another tensor with leaf=."
        ),
    ):
        Scale(0.5).on(torch.tensor([1, 2]), 0)


@pytest.mark.parametrize(
    ("intervention", "gradient"),
    [(Zero(), [0.0, 0.0]), (Replace(3), [0.0, 0.0]), (Scale(3), [3.0, 3.0]), (Add(1), [1.0, 1.0])],
    ids=repr,
)
def test_what_comes_before_gets_the_gradient_that_is_left(intervention: Intervention, gradient: list[float]) -> None:
    value = torch.ones(2, requires_grad=True)

    intervention.on(value, 0).sum().backward()

    assert value.grad is not None
    assert value.grad.tolist() == gradient


def test_zeros_take_the_place_of_what_is_not_a_number() -> None:
    assert Zero().on(torch.tensor([float("nan"), float("inf")]), 0).tolist() == [0.0, 0.0]


def test_noise_is_the_same_each_time_and_another_for_each_call_and_seed() -> None:
    value = torch.zeros(4)

    first = Noise(2.0, seed=1).on(value, 0)

    assert torch.equal(first, Noise(2.0, seed=1).on(value, 0))
    assert not torch.equal(first, Noise(2.0, seed=1).on(value, 1))
    assert not torch.equal(first, Noise(2.0, seed=2).on(value, 0))
    assert torch.allclose(first, 2 * Noise(1.0, seed=1).on(value, 0))


def test_noise_has_the_deviation_that_was_asked_for() -> None:
    noise = Noise(3.0).on(torch.zeros(10_000), 0)

    assert 2.9 < noise.std().item() < 3.1
    assert abs(noise.mean().item()) < 0.1


def test_noise_leaves_the_random_numbers_of_the_model_alone() -> None:
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)

    Noise().on(torch.zeros(4), 0)

    assert torch.rand(1) == expected


def test_a_value_is_taken_when_the_intervention_is_made() -> None:
    given = torch.ones(2)
    intervention = Replace(given)

    given.zero_()

    assert intervention.on(torch.zeros(2), 0).tolist() == [1.0, 1.0]


def test_a_leaf_that_requires_grad_is_trained_through_it() -> None:
    direction = torch.zeros(2, requires_grad=True)
    value = torch.ones(3, 2)

    Add(direction).on(value, 0).sum().backward()

    assert direction.grad is not None
    assert direction.grad.tolist() == [3.0, 3.0]


def test_a_computed_value_is_cut_off_its_graph() -> None:
    source = torch.ones(2, requires_grad=True)
    intervention = Replace(source * 2)

    changed = intervention.on(torch.zeros(2), 0)

    assert changed.tolist() == [2.0, 2.0]
    assert not changed.requires_grad


def test_a_recorded_value_is_taken_by_its_tensor() -> None:
    class Recorded:
        tensor = torch.ones(2)

    assert Replace(Recorded()).on(torch.zeros(2), 0).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("intervention", [case[0] for case in MADE], ids=repr)
def test_interventions_can_be_copied_and_pickled(intervention: Intervention) -> None:
    value = torch.tensor(VALUES)

    for again in (copy.deepcopy(intervention), pickle.loads(pickle.dumps(intervention))):
        assert torch.equal(again.on(value, 0), intervention.on(value, 0))


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: Scale("2"), "factor of Scale is a number, a tensor or a capture; got str."),  # type: ignore[arg-type]  # that is the mistake
    (
        lambda: Replace((torch.ones(1), None)),  # type: ignore[arg-type]  # that is the mistake
        (
            "value of Replace is a number, a tensor or a capture; got (Tensor 1, None). "
            "Take one of them, as session[path].output[0]."
        ),
    ),
    (Clamp, "Clamp needs a limit: Clamp(-1, 1), Clamp(low=0) or Clamp(high=6)."),
    (lambda: Clamp(1, -1), "Clamp goes from low to high; got low=1 and high=-1."),
    (lambda: Clamp("a"), "low of Clamp is a number; got 'a'."),  # type: ignore[arg-type]  # that is the mistake
    (lambda: Noise(-1), "std is a standard deviation, 0 or more; got -1."),
    (lambda: Noise(1.0, seed=0.5), "seed is a whole number; got float 0.5."),  # type: ignore[arg-type]  # that is the mistake
    (
        lambda: Replace(torch.ones(3)).on(torch.ones(2, 2), 0),
        (
            "Replace(Tensor 3) does not fit a Tensor 2×2: the shapes differ. "
            "Give a tensor of that shape, or say which part is meant with at=."
        ),
    ),
    (
        lambda: Add(torch.ones(5, 2)).on(torch.ones(2), 0),
        (
            "Add(Tensor 5×2) does not fit a Tensor 2: the shapes differ. "
            "Give a tensor of that shape, or say which part is meant with at=."
        ),
    ),
    (lambda: Scale(math.nan), "factor of Scale is a number that has a value; got nan."),
    (lambda: Add(complex(0, math.nan)), "value of Add is a number that has a value; got nanj."),
    (lambda: Clamp(math.nan), "low of Clamp is a number; got nan."),
]


@pytest.mark.parametrize(("make", "words"), WRONG)
def test_what_does_not_fit_is_explained(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(InterventionError, match=f"^{re.escape(words)}$"):
        make()


def test_a_nan_can_be_put_in_place_of_a_value_to_see_where_it_goes() -> None:
    assert Replace(math.nan).on(torch.zeros(2), 0).isnan().all()


def test_clamp_takes_an_infinite_limit() -> None:
    assert Clamp(0, math.inf).on(torch.tensor([-1.0, 2.0]), 0).tolist() == [0.0, 2.0]
