"""What is drawn of a tensor: which elements, of tensors of any shape and type."""

import math
import warnings

import pytest
import torch

from hookviz.errors import HookvizError
from hookviz.widget.block import Wanted
from hookviz.widget.picture import picture
from hookviz.widget.picture_wire import Form, Part
from tests.drawn import drawn

# Made with the checks on: without them, torch warns once per process.
SPARSE = torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.tensor([2.0]), (1, 2), check_invariants=True)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyTorch means to give such tensors up.
    QUANTIZED = torch.quantize_per_tensor(torch.tensor([[1.0, 2.0]]), 0.5, 0, torch.qint8)

VAST = torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0), (5000, 5000), check_invariants=True)


def test_matrix_is_shown_as_it_is() -> None:
    wire, values = drawn(torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]]))

    assert (wire["form"], wire["rows"], wire["columns"]) == ("matrix", 2, 3)
    assert (wire["row_axis"], wire["column_axis"]) == (0, 1)
    assert values == [1.0, -2.0, 3.0, 4.0, 5.0, 6.0]
    assert wire["note"] == ""


def test_single_number_is_one_cell() -> None:
    wire, values = drawn(torch.tensor(2.5))

    assert (wire["rows"], wire["columns"], wire["shape"], wire["index"]) == (1, 1, [], [])
    assert wire["forms"] == ["matrix"]
    assert values == [2.5]


@pytest.mark.parametrize(
    ("shape", "form"),
    [
        ((5,), "line"),
        ((1, 10), "line"),
        ((1,), "matrix"),
        ((3, 10), "matrix"),
        ((8, 5, 16), "matrix"),
        ((4, 5, 5), "grid"),
        ((2, 3, 4, 5), "grid"),
        ((2, 512, 1, 1), "matrix"),
        ((2, 3, 4, 5, 6, 7), "grid"),
    ],
)
def test_form_follows_from_the_shape_where_none_is_asked_for(shape: tuple[int, ...], form: Form) -> None:
    wire, _ = drawn(torch.zeros(shape))

    assert wire["form"] == form
    assert form in wire["forms"]


def test_vector_as_a_line_has_all_its_values() -> None:
    wire, values = drawn(torch.arange(5.0))

    assert (wire["rows"], wire["columns"], wire["column_step"]) == (1, 5, 1)
    assert values == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_long_line_has_the_ends_of_each_stretch_so_that_no_peak_is_lost() -> None:
    vector = torch.zeros(2050)
    vector[1000], vector[1001], vector[1002], vector[2049] = 7.0, -7.0, math.nan, math.inf

    wire, values = drawn(vector)

    assert (wire["rows"], wire["columns"], wire["column_step"]) == (2, 684, 3)
    least, greatest = values[:684], values[684:]
    assert (least[333], greatest[333]) == (-7.0, 7.0)
    assert (least[334], greatest[334]) == (0.0, 0.0)
    # Of the last stretch, the one value there is is not finite.
    assert str([least[683], greatest[683]]) == "[nan, nan]"
    assert (wire["nans"], wire["infs"]) == (1, 1)


def test_row_of_any_tensor_is_a_line_along_the_axis_of_columns() -> None:
    images = torch.arange(2 * 3 * 4.0).reshape(2, 3, 4)

    wire, values = drawn(images, Wanted(form="line", column_axis=1, index=[1, 0, 2]))

    assert values == [14.0, 18.0, 22.0]
    assert (wire["row_axis"], wire["column_axis"], wire["index"]) == (1, 1, [1, 0, 2])


def test_long_vector_as_a_matrix_is_wrapped_and_each_cell_tells_its_element() -> None:
    wire, values = drawn(torch.arange(512.0), Wanted(form="matrix"))

    assert (wire["rows"], wire["columns"]) == (16, 32)
    assert (wire["row_axis"], wire["column_axis"]) == (0, 0)
    assert (wire["row_step"], wire["column_step"]) == (32, 1)
    assert values[3 * 32 + 5] == 101.0


