"""Captures of tensors of one shape are measured and summarised together, which is faster than one by one."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING

import torch

from hookviz.capture.copies import Block
from hookviz.capture.measured_rows import measure_rows
from hookviz.capture.moments import Moments, can_wait
from hookviz.capture.summary import summarize_rows

if TYPE_CHECKING:
    from hookviz.capture.capture import Capture


# What follows looks into captures, as a part of theirs: of each run, all of them pass here.


def measure_together(captures: Iterable[Capture]) -> None:
    """Measure those that were not yet."""
    waiting: dict[object, list[tuple[Capture, torch.Tensor, int]]] = {}
    # Calls share captures: each once.
    for capture in dict.fromkeys(captures):
        kept, place = capture._kept, capture._place
        if kept is None or capture.is_measured:
            continue
        if place is not None:
            block, row = place
            waiting.setdefault(block, []).append((capture, kept, row))
        else:
            with torch._C.DisableTorchFunction():
                waiting.setdefault((kept.shape, kept.dtype), []).append((capture, kept, 0))
    for kind, group in waiting.items():
        table = None
        if type(kind) is Block:
            # Gradients come in the other order, beside the outputs.
            group.sort(key=itemgetter(2))
            table = _side_by_side(kind, group)
        rows = measure_rows([kept for _, kept, _ in group], [capture._total for capture, _, _ in group], table)
        for row, (capture, _, _) in enumerate(group):
            capture._measured = rows, row


def pending_of(captures: Iterable[Capture]) -> list[Moments]:
    """Those numbers that still lie on another device."""
    return [
        capture._moments
        for capture in captures
        if capture._moments is not None and capture._moments.pending is not None
    ]


def summarize_together(captures: Iterable[Capture]) -> None:
    """Make the summaries of those that have none, for a picture that shows them all."""
    waiting: dict[tuple[torch.Size, torch.dtype], list[tuple[Capture, torch.Tensor]]] = {}
    with torch._C.DisableTorchFunction():
        for capture in dict.fromkeys(captures):
            kept = capture._kept
            if capture._summary is None and kept is not None and can_wait(kept):
                waiting.setdefault((kept.shape, kept.dtype), []).append((capture, kept))
    for group in waiting.values():
        found = summarize_rows([capture.moments for capture, _ in group], [kept for _, kept in group])
        for (capture, _), summary in zip(group, found, strict=True):
            capture._summary = summary


def _side_by_side(block: Block, group: list[tuple[Capture, torch.Tensor, int]]) -> torch.Tensor | None:
    """The part of a block that these fill, in the order of its rows; None if there is a gap between them."""
    first, last = group[0][2], group[-1][2]
    return block.table[first : last + 1] if last - first + 1 == len(group) else None
