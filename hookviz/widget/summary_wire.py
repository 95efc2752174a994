"""The statistics of one tensor as they cross to the browser; see ``wire``."""

from typing import TypedDict


class HistogramWire(TypedDict):
    """Counts per bin between ``low`` and ``high``; ``sampled`` of ``of`` elements were counted."""

    low: float
    high: float
    counts: list[int]
    sampled: int
    of: int


class SummaryWire(TypedDict):
    """Statistics of one tensor; numbers that could not be had are None, ``note`` says why.

    Not-a-number and infinities travel as the texts ``nan``, ``inf`` and ``-inf``, since JSON has none.
    """

    shape: list[int]
    dtype: str
    device: str
    mean: float | str | None
    std: float | str | None
    min: float | str | None
    max: float | str | None
    norm: float | str | None
    zeros: int | None
    nans: int | None
    infs: int | None
    numel: int
    histogram: HistogramWire | None
    note: str
