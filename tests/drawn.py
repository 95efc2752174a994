"""The picture of a tensor, and its values."""

import numpy as np
import torch

from hookviz.widget.block import Wanted
from hookviz.widget.picture import picture
from hookviz.widget.picture_wire import Part, PictureWire


def drawn(
    tensor: torch.Tensor, wanted: Wanted | None = None, part: Part | None = None
) -> tuple[PictureWire, list[float]]:
    """The picture, and its values in the order in which they are sent."""
    wire, content = picture(tensor, wanted or Wanted(), part=part)
    return wire, np.frombuffer(content, dtype="<f8" if wire["is_wide"] else "<f4").tolist()
