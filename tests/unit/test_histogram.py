"""Histograms count into equal bins, and those of many tensors at once are what each has by itself."""

import math

import pytest
import torch

from hookviz.capture.capture import Capture
from hookviz.capture.histogram import histogram_of, histograms_of
from hookviz.capture.moments import measure
from hookviz.capture.summary import summarize
from hookviz.capture.together import summarize_together

USUAL = [0.0, 1.0, 1.0, 16.0, 32.0]
ROWS = [
    USUAL,
    [-1.0, -0.5, 0.0, 0.5, 1.0],
    [2.0] * 5,
    [math.nan, 1.0, 2.0, 2.0, 3.0],
    [math.inf, 1.0, 2.0, 2.0, -math.inf],
    [math.nan] * 5,
    [1e308, -1e308, 0.0, 0.0, 0.0],
    [0.0, 1e-300, 2e-300, 3e-300, 4e-300],
]


def test_rows_have_the_histograms_that_they_have_by_themselves() -> None:
    rows = torch.tensor(ROWS, dtype=torch.float64)

    found = histograms_of(rows, 7)

    assert found == [histogram_of(row, 7) for row in rows]


def test_greatest_value_counts_into_the_last_bin() -> None:
    (found,) = histograms_of(torch.tensor([USUAL]), 5)

    assert found is not None
    assert (found.low, found.high, found.sampled, found.of) == (0.0, 32.0, 5, 5)
    assert found.counts == (1, 2, *(0,) * 14, 1, *(0,) * 14, 1)


@pytest.mark.parametrize("length", [5, 40_000])
def test_captures_have_the_summaries_that_they_have_by_themselves(length: int) -> None:
    torch.manual_seed(0)
    values = [torch.tensor(row).repeat(length // 5) for row in ROWS]
    together = [Capture(None, value.clone(), "") for value in values]
    alone = [Capture(None, value.clone(), "") for value in values]

    summarize_together(together)

    # NaN differs from itself, but not its name.
    assert [repr(capture._summary) for capture in together] == [repr(capture.summary) for capture in alone]


def test_what_is_not_kept_or_no_float_is_left_to_who_asks_for_it() -> None:
    sparse = Capture(None, torch.eye(3).to_sparse(), "")
    whole = Capture(None, torch.arange(3), "")

    summarize_together([sparse, whole])

    assert (sparse._summary, whole._summary) == (None, None)
    assert whole.summary.mean == 1.0


def test_a_histogram_counts_into_equal_bins() -> None:
    tensor = torch.linspace(0.0, 31.0, 32)

    histogram = summarize(measure(tensor, with_sample=False), tensor).histogram

    assert histogram is not None
    assert (histogram.low, histogram.high, histogram.counts) == (0.0, 31.0, (1,) * 32)


def test_a_histogram_of_one_value_has_one_bin() -> None:
    tensor = torch.full((9,), 2.0)

    histogram = summarize(measure(tensor, with_sample=False), tensor).histogram

    assert histogram is not None
    assert (histogram.low, histogram.high, histogram.counts) == (2.0, 2.0, (9,))


def test_a_histogram_spans_the_extremes_of_float64() -> None:
    tensor = torch.tensor([-1.7e308, 1.7e308], dtype=torch.float64)

    histogram = summarize(measure(tensor, with_sample=False), tensor).histogram

    assert histogram is not None
    assert histogram.counts == (1, *(0,) * 30, 1)


def test_values_on_the_edges_of_bins_count_into_the_upper_one_and_the_greatest_into_the_last() -> None:
    tensor = torch.tensor([0.0, 1.0, 1.0, 16.0, 32.0])

    histogram = summarize(measure(tensor, with_sample=False), tensor).histogram

    assert histogram is not None
    assert histogram.counts == (1, 2, *(0,) * 14, 1, *(0,) * 14, 1)
