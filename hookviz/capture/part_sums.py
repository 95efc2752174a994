"""Sums of the parts of a tensor: its sum, and what tells whether it still holds the same."""

from __future__ import annotations

from typing import Final

import torch

PART: Final = 64
"""So many neighbours are summed up: of fewer, the sums would take longer to make."""


def part_sums(row: torch.Tensor) -> torch.Tensor:
    """The sums of each ``PART`` elements of a row, and the elements that are left over at its end.

    They take little longer than one sum of all. Each of them is made by one thread, so that they are the same to the
    last bit whatever the number of threads, which a sum of all is not. A write shows in them unless it only exchanges
    elements of a part or is too small to change its sum; beside a NaN no write does.
    """
    end = row.numel() // PART * PART
    if end == row.numel():
        return row.view(-1, PART).sum(1)
    return torch.cat([row[:end].view(-1, PART).sum(1), row[end:]])