def test_long_vector_of_prime_length_is_thinned_out_in_one_row() -> None:
    wire, values = drawn(torch.arange(1009.0), Wanted(form="matrix"))

    assert (wire["rows"], wire["columns"], wire["column_step"]) == (1, 253, 4)
    assert values[:3] == [0.0, 4.0, 8.0]


def test_matrix_shows_the_last_two_axes_of_the_chosen_sample_and_channel() -> None:
    images = torch.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)

    wire, values = drawn(images, Wanted("matrix", index=[1, 2, 3, 3]))

    assert (wire["row_axis"], wire["column_axis"], wire["index"]) == (2, 3, [1, 2, 0, 0])
    assert values == images[1, 2].flatten().tolist()


def test_axes_can_be_any_two_in_any_order() -> None:
    images = torch.arange(2 * 3 * 4.0).reshape(2, 3, 4)

    wire, values = drawn(images, Wanted("matrix", row_axis=2, column_axis=0, index=[0, 1, 0]))

    assert (wire["rows"], wire["columns"]) == (4, 2)
    assert values == [4.0, 16.0, 5.0, 17.0, 6.0, 18.0, 7.0, 19.0]


def test_large_matrix_is_thinned_out_to_at_most_256_each_way() -> None:
    wire, values = drawn(torch.arange(1000.0).reshape(1000, 1).expand(1000, 300))

    assert (wire["rows"], wire["columns"]) == (250, 150)
    assert (wire["row_step"], wire["column_step"]) == (4, 2)
    assert values[150] == 4.0


def test_not_finite_values_between_the_drawn_rows_are_counted_too() -> None:
    matrix = torch.zeros(1000, 300)
    matrix[1, 1], matrix[4, 2], matrix[5, 5] = math.nan, math.nan, -math.inf

    wire, values = drawn(matrix)

    assert (wire["nans"], wire["infs"]) == (2, 1)
    assert wire["first_bad"] == [1, 1]
    assert sum(map(math.isnan, values)) == 1


def test_first_value_that_is_not_finite_is_found_in_whatever_slice_it_is() -> None:
    maps = torch.zeros(2, 3, 4, 5)
    maps[1, 2, 3, 4] = -math.inf

    wire, _ = drawn(maps)

    assert (wire["nans"], wire["infs"], wire["first_bad"]) == (0, 0, [1, 2, 3, 4])


def test_numbers_whose_sum_alone_is_infinite_are_all_finite() -> None:
    wire, _ = drawn(torch.full((4,), 3e38))

    assert (wire["infs"], wire["first_bad"]) == (0, None)


def test_table_is_the_page_around_the_chosen_place_without_steps() -> None:
    matrix = torch.arange(300 * 100.0).reshape(300, 100)

    wire, values = drawn(matrix, Wanted("table", index=[70, 99]))

    assert (wire["index"], wire["rows"], wire["columns"]) == ([64, 96], 64, 4)
    assert (wire["row_step"], wire["column_step"]) == (1, 1)
    assert values[:5] == [6496.0, 6497.0, 6498.0, 6499.0, 6596.0]


def test_table_of_a_vector_has_one_column() -> None:
    wire, values = drawn(torch.arange(100.0), Wanted("table", index=[64]))

    assert (wire["index"], wire["rows"], wire["columns"]) == ([64], 36, 1)
    assert (values[0], values[-1]) == (64.0, 99.0)


