"""Modules that take a known time, by a clock that only they move."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

import hookviz
from hookviz.capture.cost import Cost
from hookviz.session import Session
from hookviz.session.views import ModuleView

NAP = 0.25


class Clock:
    """Goes on while a module naps, and not else: so times are exact, and do not depend on the machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def nap(self, seconds: float) -> None:
        self.now += seconds


CLOCK = Clock()


class Nap(torch.autograd.Function):
    """Passes the value on, and sleeps forward and backward."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, forward: float, backward: float) -> torch.Tensor:
        ctx.backward_seconds = backward
        CLOCK.nap(forward)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        CLOCK.nap(ctx.backward_seconds)
        return gradient, None, None


def nap(x: torch.Tensor, forward: float, backward: float) -> torch.Tensor:
    return Nap.apply(x, forward, backward)  # type: ignore[no-any-return, no-untyped-call]  # apply has no types


class Sleeper(nn.Module):
    """Takes this long."""

    def __init__(self, forward: float = 0.0, backward: float = 0.0) -> None:
        super().__init__()
        self.forward_nap, self.backward_nap = forward, backward

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nap(x, self.forward_nap, self.backward_nap)


class Residual(nn.Module):
    """Adds what its inside makes to what came in, after a nap of its own."""

    def __init__(self, inside: nn.Module, nap: float = 0.0) -> None:
        super().__init__()
        self.inside, self.nap = inside, nap

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        CLOCK.nap(self.nap)
        made: torch.Tensor = self.inside(x)
        return x + made


@contextmanager
def timed(model: nn.Module) -> Iterator[Session]:
    """Two training runs: the first is traced, the second timed."""
    with hookviz.watch(model, every=1) as session:
        for _ in range(2):
            model(torch.ones(1, 2)).sum().backward()
        yield session


def cost(session: Session, path: str) -> Cost:
    view = session[path]
    assert isinstance(view, ModuleView)
    return view.cost
