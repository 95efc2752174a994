"""Stops a run at the first module that returns a NaN, or gets one as a gradient."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from hookviz.capture.leaves import Nested, labels, split
from hookviz.capture.store import quiet
from hookviz.errors import NotFiniteError
from hookviz.health.gradient_check import LET_GO_ON, GradientCheck
from hookviz.health.nans import count_nans, count_not_finite
from hookviz.hooks.watched_hooks import WatchedHooks


class FiniteCheck:
    """Looks at what each call of one run returned, and at the gradients of it, and raises at the first NaN.

    An infinity is let through: masks of attention are made of them. Each tensor is summed, which takes a few
    microseconds and one pass over it; of a NaN the sum is one, too. On another device than the CPU each
    sum waits for the device.

    Args:
        stopped: Is told of a NaN in a gradient before it is raised, out of ``backward()``.
    """

    def __init__(self, step: int, stopped: Callable[[NotFiniteError], None]) -> None:
        self._step = step
        self._gradients = GradientCheck(step, stopped)
        self._last: tuple[weakref.ref[torch.Tensor], int] | None = None
        self._last_name = ""
        self._first_infinite = ""

    def look(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any], output: object) -> None:
        """A call returned.

        Raises:
            NotFiniteError: if there is a NaN in what it returned.
        """
        skeleton, tensors = split(output)
        with quiet():
            self._look(module, path, (args, kwargs), skeleton, tensors)

    def _look(self, module: nn.Module, path: str, given: object, skeleton: Nested, tensors: list[torch.Tensor]) -> None:
        name = f"{path or 'the model'} ({type(module).__name__})"
        for number, tensor in enumerate(tensors):
            if self._is_known(tensor):
                continue
            count, infinities = count_not_finite(tensor)
            value = labels(skeleton, "output")[number]
            if count:
                raise NotFiniteError(
                    f"{name} returned {count:,} NaN of {tensor.numel():,} "
                    f"values in {value} of shape {tuple(tensor.shape)}, in run {self._step}: "
                    f"{self._source(module, given)}.\n"
                    f"The run was {LET_GO_ON}",
                    path=path,
                    step=self._step,
                    value=value,
                )
            self._last = weakref.ref(tensor), _version(tensor)
            if infinities and not self._first_infinite:
                self._first_infinite = name
            self._gradients.watch(tensor, path, type(module).__name__, value)
        self._last_name = name

    def _source(self, module: nn.Module, given: object) -> str:
        """Where the NaN can have come from."""
        held = [(name, count_not_finite(parameter)) for name, parameter in module.named_parameters()]
        # Of a buffer an infinity tells nothing: masks of attention are made of them.
        held += [(name, (count_nans(buffer), 0)) for name, buffer in module.named_buffers()]
        given_counts = [count_not_finite(tensor) for tensor in split(given)[1]]
        for kind, what in enumerate(("NaN", "Inf")):
            names = [name for name, counts in held if counts[kind]]
            if names:
                return f"its {' and '.join(names[:3])} {'holds' if len(names) == 1 else 'hold'} {what}"
            count = sum(counts[kind] for counts in given_counts)
            if count and what == "NaN":
                return "its input held NaN already, so an operation before it made them, or they were in the data"
            if count:
                return f"its parameters held none, and its input no NaN but {count:,} Inf{self._way(count)}"
        return "its input and its parameters held none"

    def _way(self, count: int) -> str:
        """Where infinities in an input can have come from."""
        if self._first_infinite:
            return f"; the first module that returned Inf was {self._first_infinite}"
        last = f", the last of them {self._last_name}," if self._last_name else ""
        them = "it" if count == 1 else "them"
        return f", which no module before it{last} had returned: an operation made {them}, or the data held {them}"

    def _is_known(self, tensor: torch.Tensor) -> bool:
        """Whether it is the very tensor that was found sound last: containers return what their last child did."""
        return self._last is not None and self._last[0]() is tensor and self._last[1] == _version(tensor)


class FiniteWatch:
    """Observes a run that is not captured, only to check it."""

    def __init__(self, step: int, stopped: Callable[[NotFiniteError], None]) -> None:
        self._check = FiniteCheck(step, stopped)

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call begins."""

    def watch_hooks(self, _module: nn.Module, _path: str) -> WatchedHooks | None:
        """Hooks run as they are."""
        return None

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> None:
        """What forward receives makes no difference."""

    def leave(
        self,
        module: nn.Module,
        path: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        output: object,
        /,
        *,
        seconds: float | None = None,  # noqa: ARG002  # of interest to those who capture
    ) -> None:
        """A call returned.

        Raises:
            NotFiniteError: if there is a NaN in what it returned.
        """
        self._check.look(module, path, args, kwargs, output)

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """A call raised."""

    def spent(self, seconds: float) -> None:
        """What it takes is the user's wish, and no part of what capturing may take."""


def _version(tensor: torch.Tensor) -> int:
    # Inference tensors keep no count of their changes.
    return -1 if tensor.is_inference() else tensor._version
