"""What became of a value, in a few words."""

import pytest
import torch
from torch import Tensor

from hookviz.capture.capture import Capture
from hookviz.capture.difference import difference, is_equal, is_same, values_text
from hookviz.capture.store import TensorStore

LIMIT = 1_000


def captured(tensor: Tensor, keep_bytes: int = LIMIT) -> Capture:
    return TensorStore(keep_bytes).take(tensor, "", is_gradient=False)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ([1.0, 2.0], [6.0, 7.0], "mean changed by +5, largest change 5"),
        ([1.5, 0.5], [0.75, 0.25], "mean changed by −0.5, largest change 0.75"),
        ([1.0, -1.0], [-1.0, 1.0], "mean as before, largest change 2"),
        ([1.0, 2.0], [1.0, float("nan")], "NaN 1 of 2 made here"),
        ([1.0, float("nan")], [1.0, 2.0], "NaN 1 → 0 of 2"),
        ([1.0, float("nan"), float("inf")], [3.0, float("nan"), float("inf")], "largest change 2"),
        ([1.0, 2.0, 0.0], [float("inf"), float("-inf"), 0.0], "Inf 2 of 3 made here"),
        ([1.0, 2.0], [[float("nan")]], "shape 2 → 1×1, NaN 1 of 1 made here"),
        ([1.0, 2.0], [[1.0, 2.0]], "shape 2 → 1×2"),
    ],
)
def test_difference_is_told_in_words(before: list[float], after: list[float], text: str) -> None:
    assert difference(captured(torch.tensor(before)), captured(torch.tensor(after))) == text


def test_another_dtype_is_told() -> None:
    before, after = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0], dtype=torch.float16)

    assert difference(captured(before), captured(after)) == "float32 → float16, values equal"


def test_elements_are_compared_whatever_their_order_in_memory() -> None:
    rows = torch.arange(6.0).reshape(2, 3)
    columns = rows.T.contiguous().T

    assert difference(captured(rows), captured(columns + 1)) == "mean changed by +1, largest change 1"


def test_only_means_are_compared_of_what_was_not_kept() -> None:
    before, after = captured(torch.zeros(100), keep_bytes=8), captured(torch.ones(100), keep_bytes=8)

    assert difference(before, after) == "mean changed by +1"
    assert difference(before, before) == ""


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (torch.tensor([1.5, 0.5]), "(1.5, 0.5)"),
        (torch.tensor(3), "3"),
        (torch.tensor([True, False]), "(True, False)"),
        (torch.tensor([1 / 3]), "(0.3333)"),
        (torch.arange(9), ""),
        (torch.empty(0), ""),
    ],
)
def test_few_values_are_written_out(tensor: Tensor, text: str) -> None:
    assert values_text(captured(tensor)) == text


@pytest.mark.parametrize("tensor", [torch.tensor([1.0, float("nan")]), torch.tensor([1, 2])])
def test_a_value_is_the_same_as_its_copy(tensor: Tensor) -> None:
    assert is_same(captured(tensor), tensor.clone())
    assert not is_same(captured(tensor), tensor + 1)


def test_equal_is_what_has_the_same_values_of_the_same_kind() -> None:
    numbers = torch.tensor([1.0, float("nan")])
    before = captured(numbers)

    assert is_equal(before, numbers.clone())
    assert not is_equal(before, numbers + 1)
    assert not is_equal(before, numbers.double())
    assert not is_equal(before, numbers.reshape(1, 2))


def test_nothing_is_called_equal_that_was_not_kept() -> None:
    assert not is_equal(captured(torch.ones(9), keep_bytes=8), torch.ones(9))
