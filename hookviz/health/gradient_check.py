"""Stops a backward pass at the first module whose output gets a gradient with NaN."""

from __future__ import annotations

from collections.abc import Callable

import torch

from hookviz.capture.store import quiet
from hookviz.errors import NotFiniteError
from hookviz.health.nans import count_nans

LET_GO_ON = (
    "stopped there, as stop_on_nan=True asks for. "
    "To let runs go on past a NaN: hookviz.watch(model, stop_on_nan=False)."
)


class GradientCheck:
    """Looks at the gradients of what the calls of one run returned, as they arrive.

    Its hooks are on intermediate tensors only, with whose graph they go.
    """

    def __init__(self, step: int, stopped: Callable[[NotFiniteError], None]) -> None:
        self._step = step
        self._stopped = stopped
        self._last_sound = ""

    def watch(self, tensor: torch.Tensor, path: str, type_name: str, value: str) -> None:
        """Look at the gradients that will arrive at a tensor which a module returned. Runs under ``quiet``."""
        if tensor.requires_grad and not tensor.is_leaf:
            tensor.register_hook(_Look(self, path, type_name, value))

    def look(self, gradient: torch.Tensor, path: str, type_name: str, value: str) -> None:
        """A gradient arrived.

        Raises:
            NotFiniteError: if it holds a NaN.
        """
        with quiet():
            count = count_nans(gradient)
        name = f"{path or 'the model'} ({type_name})"
        if not count:
            self._last_sound = name
            return
        sound = self._last_sound
        before = f"those before it, the last at {sound}, held none" if sound else "it is the first"
        error = NotFiniteError(
            f"{name} got a gradient with {count:,} NaN of {gradient.numel():,} values at its {value}, of shape "
            f"{tuple(gradient.shape)}, in the backward pass of run {self._step}: {before}.\n"
            f"The pass was {LET_GO_ON}",
            path=path,
            step=self._step,
            value=f"grad_{value}",
        )
        self._stopped(error)
        raise error


class _Look:
    """The hook on a tensor."""

    __slots__ = ("_check", "_place")
    __torch_unserializable__ = True
    """As ``torch.utils.hooks.unserializable_hook`` marks hooks that are not for a pickle."""

    def __init__(self, check: GradientCheck, *place: str) -> None:
        self._check = check
        self._place = place

    def __call__(self, gradient: torch.Tensor | None) -> None:
        # An output that no loss used gets a call with None from some operations of several outputs.
        if gradient is not None:
            self._check.look(gradient, *self._place)
