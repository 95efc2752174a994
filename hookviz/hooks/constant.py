"""What an intervention works with: a number or tensor that stays, made to fit the value that it meets."""

from __future__ import annotations

import cmath
from typing import Any, Protocol, TypeAlias, runtime_checkable

import torch

from hookviz.errors import InterventionError
from hookviz.hooks.contract import describe

Number: TypeAlias = "int | float | complex"


@runtime_checkable
class Kept(Protocol):
    """A value that was recorded, such as a ``Capture``: its tensor may be asked for."""

    @property
    def tensor(self) -> torch.Tensor:
        """The recorded tensor; raises where it was not kept."""


def constant(owner: str, name: str, given: object, *, may_be_nan: bool = False) -> Number | torch.Tensor:
    """A value that stays what it is now; a captured one as its tensor."""
    if isinstance(given, (int, float, complex)):
        if not may_be_nan and isinstance(given, (float, complex)) and cmath.isnan(given):
            raise InterventionError(f"{name} of {owner} is a number that has a value; got {given!r}.")
        return given
    tensor = given if isinstance(given, torch.Tensor) else given.tensor if isinstance(given, Kept) else None
    if not isinstance(tensor, torch.Tensor):
        several = isinstance(given, (tuple, list, dict))
        way = " Take one of them, as session[path].output[0]." if several else ""
        raise InterventionError(f"{name} of {owner} is a number, a tensor or a capture; got {describe(given)}.{way}")
    if tensor.requires_grad and tensor.is_leaf:
        return tensor
    return tensor.detach().clone()


def fitting(owner: object, given: Any, value: torch.Tensor) -> Any:
    """A constant where the value is, after a look at whether it fits the value's shape."""
    if not isinstance(given, torch.Tensor):
        return given
    try:
        fits = torch.broadcast_shapes(given.shape, value.shape) == value.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise InterventionError(
            f"{owner!r} does not fit a {describe(value)}: the shapes differ. "
            "Give a tensor of that shape, or say which part is meant with at=."
        )
    return given.to(value.device)


def alike(owner: object, result: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """A result in the dtype of the value."""
    if result.dtype == value.dtype:
        return result
    loses_fractions = result.dtype.is_floating_point and not (value.dtype.is_floating_point or value.dtype.is_complex)
    if loses_fractions or (result.dtype.is_complex and not value.dtype.is_complex):
        raise InterventionError(
            f"{owner!r} makes {_dtype(result)} of {_dtype(value)}, and the dtype must stay. "
            "Give whole numbers, or choose another tensor with leaf=."
        )
    return result.to(value.dtype)


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def shown(value: object) -> str:
    """A constant as it stands in the name of an intervention: ``0.5``, ``Tensor 2×3``."""
    return (
        describe(value) if isinstance(value, torch.Tensor) else f"{value:g}" if isinstance(value, float) else str(value)
    )
