"""How the values of a tensor are spread: counts in equal bins, of one tensor or of many at once."""

import math
from dataclasses import dataclass

import torch

BINS = 32


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of ``sampled`` of ``of`` elements in equal bins from ``low`` to ``high``, finite ones only."""

    low: float
    high: float
    counts: tuple[int, ...]
    sampled: int
    of: int


def histogram_of(values: torch.Tensor, of: int) -> Histogram | None:
    """The histogram of a flat tensor; None where nothing in it is finite."""
    values = values.double().cpu()
    finite, low, high = values, float(values.amin()), float(values.amax())
    if not math.isfinite(high - low):
        finite = values[values.isfinite()]
        if not len(finite):
            return None
        low, high = float(finite.amin()), float(finite.amax())
    if low == high:
        return Histogram(low, high, (len(finite),), len(values), of)
    if math.isfinite(high - low):
        # Half of the time of the bins below.
        counts = torch.histc(finite, BINS, low, high).long()
        return Histogram(low, high, tuple(counts.tolist()), len(values), of)
    # Scaled before the bins are found, since the difference of extremes is infinite.
    places = ((finite / 2 - low / 2) / (high / 2 - low / 2) * BINS).long().clamp(0, BINS - 1)
    counts = torch.bincount(places, minlength=BINS)
    return Histogram(low, high, tuple(counts.tolist()), len(values), of)


def histograms_of(rows: torch.Tensor, of: int) -> list[Histogram | None]:
    """Those of the rows of a matrix, in a third of the time that they take one by one."""
    count, length = rows.shape
    # A copy, also of doubles: it is worked on in place, which takes half of the time.
    exact = rows.to(torch.float64, copy=True)
    lows, highs = exact.amin(1, keepdim=True), exact.amax(1, keepdim=True)
    # Rows with NaN, infinities or one value only are left to the function above.
    places = exact.sub_(lows).div_(highs - lows).mul_(BINS).int().clamp_(0, BINS - 1)
    places += torch.arange(0, count * BINS, BINS, dtype=torch.int32).unsqueeze(1)
    counts = torch.bincount(places.flatten(), minlength=count * BINS).view(count, BINS).tolist()
    return [
        Histogram(low, high, tuple(row_counts), length, of)
        if 0.0 < high - low < math.inf
        else histogram_of(rows[number], of)
        for number, (low, high, row_counts) in enumerate(
            zip(lows.flatten().tolist(), highs.flatten().tolist(), counts, strict=True)
        )
    ]
