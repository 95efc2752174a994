"""A first look at a tensor in few bytes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

import numpy as np

from hookviz.widget.block import Limits
from hookviz.widget.picture import picture
from hookviz.widget.recording_wire import RecordedPictureWire

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

LIMITS: Final = Limits(side=64, cells=1_728, tiles=12, points=512)
"""A page holds some hundred pictures; twelve heads or maps of twelve by twelve still tell what they look like."""


def recorded_picture(
    tensor: torch.Tensor, axis_names: Sequence[str] = (), *, is_weight: bool = False
) -> RecordedPictureWire:
    """At most 64 × 64 values to three digits, in the form that the inspector opens with; NaN and infinities stay.

    Args:
        tensor: Any tensor.
        axis_names: See ``picture``.
        is_weight: See ``picture``.

    Raises:
        HookvizError: if the tensor has no picture.
    """
    wire, content = picture(tensor, axis_names=axis_names, is_weight=is_weight, limits=LIMITS)
    numbers = np.frombuffer(content, dtype="<f8" if wire["is_wide"] else "<f4").astype(np.float64)
    scale = float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)) or 1.0
    halves = (numbers / scale).astype("<f2")
    values = base64.b64encode(halves.tobytes()).decode("ascii")
    return {**wire, "is_wide": False, "is_rounded": True, "scale": scale, "values": values}
