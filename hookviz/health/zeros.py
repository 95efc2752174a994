"""How much of what a module returned is 0."""

from __future__ import annotations

import torch

from hookviz.capture.capture import Capture
from hookviz.capture.moments import SAMPLE, stride
from hookviz.capture.numbers import flat, zeros_in

COUNTED = 4_194_304
"""Of so many elements the zeros are counted in about a millisecond; of more, only those of a sample."""


def share_of_zeros(capture: Capture, value: torch.Tensor | None) -> float | None:
    """How much of a value is 0; None where there is nothing to look at.

    Of a tensor that was kept all elements are counted, up to ``COUNTED`` of them; of others a sample.

    Args:
        capture: What was recorded of it.
        value: The tensor, None if it was not kept.
    """
    _, _, least, greatest, _ = capture.numbers
    if least is None or greatest is None:
        return None
    if least > 0 or greatest < 0:
        return 0.0
    if value is None:
        seen = capture.moments.sample
    elif value.layout is torch.strided and not value.is_nested:
        values = flat(value)
        seen = values if len(values) <= COUNTED else values[:: stride(len(values), SAMPLE)]
    else:
        seen = None
    if seen is None or not len(seen) or seen.is_quantized:
        return None
    if seen.dtype.itemsize == 1 and seen.is_floating_point():
        # Of float8 nothing can be counted.
        seen = seen.float()
    return zeros_in(seen) / len(seen)
