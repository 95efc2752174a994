"""Whether gradients are gathered over several runs, or cleared for each."""

from __future__ import annotations

import weakref
from collections.abc import Iterable

import torch
from torch import nn


class GradientWitness:
    """Remembers the ``grad`` of one parameter as a run begins, the first that has one. Holds neither alive."""

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self._parameter: weakref.ref[nn.Parameter] | None = None
        self._grad: weakref.ref[torch.Tensor] | None = None
        self._version = 0
        for parameter in parameters:
            if parameter.grad is not None:
                self._parameter, self._grad = weakref.ref(parameter), weakref.ref(parameter.grad)
                self._version = parameter.grad._version
                return

    def is_gathered(self) -> bool:
        """Whether a backward pass has added to it since, and nobody cleared it.

        Autograd adds in place, which counts as one write; to zero it in place is another.
        """
        parameter = None if self._parameter is None else self._parameter()
        if parameter is None or self._grad is None or parameter.grad is None:
            return False
        return parameter.grad is self._grad() and parameter.grad._version == self._version + 1
