"""Statistics agree with float64, whatever the tensor is."""

import math

import pytest
import torch

from hookviz.capture.moments import SAMPLE, Moments, measure, settle, stride
from hookviz.capture.summary import LOOK, summarize


def moments_of(tensor: torch.Tensor) -> Moments:
    return measure(tensor, with_sample=False)


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (1e3, 1.0), (1e4, 0.1), (-1e5, 10.0), (5.0, 1e-3)])
def test_variance_holds_where_the_mean_is_far_larger_than_the_spread(mean: float, std: float) -> None:
    tensor = torch.randn(50_000, generator=torch.Generator().manual_seed(1)) * std + mean
    exact = tensor.double()

    moments = moments_of(tensor)

    assert moments.mean == pytest.approx(float(exact.mean()), rel=1e-6, abs=1e-5)
    assert moments.std == pytest.approx(float(exact.std()), rel=1e-3)
    assert moments.norm == pytest.approx(float(exact.norm()), rel=1e-5)


def test_a_constant_tensor_has_no_spread() -> None:
    moments = moments_of(torch.full((10_000,), 1234.5))

    assert (moments.mean, moments.min, moments.max) == (1234.5, 1234.5, 1234.5)
    assert moments.std == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32, torch.uint8]
)
def test_all_real_kinds_have_the_same_numbers(dtype: torch.dtype) -> None:
    moments = moments_of(torch.tensor([1, 2, 3, 6], dtype=dtype))

    assert (moments.mean, moments.min, moments.max, moments.nans, moments.infs) == (3.0, 1.0, 6.0, 0, 0)
    assert moments.std == pytest.approx(2.160247, rel=1e-6)
    assert moments.norm == pytest.approx(7.071068, rel=1e-6)


def test_a_half_tensor_whose_sum_is_too_large_for_its_type_is_summed_in_a_wider_one() -> None:
    moments = moments_of(torch.full((1000,), 60_000.0, dtype=torch.float16))

    assert (moments.mean, moments.infs) == (60_000.0, 0)


def test_bools_have_the_share_of_true_as_their_mean() -> None:
    moments = moments_of(torch.tensor([True, False, False, False]))

    assert (moments.mean, moments.min, moments.max, moments.dtype) == (0.25, 0.0, 1.0, "bool")


def test_complex_tensors_have_the_statistics_of_their_magnitudes() -> None:
    moments = moments_of(torch.tensor([3 + 4j, 0j]))

    assert (moments.mean, moments.max, moments.note) == (2.5, 5.0, "complex tensor: statistics of the magnitudes")


def test_sparse_tensors_have_the_statistics_of_what_they_store() -> None:
    moments = moments_of(torch.tensor([0.0, 0.0, 2.0, 4.0]).to_sparse())

    assert (moments.shape, moments.numel, moments.count, moments.mean) == ((4,), 4, 2, 3.0)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_nested_tensor_has_a_minus_one_where_sizes_differ() -> None:
    moments = moments_of(torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)]))

    assert (moments.shape, moments.count, moments.mean) == ((2, -1, 3), 18, 1.0)


def test_a_meta_tensor_has_a_shape_and_nothing_else() -> None:
    summary = summarize(moments_of(torch.empty(2, 3, device="meta")), None)

    assert (summary.shape, summary.dtype, summary.device, summary.numel) == ((2, 3), "float32", "meta", 6)
    assert (summary.mean, summary.std, summary.min, summary.zeros, summary.nans) == (None, None, None, None, None)
    assert summary.note == "holds no values: shape and dtype only (meta or fake tensor)"


def test_an_empty_tensor_has_no_mean_but_counts_of_zero() -> None:
    tensor = torch.empty(0, 4)

    summary = summarize(moments_of(tensor), tensor)

    assert (summary.shape, summary.numel, summary.zeros, summary.nans, summary.infs) == ((0, 4), 0, 0, 0, 0)
    assert (summary.mean, summary.std, summary.min, summary.max, summary.histogram) == (None, None, None, None, None)


def test_one_element_has_no_standard_deviation() -> None:
    moments = moments_of(torch.tensor(3.0))

    assert (moments.shape, moments.mean, moments.std, moments.norm) == ((), 3.0, None, 3.0)


def test_a_tensor_of_nans_only_has_no_histogram() -> None:
    tensor = torch.full((5,), math.nan)

    summary = summarize(moments_of(tensor), tensor)

    assert (summary.nans, summary.infs, summary.histogram) == (5, 0, None)
    assert summary.mean is not None
    assert math.isnan(summary.mean)


def test_nans_and_infinities_are_counted_and_left_out_of_the_histogram() -> None:
    tensor = torch.tensor([1.0, math.nan, math.inf, -math.inf, 3.0])

    summary = summarize(moments_of(tensor), tensor)

    assert (summary.nans, summary.infs) == (1, 2)
    assert summary.histogram is not None
    assert (summary.histogram.low, summary.histogram.high, sum(summary.histogram.counts)) == (1.0, 3.0, 2)


