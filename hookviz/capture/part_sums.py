"""Sums of the parts of a tensor: its sum, and what tells whether it still holds the same."""

from __future__ import annotations

from typing import Final

import torch

PARTS: Final = 1_024
"""So many sums are made of a tensor, each of at most 128 neighbours in a tensor of 131,072 elements."""


def part_sums(row: torch.Tensor) -> torch.Tensor:
    """The sums of ``PARTS`` stretches of a row, and the elements that are left over at its end.

    They take as long as one sum of all. Each of them is made by one thread, so that they are the same to the last bit
    whatever the number of threads, which a sum of all is not. A write shows in them unless it is too small to change
    the sum of its part; beside a NaN no write does.
    """
    size = row.numel() // PARTS
    end = PARTS * size
    if end == row.numel():
        return row.view(PARTS, size).sum(1)
    return torch.cat([row[:end].view(PARTS, size).sum(1), row[end:]])