@pytest.mark.parametrize(
    ("tensor", "shown", "note"),
    [
        (torch.tensor([[True, False]]), [1.0, 0.0], ""),
        (torch.tensor([[7, -3]]), [7.0, -3.0], ""),
        (torch.tensor([[1.5, 2.5]], dtype=torch.bfloat16), [1.5, 2.5], ""),
        (torch.tensor([[1.5, 2.5]]).to(torch.float8_e4m3fn), [1.5, 2.5], ""),
        (torch.tensor([[3 + 4j, 0j]]), [5.0, 0.0], ""),
        (QUANTIZED, [1.0, 2.0], "dequantized"),
        (SPARSE, [0.0, 2.0], "sparse, written out"),
        (torch.tensor([[2**60 + 1, 0]]), [float(2**60), 0.0], "whole numbers above 2⁵³ are rounded"),
    ],
)
def test_other_types_are_shown_as_numbers(tensor: torch.Tensor, shown: list[float], note: str) -> None:
    wire, values = drawn(tensor)

    assert values == shown
    assert wire["note"] == note


@pytest.mark.parametrize(("part", "shown"), [("real", 3.0), ("imag", -4.0), ("magnitude", 5.0), (None, 5.0)])
def test_each_part_of_complex_numbers_can_be_shown(part: Part | None, shown: float) -> None:
    wire, values = drawn(torch.tensor([3 - 4j]), part=part)

    assert (values, wire["part"]) == ([shown], part or "magnitude")


@pytest.mark.parametrize(
    ("tensor", "is_wide"),
    [
        (torch.tensor([0.1, 0.2]), False),
        (torch.tensor([0.5, 0.25], dtype=torch.float64), False),
        (torch.tensor([0.1, math.nan], dtype=torch.float64), True),
        (torch.tensor([1e300, math.inf], dtype=torch.float64), True),
        (torch.tensor([2**24, 2**24 + 1]), True),
        (torch.tensor([2**24, 3]), False),
    ],
)
def test_values_are_exact_and_take_eight_bytes_only_where_four_would_round(tensor: torch.Tensor, is_wide: bool) -> None:
    wire, values = drawn(tensor)

    assert wire["is_wide"] is is_wide
    assert str(values) == str([float(each) for each in tensor.tolist()])


def test_tensor_that_requires_grad_is_shown_and_stays_as_it_is() -> None:
    weight = torch.nn.Parameter(torch.ones(2, 2))

    _, values = drawn(weight)

    assert values == [1.0, 1.0, 1.0, 1.0]
    assert weight.requires_grad
    assert weight.grad is None


@pytest.mark.parametrize(
    ("tensor", "wanted", "message"),
    [
        (torch.zeros(0, 3), Wanted(), r"A tensor of shape \(0, 3\) has no elements to draw."),
        (torch.zeros(2, 3), Wanted(row_axis=1, column_axis=1), "two different axes from 0 to 1"),
        (torch.zeros(2, 3), Wanted(row_axis=5), "rows along axis 5"),
        (torch.zeros(2, 3, 4), Wanted(index=[2, 0, 0]), "Axis 0 .* has positions 0 to 1, not 2"),
        (torch.zeros(2, 3, 4), Wanted(index=[1]), r"needs 3 numbers, got \[1\]"),
        (torch.zeros(2, 3), Wanted("grid"), r"\(2, 3\) cannot be shown as a grid, only as matrix, line, table"),
        (
            torch.zeros(3),
            Wanted("grid"),
            "A vector of 3 numbers cannot be shown as a grid, only as line, matrix, table",
        ),
        (torch.zeros(2, 3, 4), Wanted("grid", tile_axis=2), "no grid along axis 2; the axes left for it are 0"),
        (torch.zeros(2, 4, 4, 4), Wanted(color_axis=1), "Axis 1 .* cannot be red, green and blue"),
        (torch.zeros(2, 3, device="meta"), Wanted(), "A meta tensor .* holds no values"),
        (VAST, Wanted(), "25,000,000 elements; it is only drawn up to 16,777,216"),
    ],
)
def test_what_cannot_be_drawn_is_told(tensor: torch.Tensor, wanted: Wanted, message: str) -> None:
    with pytest.raises(HookvizError, match=message):
        picture(tensor, wanted)
