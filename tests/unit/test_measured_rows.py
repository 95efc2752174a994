"""Tensors that are measured together have the numbers that each of them has by itself."""

import math
from collections.abc import Sequence

import pytest
import torch

from hookviz.capture.measured_rows import MeasuredRows, measure_row, measure_rows
from hookviz.capture.moments import measure

ROWS = torch.tensor([[1.0, 2.0, 3.0, 6.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 1.0, -1.0, 1.0]])


def rows_of(table: torch.Tensor, totals: Sequence[float | None] | None = None) -> MeasuredRows:
    return measure_rows(table.unbind(), totals or [None] * len(table), table)


def test_each_row_has_its_mean_std_ends_and_norm() -> None:
    rows = rows_of(ROWS)

    assert rows.numbers[0] == pytest.approx((3.0, math.sqrt(14 / 3), 1.0, 6.0, math.sqrt(50)))
    assert rows.numbers[1] == (0.0, 0.0, 0.0, 0.0, 0.0)
    assert rows.numbers[2] == pytest.approx((0.0, math.sqrt(4 / 3), -1.0, 1.0, 2.0))


def test_moments_tell_what_the_numbers_tell_and_what_the_tensor_was() -> None:
    moments = rows_of(ROWS).moments(0)

    assert (moments.shape, moments.dtype, moments.device, moments.numel, moments.count) == (
        (4,),
        "float32",
        "cpu",
        4,
        4,
    )
    assert (moments.mean, moments.max, moments.nans, moments.infs) == (3.0, 6.0, 0, 0)
    assert moments.sample is not None
    assert moments.sample.tolist() == [1, 2, 3, 6]


def test_sums_that_are_known_are_not_asked_again() -> None:
    rows = rows_of(ROWS, [12.0, 0.0, 0.0])

    assert [numbers[0] for numbers in rows.numbers] == [3.0, 0.0, 0.0]


def test_a_row_that_is_not_finite_is_told_from_the_others() -> None:
    table = ROWS.clone()
    table[2, 1] = math.nan
    table[0, 3] = math.inf
    rows = rows_of(table)

    assert [rows.is_finite(row) for row in range(3)] == [False, True, False]
    assert [(rows.moments(row).nans, rows.moments(row).infs) for row in range(3)] == [(0, 1), (0, 0), (1, 0)]


def test_a_spread_that_is_small_beside_the_mean_keeps_its_digits() -> None:
    table = torch.stack([10_000 + torch.arange(4.0) / 1024] * 3)

    std = rows_of(table).numbers[0][1]

    assert std == pytest.approx(table[0].double().std().item(), rel=1e-6)


def test_one_element_has_no_std() -> None:
    assert rows_of(torch.ones(3, 1)).numbers == [(1.0, None, 1.0, 1.0, 1.0)] * 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("scale", [1.0, 1e-25, 1e25])
def test_a_row_by_itself_has_the_numbers_that_it_has_among_others(dtype: torch.dtype, scale: float) -> None:
    table = (torch.linspace(-1, 3, 30_000, dtype=torch.float64) * scale).to(dtype).reshape(3, 10_000)

    together, (alone, sums) = rows_of(table).moments(1), measure_row(table[1])
    by_itself = measure(table[1], with_sample=False)

    moments = alone.moments(0)
    for one in (together, moments):
        assert one.mean == pytest.approx(by_itself.mean, rel=1e-5)
        assert one.std == pytest.approx(by_itself.std, rel=1e-4)
        assert (one.min, one.max, one.nans, one.infs) == (by_itself.min, by_itself.max, 0, 0)
        assert one.norm == pytest.approx(by_itself.norm, rel=1e-5)
    assert sums.sum().item() == pytest.approx(table[1].double().sum().item(), rel=1e-4)


def test_squares_beyond_the_range_of_the_type_give_true_numbers_and_no_warning() -> None:
    rows, _ = measure_row(torch.tensor([3e30, -3e30] * 10_000))

    assert rows.is_finite(0)
    assert rows.moments(0).std == pytest.approx(3e30, rel=1e-4)
    assert rows.moments(0).norm == pytest.approx(3e30 * math.sqrt(20_000), rel=1e-5)


@pytest.mark.parametrize(("bad", "counts"), [(math.nan, (1, 0)), (math.inf, (0, 1)), (-math.inf, (0, 1))])
def test_a_row_by_itself_that_is_not_finite_is_told(bad: float, counts: tuple[int, int]) -> None:
    values = torch.ones(20_000)
    values[7] = bad
    rows, _ = measure_row(values)

    assert not rows.is_finite(0)
    assert (rows.moments(0).nans, rows.moments(0).infs) == counts


def test_a_permuted_tensor_is_measured_where_it_lies() -> None:
    values = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
    rows, sums = measure_row(values)

    assert (rows.shape, sums.sum().item()) == ((4, 2, 3), 276.0)
    assert rows.numbers[0][2:4] == (0.0, 23.0)


def test_many_equal_elements_do_not_round_the_spread_away() -> None:
    # As a 1×1 convolution of constants returns: each channel has one value.
    values = torch.rand(20, generator=torch.Generator().manual_seed(0)).repeat_interleave(4_096)
    rows, _ = measure_row(values)

    assert rows.moments(0).std == pytest.approx(values.double().std().item(), rel=2e-5)
    assert rows.moments(0).norm == pytest.approx(values.double().norm().item(), rel=2e-5)
