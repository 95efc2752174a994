"""Tiny models, one idea each."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class Wired(nn.Module):
    """A model whose forward is written where it is used; its first input is called ``x``."""

    def __init__(self, wiring: Callable[..., Any], **modules: nn.Module) -> None:
        super().__init__()
        self._wiring = wiring
        for name, module in modules.items():
            self.add_module(name, module)

    def forward(self, x: Any, *more: Any, **named: Any) -> Any:
        return self._wiring(self, x, *more, **named)


def wired(wiring: Callable[..., Any], **modules: nn.Module) -> Any:
    """A ``Wired`` that computes ``wiring(model, x)`` with these children."""
    return Wired(wiring, **modules)


def fc() -> nn.Linear:
    """A layer that keeps the shape of 4 columns."""
    return nn.Linear(4, 4)


def row() -> torch.Tensor:
    """One row of ones, which ``fc`` takes."""
    return torch.ones(1, 4)
