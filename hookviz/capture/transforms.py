"""Tensors below ``vmap``, ``grad`` and ``jvp``, which wrap all that operations within them return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch

_functorch: Final = torch._C._functorch

is_wrapped: Callable[[torch.Tensor], bool] = _functorch.is_functorch_wrapped_tensor

transform: Callable[[], object] = _functorch.peek_interpreter_stack
"""The innermost transform that goes on, None if there is none."""


def unwrapped(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor below the wrappers."""
    while is_wrapped(tensor):
        tensor = _functorch.get_unwrapped(tensor)
    return tensor
