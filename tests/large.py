"""A model whose tensors are large enough to be recorded without a copy, and what is recorded, without a look at it."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from hookviz.capture.capture import Capture
from hookviz.session import Session

ROWS = 4_096
"""With 32 columns these are 131,072 elements."""


def nothing(_: torch.Tensor) -> None:
    """Do nothing with what the first module returned."""


class Large(nn.Module):
    """Calls ``first``, then ``between`` with its output, which a test sets, then ``second``."""

    def __init__(self, first: nn.Module | None = None) -> None:
        super().__init__()
        self.first = nn.Linear(8, 32) if first is None else first
        self.second = nn.Linear(32, 32)
        self.between: Callable[[torch.Tensor], Any] = nothing

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What ``second`` returns, summed up."""
        y = self.first(x)
        with torch.no_grad():
            self.between(y)
        output: torch.Tensor = self.second(y)
        return output.sum()


def batch(seed: int = 0) -> torch.Tensor:
    """Input for ``Large``."""
    return torch.randn(ROWS, 8, generator=torch.Generator().manual_seed(seed))


def of(linear: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """What a linear layer returns, without calling it, which would be a captured run of its own."""
    assert isinstance(linear, nn.Linear)
    return nn.functional.linear(x, linear.weight, linear.bias).detach()


def recorded(session: Session, path: str) -> Capture:
    """What the last call of a module returned; nothing is copied by asking for it."""
    assert session.run is not None
    capture = next(call.output_captures[0] for call in reversed(session.run.calls) if call.path == path)
    assert capture is not None
    return capture


def gradient_recorded(session: Session, path: str) -> Capture:
    """The gradient that the last call of a module got; nothing is copied by asking for it."""
    assert session.run is not None
    cell = next(call.output_cells[0] for call in reversed(session.run.calls) if call.path == path)
    assert cell is not None
    assert cell.capture is not None
    return cell.capture


def is_lent(capture: Capture) -> bool:
    """Whether it has not been copied yet."""
    return capture._lent is not None
