"""How far one step of training moved the parameters: a sample of each, before the run and after its step.

The ratio of an update to its weight, about 0.001 where training goes well, is told by Andrej Karpathy,
https://cs231n.github.io/neural-networks-3/#ratio.
"""

from __future__ import annotations

import functools
import itertools
import math
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hookviz.capture.moments import stride
from hookviz.capture.store import quiet

SAMPLE = 256
"""So many elements of a parameter are compared at most. Of a norm they give some 5 %, which is enough for its size."""


@dataclass(frozen=True, slots=True)
class Move:
    """What became of one trainable parameter between the beginning of a run and that of the next."""

    module: str
    name: str
    change: float
    """Norm of what was added to it; 0 if none of the elements in the sample changed."""
    norm: float
    """Norm of the parameter before."""
    is_written: bool
    """Whether something wrote into it, equal values included."""
    has_gradient: bool
    """Whether its ``grad`` is there afterwards."""


class ParameterSample:
    """Some elements of each trainable parameter, as they were when it was made. Holds no parameter alive."""

    def __init__(self, modules: Iterable[tuple[str, nn.Module]]) -> None:
        self._places: list[tuple[str, str, weakref.ref[nn.Parameter], int]] = []
        parameters = []
        with quiet():
            for path, module in modules:
                for name, parameter in module._parameters.items():
                    if parameter is not None and _is_plain(parameter):
                        self._places.append((path, name, weakref.ref(parameter), parameter._version))
                        parameters.append(parameter)
            self._values = _values(parameters)

    def is_that_of(self, other: ParameterSample) -> bool:
        """Whether both are of the same parameters, and nothing differs between them."""
        return (
            np.array_equal(self._values, other._values)
            and len(self._places) == len(other._places)
            and all(own[2]() is its[2]() for own, its in zip(self._places, other._places, strict=True))
        )

    def parameters(self) -> Iterator[nn.Parameter]:
        """The parameters that are sampled, as far as they are still there."""
        return (parameter for _, _, reference, _ in self._places if (parameter := reference()) is not None)

    def moves(self) -> list[Move]:
        """How the parameters differ now; empty if one of them is gone, or was made anew."""
        with quiet():
            return self._moves()

    def _moves(self) -> list[Move]:
        now = list(self.parameters())
        if not now or len(now) < len(self._places) or not all(map(_is_plain, now)):
            return []
        last = _values(now)
        if len(last) != len(self._values):
            return []
        counts = [_count(parameter.numel())[0] for parameter in now]
        bounds = np.cumsum([0, *counts[:-1]])
        with np.errstate(all="ignore"):
            changes = np.add.reduceat(np.square(last - self._values), bounds).tolist()
            squares = np.add.reduceat(np.square(self._values), bounds).tolist()
        return [
            Move(
                path,
                name,
                math.sqrt(change * parameter.numel() / count),
                math.sqrt(square * parameter.numel() / count),
                is_written=change > 0 or parameter._version != version,
                has_gradient=parameter.grad is not None,
            )
            for (path, name, _, version), parameter, count, change, square in zip(
                self._places, now, counts, changes, squares, strict=True
            )
        ]


def update_ratios(moves: Iterable[Move]) -> dict[str, float]:
    """For each module, how far its parameters moved, over their norm before: |w' - w| / |w|, all of them together.

    A module whose parameters were all 0 has none.
    """
    sums: dict[str, tuple[float, float]] = {}
    for move in moves:
        change, square = sums.get(move.module, (0.0, 0.0))
        sums[move.module] = change + move.change**2, square + move.norm**2
    return {module: math.sqrt(change / square) for module, (change, square) in sums.items() if square > 0}


def _is_plain(parameter: nn.Parameter) -> bool:
    """Whether its memory can be read as it lies there: no lazy, distributed or quantized parameter."""
    return (
        type(parameter) is nn.Parameter
        and parameter.requires_grad
        and parameter.layout is torch.strided
        and parameter.is_floating_point()
        and not parameter.is_meta
        and parameter.numel() > 0
        and parameter.is_leaf
    )


@functools.cache
def _count(numel: int) -> tuple[int, int]:
    """How many elements of so many are compared, and how far they lie apart."""
    step = stride(numel, SAMPLE)
    return -(-numel // step), step


def _values(parameters: list[nn.Parameter]) -> NDArray[np.float64]:
    """Elements of all of them in a row, those of one type and device in one transfer."""
    pieces: list[NDArray[np.float64]] = []
    for _, several in itertools.groupby(parameters, lambda parameter: (parameter.device, parameter.dtype)):
        pieces.append(torch.cat([_row(parameter) for parameter in several]).double().cpu().numpy())
    return np.concatenate(pieces) if pieces else np.empty(0)


def _row(parameter: nn.Parameter) -> torch.Tensor:
    count, step = _count(parameter.numel())
    if parameter.is_contiguous():
        return parameter.as_strided((count,), (step,))
    return parameter.reshape(-1)[::step]
