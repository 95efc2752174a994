"""Which units of an activation were ever active, and how much of it lies at the ends of its range."""

from __future__ import annotations

from collections import deque

import numpy as np
import torch
from numpy.typing import NDArray

from hookviz.health.activations import Dying
from hookviz.health.thresholds import DEAD_BEFORE_GELU, SMOOTH_ZERO

FEW = 8_192
"""So few tell of most units already that they are active; only where they do not, more are looked at."""

LOOK = 65_536
"""So many elements of an activation are looked at in a run; of larger ones, every n-th row or column."""


class Units:
    """For each unit of one call the last run in which it was active."""

    def __init__(self, dying: Dying, width: int, step: int) -> None:
        self.dying = dying
        self.width = width
        self._last_alive: NDArray[np.int64] = np.full(width, step - 1, dtype=np.int64)
        self._looks: deque[tuple[int, int]] = deque(maxlen=1_000)
        """Step and number of values of each unit."""

    def look(self, value: torch.Tensor, axis: int, step: int) -> None:
        """Look at what the call returned in a run; under ``quiet``."""
        seen = thinned(value, axis)
        self._last_alive[_is_alive(seen, axis, self.dying)] = step
        if not self._looks or self._looks[-1][0] < step:
            self._looks.append((step, seen.numel() // max(self.width, 1)))

    def dead(self, since: int) -> tuple[int, int, int, int]:
        """How many units were not active in any run from a step on, of how many; and values of each, and first step."""
        looks = [(step, count) for step, count in self._looks if step >= since]
        if not looks:
            return 0, self.width, 0, since
        first = looks[0][0]
        return int((self._last_alive < first).sum()), self.width, sum(count for _, count in looks), first


def thinned(value: torch.Tensor, axis: int | None, most: int = LOOK) -> torch.Tensor:
    """At most about so many elements of a tensor, with every position of ``axis``."""
    while value.numel() > most:
        sizes = [size if other != axis else 1 for other, size in enumerate(value.shape)]
        largest = max(sizes, default=1)
        if largest < 2:
            break
        other = sizes.index(largest)
        step = min(largest, -(-value.numel() // most))
        cut = [slice(None)] * value.dim()
        cut[other] = slice(None, None, step)
        value = value[tuple(cut)]
    return value


def _is_alive(value: torch.Tensor, axis: int, dying: Dying) -> NDArray[np.bool_]:
    if value.numel() <= 4 * FEW:
        return _is_any_alive(value, axis, dying)
    is_alive = _is_any_alive(thinned(value, axis, FEW), axis, dying)
    unsure = np.flatnonzero(~is_alive)
    if len(unsure):
        rest = value.index_select(axis, torch.from_numpy(unsure).to(value.device))
        is_alive[unsure] = _is_any_alive(rest, axis, dying)
    return is_alive


def _is_any_alive(value: torch.Tensor, axis: int, dying: Dying) -> NDArray[np.bool_]:
    others = [other for other in range(value.dim()) if other != axis]
    top = _numbers(value.amax(others) if others else value)
    # Of a NaN nobody knows: it counts as alive, hence the negations.
    if dying == "before gelu":
        return ~(top <= DEAD_BEFORE_GELU)
    if dying == "smooth":
        low = _numbers(value.amin(others) if others else value)
        return ~((top <= SMOOTH_ZERO) & (low >= -SMOOTH_ZERO))
    return ~(top <= 0)


def _numbers(values: torch.Tensor) -> NDArray[np.float64]:
    # A copy, as NumPy leaves a trace on memory that it shares: nobody could resize it any more.
    return values.to("cpu", torch.float64, copy=True).numpy()
