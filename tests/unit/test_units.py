"""Which units of an activation were ever active: a few values tell of most, and all that are looked at of the rest."""

import numpy as np
import pytest
import torch

from hookviz.health.activations import Dying
from hookviz.health.units import LOOK, Units, thinned


def dead_after(value: torch.Tensor, axis: int, dying: Dying) -> int:
    """How many units are dead after one look."""
    units = Units(dying, value.shape[axis], 1)
    units.look(value, axis, 1)
    return units.dead(1)[0]


@pytest.mark.parametrize(("shape", "axis"), [((2_048, 32), 1), ((32, 2_048), 0), ((8, 16, 16, 32), 1)])
def test_one_active_value_among_all_that_are_looked_at_makes_a_unit_alive(shape: tuple[int, ...], axis: int) -> None:
    value = torch.zeros(shape)
    value.movedim(axis, 0)[0] = 1.0
    last = value.movedim(axis, 0)[1]
    last[tuple(size - 1 for size in last.shape)] = 1.0

    assert value.numel() == LOOK
    assert dead_after(value, axis, "relu") == value.shape[axis] - 2


def test_a_smooth_unit_is_alive_above_and_below_zero_and_one_before_a_gelu_above_minus_five() -> None:
    value = torch.zeros(2_048, 32)
    value[2_047, 0], value[2_047, 1] = 1.0, -1.0

    assert dead_after(value, 1, "smooth") == 30
    assert dead_after(value - 6, 1, "before gelu") == 32
    assert dead_after(value - 5, 1, "before gelu") == 31


def test_a_unit_that_gave_a_nan_counts_as_alive() -> None:
    value = torch.zeros(2_048, 32)
    value[2_047, 3] = np.nan

    assert dead_after(value, 1, "relu") == 31


def test_what_is_thinned_has_each_unit_and_no_more_values_than_it_may() -> None:
    few = thinned(torch.ones(512, 64, 16), 1, 4_096)

    assert few.shape[1] == 64
    assert few.numel() <= 4_096


def test_memory_that_was_looked_at_can_be_resized_as_before() -> None:
    value = torch.ones(65_536, dtype=torch.float64)

    dead_after(value, 0, "relu")

    assert value.untyped_storage().resizable()
