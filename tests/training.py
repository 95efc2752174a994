"""Trains a small model for a few steps, and asks a session what looks wrong."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from hookviz.health.finding import Finding
from hookviz.session import Session, watch


def trained(
    model: nn.Module,
    inputs: Callable[[], torch.Tensor],
    *,
    steps: int = 5,
    parameters: list[nn.Parameter] | None = None,
) -> Session:
    """A session of the model, after some steps of SGD that lower the mean square of its output."""
    session = watch(model, every=1)
    optimizer = torch.optim.SGD(list(model.parameters()) if parameters is None else parameters, lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        model(inputs()).square().mean().backward()
        optimizer.step()
    return session


def noise(*shape: int) -> Callable[[], torch.Tensor]:
    """Makes other random inputs each time, the same ones in each test."""
    generator = torch.Generator().manual_seed(0)
    return lambda: torch.randn(*shape, generator=generator)


def symptoms(session: Session) -> list[tuple[str, str]]:
    """Symptom and path of each finding."""
    return [(finding.symptom, finding.path) for finding in session.health()]


def only(session: Session) -> Finding:
    """The one finding that there is."""
    (finding,) = session.health()
    return finding
