"""NumPy reads tensors where they lie, and leaves them as they are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture.elements import elements_of
from hookviz.capture.handed_on import has_same_bits
from hookviz.capture.numbers import zeros_in
from hookviz.widget.picture import picture
from tests.views import at


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.uint8])
def test_elements_are_those_of_the_tensor(dtype: torch.dtype) -> None:
    tensor = torch.arange(6).to(dtype).reshape(2, 3)

    assert elements_of(tensor).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert elements_of(tensor.t()).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert elements_of(tensor[:, ::2]).tolist() == [[0, 2], [3, 5]]
    assert elements_of(tensor[:0]).shape == (0, 3)


def test_elements_share_the_memory_and_cannot_be_written() -> None:
    tensor = torch.zeros(2)
    elements = elements_of(tensor)
    tensor[0] = 7

    assert elements.tolist() == [7, 0]
    with pytest.raises(ValueError, match="read-only"):
        elements[0] = 1


def test_elements_outlive_the_tensor() -> None:
    elements = elements_of(torch.ones(100_000))
    others = [torch.zeros(100_000) for _ in range(4)]

    assert np.all(elements == 1)
    assert len(others) == 4


def test_memory_that_was_looked_at_can_be_resized_as_before() -> None:
    tensor = torch.ones(4)

    elements_of(tensor)
    zeros_in(tensor)
    has_same_bits(tensor, torch.ones(4))
    tensor.untyped_storage().resize_(32)

    assert tensor.untyped_storage().nbytes() == 32


def test_tensors_of_a_captured_run_and_parameters_can_be_resized_as_before() -> None:
    outputs: list[torch.Tensor] = []

    class Keeper(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            outputs.append(super().forward(x))
            return outputs[-1]

    keeper = Keeper(4, 40)
    model = nn.Sequential(keeper, nn.Identity())
    with hookviz.watch(model, every=1) as session:
        for _ in range(3):
            model(torch.ones(2_048, 4)).sum().backward()
        assert at(session, "0").output.is_kept
        picture(keeper.weight.detach())

    for tensor in (*outputs, keeper.weight):
        tensor.untyped_storage().resize_(1_000_000)
        assert tensor.untyped_storage().nbytes() == 1_000_000


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.vmap])
def test_within_transforms_of_functions_the_same_elements_are_read(transform: Callable[..., Any]) -> None:
    tensor, seen = torch.arange(3.0), []

    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append(elements_of(tensor.reshape(-1)).tolist())
        return x * 1

    transform(look)(torch.ones(1) if transform is torch.func.vmap else torch.ones(()))

    assert seen == [[0, 1, 2]]
