"""Statistics of a tensor as they are shown: its moments, and what is made of it when somebody looks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from hookviz.capture.histogram import Histogram, histogram_of, histograms_of
from hookviz.capture.moments import Moments, settle, stride
from hookviz.capture.numbers import flat, real_values
from hookviz.hooks.shape_text import shape_text

LOOK = 16_384
"""From how many elements of a kept tensor its histogram is made."""

AT_ONCE = 65_536
"""So many elements of several copies are summarised together; they fit into the cache."""


@dataclass(frozen=True, slots=True)
class TensorSummary:
    """What can be said of a tensor without its values. None where a number is not defined; ``note`` says why.

    ``std`` divides by n - 1 as ``torch.std`` does. A tensor with NaN has a NaN mean, as in PyTorch.
    ``zeros`` is scaled up from a sample where the tensor was not kept; ``zeros_sampled`` then says so.
    Of complex tensors, the statistics are those of the magnitudes; of sparse ones, of the stored values.
    """

    shape: tuple[int, ...]
    dtype: str
    device: str
    numel: int
    mean: float | None = None
    std: float | None = None
    min: float | None = None
    max: float | None = None
    norm: float | None = None
    zeros: int | None = None
    nans: int | None = None
    infs: int | None = None
    histogram: Histogram | None = None
    note: str = ""
    zeros_sampled: bool = False

    def __repr__(self) -> str:
        """All but the histogram, of which ``histogram`` has the counts."""
        numbers = {name: getattr(self, name) for name in ("mean", "std", "min", "max", "norm")}
        words = [f"{name} {number:.4g}" for name, number in numbers.items() if number is not None]
        words += [f"{name} {count}" for name in ("zeros", "nans", "infs") if (count := getattr(self, name))]
        told = ", ".join([*words, *filter(None, [self.note])])
        kind = f" {shape_text(self.shape)} {self.dtype}" if self.dtype else ""
        return f"<TensorSummary{kind}{': ' if told else ''}{told}>"


def summarize(moments: Moments, kept: torch.Tensor | None) -> TensorSummary:
    """The whole summary: the moments, and what the kept tensor or else the sample adds to them."""
    settle([moments])
    histogram, zeros, zeros_sampled = None, None, False
    values = real_values(kept)[0] if kept is not None else moments.sample
    if values is not None and moments.count:
        histogram = histogram_of(values if kept is None else _looked_at(values), moments.count)
        zeros_sampled = kept is None and len(values) < moments.count
        zeros = round(int((values == 0).sum()) / len(values) * moments.count)
    elif moments.count == 0 and moments.nans == 0:
        zeros = 0
    return _summary(moments, histogram, zeros, zeros_sampled=zeros_sampled)


def summarize_rows(measured: Sequence[Moments], copies: Sequence[torch.Tensor]) -> list[TensorSummary]:
    """Those of tensors of one shape and type, which all ``can_wait`` and were measured; those of ``summarize``."""
    zeros: list[int] = []
    histograms: list[Histogram | None] = []
    with torch._C.DisableTorchFunction(), torch.no_grad():
        numel = copies[0].numel()
        for table in _tables(copies):
            # As in ``zeros_in``: a third of the time that PyTorch takes.
            zeros += [int(np.count_nonzero(row)) for row in table.numpy() == 0]
            if numel <= LOOK:
                histograms += histograms_of(table, numel)
        if numel > LOOK:
            for table in _tables([_looked_at(flat(copy)) for copy in copies]):
                histograms += histograms_of(table, numel)
    return [_summary(*each, zeros_sampled=False) for each in zip(measured, histograms, zeros, strict=True)]


def _looked_at(values: torch.Tensor) -> torch.Tensor:
    return values[:: stride(len(values), LOOK)]


def _tables(copies: Sequence[torch.Tensor]) -> Iterator[torch.Tensor]:
    """Some copies at a time, each as the row of a matrix."""
    size = max(1, AT_ONCE // copies[0].numel())
    for start in range(0, len(copies), size):
        chunk = torch.stack(tuple(copies[start : start + size]))
        yield chunk.reshape(len(chunk), -1)


def _summary(moments: Moments, histogram: Histogram | None, zeros: int | None, *, zeros_sampled: bool) -> TensorSummary:
    return TensorSummary(
        moments.shape,
        moments.dtype,
        moments.device,
        moments.numel,
        moments.mean,
        moments.std,
        moments.min,
        moments.max,
        moments.norm,
        zeros,
        moments.nans,
        moments.infs,
        histogram,
        moments.note,
        zeros_sampled,
    )
