"""How far a step of training moved the parameters is told by a sample of them."""

import gc
import weakref

import pytest
import torch
from torch import nn

from hookviz.capture.updates import ParameterSample, update_ratios


def filled(layer: nn.Linear, weight: float) -> nn.Linear:
    """The layer with equal weights, and a bias of zeros."""
    with torch.no_grad():
        layer.weight.fill_(weight)
        layer.bias.zero_()
    return layer


def test_ratio_is_the_norm_of_the_update_over_that_of_the_weights_before() -> None:
    layer = filled(nn.Linear(3, 3), 1.0)
    sample = ParameterSample([("fc", layer)])

    with torch.no_grad():
        layer.weight.mul_(2.0)

    assert update_ratios(sample.moves()) == {"fc": pytest.approx(1.0)}


def test_of_a_large_parameter_the_sample_is_scaled_up_to_the_whole() -> None:
    layer = filled(nn.Linear(200, 200), 1.0)
    sample = ParameterSample([("fc", layer)])

    with torch.no_grad():
        layer.weight.add_(3.0)

    weight, bias = sample.moves()
    assert weight.change == pytest.approx(3.0 * 200)
    assert weight.norm == pytest.approx(1.0 * 200)
    assert (bias.change, bias.norm) == (0.0, 0.0)


def test_parameters_of_several_types_are_compared_together() -> None:
    single, half = filled(nn.Linear(2, 2), 1.0), filled(nn.Linear(2, 2).bfloat16(), 1.0)
    sample = ParameterSample([("single", single), ("half", half)])

    with torch.no_grad():
        half.weight.mul_(2.0)

    assert update_ratios(sample.moves()) == {"single": 0.0, "half": pytest.approx(1.0)}


def test_a_write_of_equal_values_is_told_from_none() -> None:
    layer = filled(nn.Linear(2, 2), 1.0)
    sample = ParameterSample([("fc", layer)])

    with torch.no_grad():
        layer.weight.add_(0.0)

    weight, bias = sample.moves()
    assert (weight.change, weight.is_written) == (0.0, True)
    assert (bias.change, bias.is_written) == (0.0, False)


def test_a_write_that_counts_as_none_is_seen_by_its_values() -> None:
    layer = filled(nn.Linear(2, 2), 1.0)
    sample = ParameterSample([("fc", layer)])

    layer.weight.data.mul_(2.0)

    assert sample.moves()[0].is_written


def test_frozen_and_lazy_parameters_are_left_out() -> None:
    frozen, lazy = nn.Linear(2, 2).requires_grad_(False), nn.LazyLinear(2)

    assert ParameterSample([("frozen", frozen), ("lazy", lazy)]).moves() == []


def test_a_parameter_that_is_gone_gives_no_moves() -> None:
    layer = nn.Linear(2, 2)
    sample = ParameterSample([("fc", layer)])

    layer.weight = nn.Parameter(torch.ones(2, 2))

    assert sample.moves() == []


def test_a_sample_keeps_no_parameter_alive() -> None:
    layer = nn.Linear(2, 2)
    sample = ParameterSample([("fc", layer)])
    weight = weakref.ref(layer.weight)

    del layer
    gc.collect()

    assert weight() is None
    assert sample.moves() == []


def test_module_whose_parameters_are_all_zero_has_no_ratio() -> None:
    layer = filled(nn.Linear(2, 2), 0.0)

    assert update_ratios(ParameterSample([("fc", layer)]).moves()) == {}
