"""Interventions that are put on modules as the session does it."""

from typing import Any

from torch import nn

from hookviz.hooks.intervening import InterventionHook, Target
from hookviz.hooks.interventions import Intervention
from hookviz.hooks.registration import Flags, register_on_module
from hookviz.hooks.run_clock import RunClock
from hookviz.hooks.slices import index_of
from tests.models import wired


def put(
    module: nn.Module,
    intervention: Intervention,
    on: Target = "output",
    *,
    at: Any = None,
    clock: RunClock | None = None,
    **options: Any,
) -> InterventionHook:
    """The hook, registered as ``session.intervene`` does it."""
    hook = InterventionHook(
        intervention, on, "at", at=None if at is None else index_of(at), clock=clock or RunClock(), **options
    )
    kind = "forward_pre" if on.endswith("input") else "forward"
    register_on_module(module, kind, hook, Flags(with_kwargs=True))  # type: ignore[arg-type]  # one of the two
    return hook


def doubling() -> Any:
    """A module that returns its input times two."""
    return wired(lambda model, x: x * 2)
