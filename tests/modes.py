"""Modes that write down what they see, and one that looks which are there."""

from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._python_dispatch import TorchDispatchMode


class Seen(TorchFunctionMode):
    """Notes what it sees and whether the tracer's mode is active at that moment."""

    def __init__(self) -> None:
        self.functions: list[str] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.functions.append(func.__name__)
        return func(*args, **(kwargs or {}))


class Dispatched(TorchDispatchMode):
    """Notes each kernel that runs."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch gives it no types
        self.kernels: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.kernels.append(str(func))
        return func(*args, **(kwargs or {}))


class ModesSeen(nn.Module):
    """A leaf that notes how many function modes are active in its forward."""

    def __init__(self) -> None:
        super().__init__()
        self.count = -1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count = len(_get_current_function_mode_stack())
        return x
