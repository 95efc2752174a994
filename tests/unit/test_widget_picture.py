"""The heat map's slice: which elements it shows, of tensors of any shape and type."""

import math

import numpy as np
import pytest
import torch

from hookviz.errors import HookvizError
from hookviz.widget.picture import picture

# Made with the checks on: without them, torch warns once per process.
SPARSE = torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.tensor([2.0]), (1, 2), check_invariants=True)

VAST = torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0), (5000, 5000), check_invariants=True)


def values_of(content: bytes) -> list[float]:
    return np.frombuffer(content, dtype=np.float32).tolist()  # type: ignore[no-any-return]  # NumPy says Any


def test_matrix_is_shown_as_it_is() -> None:
    wire, content = picture(torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]]))

    assert (wire["rows"], wire["columns"]) == (2, 3)
    assert (wire["row_axis"], wire["column_axis"]) == (0, 1)
    assert values_of(content) == [1.0, -2.0, 3.0, 4.0, 5.0, 6.0]
    assert wire["note"] == ""


def test_single_number_is_one_cell() -> None:
    wire, content = picture(torch.tensor(2.5))

    assert (wire["rows"], wire["columns"], wire["shape"], wire["index"]) == (1, 1, [], [])
    assert values_of(content) == [2.5]


def test_short_vector_is_one_row() -> None:
    wire, content = picture(torch.arange(5.0))

    assert (wire["rows"], wire["columns"]) == (1, 5)
    assert values_of(content) == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_long_vector_is_wrapped_and_each_cell_tells_its_element() -> None:
    wire, content = picture(torch.arange(512.0))

    assert (wire["rows"], wire["columns"]) == (16, 32)
    assert (wire["row_axis"], wire["column_axis"]) == (0, 0)
    assert (wire["row_step"], wire["column_step"]) == (32, 1)
    assert values_of(content)[3 * 32 + 5] == 101.0


def test_long_vector_of_prime_length_is_thinned_out_in_one_row() -> None:
    wire, content = picture(torch.arange(1009.0))

    assert (wire["rows"], wire["columns"], wire["column_step"]) == (1, 253, 4)
    assert values_of(content)[:3] == [0.0, 4.0, 8.0]


def test_images_show_the_last_two_axes_of_the_chosen_sample_and_channel() -> None:
    images = torch.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)

    wire, content = picture(images, index=[1, 2, 9, 9])

    assert (wire["row_axis"], wire["column_axis"], wire["index"]) == (2, 3, [1, 2, 0, 0])
    assert values_of(content) == images[1, 2].flatten().tolist()


def test_axes_can_be_any_two_in_any_order() -> None:
    images = torch.arange(2 * 3 * 4.0).reshape(2, 3, 4)

    wire, content = picture(images, row_axis=2, column_axis=0, index=[0, 1, 0])

    assert (wire["rows"], wire["columns"]) == (4, 2)
    assert values_of(content) == [4.0, 16.0, 5.0, 17.0, 6.0, 18.0, 7.0, 19.0]


def test_large_slice_is_thinned_out_to_at_most_256_each_way() -> None:
    wire, content = picture(torch.arange(1000.0).reshape(1000, 1).expand(1000, 300))

    assert (wire["rows"], wire["columns"]) == (250, 150)
    assert (wire["row_step"], wire["column_step"]) == (4, 2)
    assert values_of(content)[150] == 4.0


@pytest.mark.parametrize(
    ("tensor", "shown", "note"),
    [
        (torch.tensor([[True, False]]), [1.0, 0.0], ""),
        (torch.tensor([[7, -3]]), [7.0, -3.0], ""),
        (torch.tensor([[1.5, 2.5]], dtype=torch.bfloat16), [1.5, 2.5], ""),
        (torch.tensor([[3 + 4j, 0j]]), [5.0, 0.0], "magnitude"),
        (SPARSE, [0.0, 2.0], "sparse, written out"),
        (torch.tensor([[1e300, -1e300]], dtype=torch.float64), [3.4028234663852886e38, -3.4028234663852886e38], ""),
    ],
)
def test_other_types_are_shown_as_numbers(tensor: torch.Tensor, shown: list[float], note: str) -> None:
    wire, content = picture(tensor)

    assert values_of(content) == shown
    assert wire["note"] == note


def test_values_that_are_not_finite_are_sent_as_such_and_do_not_spoil_the_range() -> None:
    wire, content = picture(torch.tensor([[math.nan, math.inf, -4.0, 2.0]]))

    assert str(values_of(content)) == "[nan, inf, -4.0, 2.0]"
    assert wire["high"] == pytest.approx(3.94)
    assert wire["low"] == -wire["high"]


def test_range_leaves_out_the_outermost_hundredth() -> None:
    numbers = torch.linspace(0, 100, 101).reshape(1, 101)
    numbers[0, 100] = 1e6

    wire, _ = picture(numbers)

    assert (wire["low"], wire["high"]) == (-99.0, 99.0)


@pytest.mark.parametrize("tensor", [torch.zeros(3, 3), torch.full((2, 2), math.nan)])
def test_range_is_never_empty(tensor: torch.Tensor) -> None:
    wire, _ = picture(tensor)

    assert (wire["low"], wire["high"]) == (-1.0, 1.0)


def test_tensor_that_requires_grad_is_shown_and_stays_as_it_is() -> None:
    weight = torch.nn.Parameter(torch.ones(2, 2))

    _, content = picture(weight)

    assert values_of(content) == [1.0, 1.0, 1.0, 1.0]
    assert weight.requires_grad
    assert weight.grad is None


@pytest.mark.parametrize(
    ("tensor", "options", "message"),
    [
        (torch.zeros(0, 3), {}, r"A tensor of shape \(0, 3\) has no elements to draw."),
        (torch.zeros(2, 3), {"row_axis": 1, "column_axis": 1}, "two different axes from 0 to 1"),
        (torch.zeros(2, 3), {"row_axis": 5}, "rows along axis 5"),
        (torch.zeros(2, 3, 4), {"index": [2, 0, 0]}, "Axis 0 .* has positions 0 to 1, not 2"),
        (torch.zeros(2, 3, 4), {"index": [1]}, r"needs 3 numbers, got \[1\]"),
        (torch.zeros(2, 3, device="meta"), {}, "A meta tensor .* holds no values"),
        (
            VAST,
            {},
            "25,000,000 elements; it is only drawn up to 16,777,216",
        ),
    ],
)
def test_what_cannot_be_drawn_is_told(tensor: torch.Tensor, options: dict[str, int], message: str) -> None:
    with pytest.raises(HookvizError, match=message):
        picture(tensor, **options)  # type: ignore[arg-type]  # the claim is about wrong types
