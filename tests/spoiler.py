"""A layer that can be told to spoil its output."""

import torch
from torch import nn


class Spoiler(nn.Module):
    """Gives what it is told to give in place of every number."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 1.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.value


def spoil(model: nn.Module, value: float) -> None:
    (spoiler,) = (module for module in model.modules() if isinstance(module, Spoiler))
    spoiler.value = value