def test_values_whose_squares_are_too_large_for_float32_have_finite_statistics() -> None:
    moments = moments_of(torch.tensor([3e38, 3e38, -3e38]))

    assert (moments.nans, moments.infs) == (0, 0)
    assert moments.mean == pytest.approx(1e38, rel=1e-6)
    assert moments.std == pytest.approx(3.4641016e38, rel=1e-6)
    assert moments.norm == pytest.approx(5.1961524e38, rel=1e-6)


def test_values_whose_squares_are_too_small_for_float32_have_a_norm_and_a_spread() -> None:
    moments = moments_of(torch.tensor([1e-30, 3e-30]))

    assert moments.norm == pytest.approx(3.1622777e-30, rel=1e-5, abs=0)
    assert moments.std == pytest.approx(1.4142136e-30, rel=1e-5, abs=0)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor([1.0, 2.0, 3.0, 6.0]),
        torch.tensor([1e4, 1e4 + 1, 1e4 + 2]),
        torch.tensor([1.0, math.nan, math.inf]),
        torch.tensor([3e38, 3e38, -3e38]),
        torch.tensor([1e-30, 3e-30]),
        torch.tensor([5.0]),
        torch.tensor([1, 2, 9]),
    ],
    ids=["plain", "far mean", "not finite", "overflow", "underflow", "single", "integers"],
)
def test_numbers_that_were_left_on_the_device_are_those_that_were_read_at_once(tensor: torch.Tensor) -> None:
    at_once = measure(tensor, with_sample=False, is_deferred=False)
    later = measure(tensor, with_sample=False, is_deferred=True)

    assert later.mean is None
    settle([later])

    assert (later.nans, later.infs, later.pending) == (at_once.nans, at_once.infs, None)
    assert (later.std is None) == (at_once.std is None)
    for name in ("mean", "std", "min", "max", "norm"):
        if getattr(at_once, name) is not None:
            assert getattr(later, name) == pytest.approx(getattr(at_once, name), rel=1e-5, abs=0, nan_ok=True), name


def test_zeros_of_a_kept_tensor_are_counted() -> None:
    tensor = torch.tensor([0.0, 1.0, -0.0, 2.0])

    summary = summarize(moments_of(tensor), tensor)

    assert (summary.zeros, summary.zeros_sampled) == (2, False)


def test_zeros_of_a_tensor_that_is_not_kept_are_scaled_up_from_a_sample() -> None:
    tensor = torch.arange(100_000) % 2

    summary = summarize(measure(tensor.float(), with_sample=True), None)

    assert summary.zeros_sampled
    assert summary.zeros == pytest.approx(50_000, rel=0.02)


def test_a_small_tensor_that_is_not_kept_has_all_its_elements_in_the_sample() -> None:
    summary = summarize(measure(torch.tensor([0.0, 0.0, 4.0]), with_sample=True), None)

    assert (summary.zeros, summary.zeros_sampled) == (2, False)
    assert summary.histogram is not None
    assert (summary.histogram.sampled, summary.histogram.of) == (3, 3)


def test_a_sample_shares_no_memory_with_the_tensor() -> None:
    tensor = torch.zeros(8)
    moments = measure(tensor, with_sample=True)

    tensor.fill_(1.0)

    assert moments.sample is not None
    assert moments.sample.tolist() == [0.0] * 8


@pytest.mark.parametrize("channels", [64, 256, 768, 1000])
@pytest.mark.parametrize("limit", [SAMPLE, LOOK])
def test_the_step_visits_every_channel_and_stays_below_the_limit(channels: int, limit: int) -> None:
    count = channels * 1024

    step = stride(count, limit)

    visited = range(0, count, step)
    assert len(visited) <= limit
    assert {position % channels for position in visited} == set(range(channels))


def test_no_step_is_needed_below_the_limit() -> None:
    assert stride(4096, 4096) == 1


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (
            torch.tensor([[0.0, 3.0, 4.0]]),
            "<TensorSummary 1×3 float32: mean 2.333, std 2.082, min 0, max 4, norm 5, zeros 1>",
        ),
        (
            torch.tensor([1.0, math.nan, math.inf]),
            "<TensorSummary 3 float32: mean nan, std nan, min nan, max nan, norm nan, nans 1, infs 1>",
        ),
        (
            torch.ones(2, device="meta"),
            "<TensorSummary 2 float32: holds no values: shape and dtype only (meta or fake tensor)>",
        ),
    ],
)
def test_it_is_written_in_one_line(tensor: torch.Tensor, text: str) -> None:
    assert repr(summarize(moments_of(tensor), tensor)) == text
