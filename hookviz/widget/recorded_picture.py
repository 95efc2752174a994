"""A first slice of a tensor in few bytes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

import numpy as np

from hookviz.widget.picture import picture
from hookviz.widget.recording_wire import RecordedPictureWire

if TYPE_CHECKING:
    import torch

MAX_SIDE: Final = 64


def recorded_picture(tensor: torch.Tensor) -> RecordedPictureWire:
    """At most 64 rows and columns, to three digits; NaN and infinities stay what they are.

    Raises:
        HookvizError: if the tensor has no 2-d slice.
    """
    wire, values = picture(tensor, max_side=MAX_SIDE)
    numbers = np.frombuffer(values, dtype="<f4").astype(np.float64)
    scale = float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)) or 1.0
    halves = (numbers / scale).astype("<f2")
    return {**wire, "scale": scale, "values": base64.b64encode(halves.tobytes()).decode("ascii")}
