"""Why an output takes part in no backward pass."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from hookviz.hooks.paths import walk


def takes_gradient(tensor: torch.Tensor) -> bool:
    """Whether a hook on this tensor would be called by a backward pass. Runs under ``quiet``."""
    return tensor.requires_grad and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)


def why_no_gradient(module: nn.Module, inputs: Sequence[torch.Tensor], output: torch.Tensor) -> str:
    """What an output that takes no gradient lacks: parameters that learn, or a way to them. Runs under ``quiet``."""
    dtype = output.dtype
    if torch._C._functorch.is_functorch_wrapped_tensor(output):
        return "not observable inside of a function transform"
    if not (dtype.is_floating_point or dtype.is_complex):
        return f"{str(dtype).removeprefix('torch.')} has no gradient"
    parameters = [parameter for _, part in walk(module) for parameter in part._parameters.values()]
    flags = [parameter.requires_grad for parameter in parameters if parameter is not None]
    if any(flags) or any(takes_gradient(tensor) for tensor in inputs):
        return "does not require grad: detached on the way"
    return "frozen: does not require grad" if flags else "does not require grad: nothing before it does"
