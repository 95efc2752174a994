"""What the picture shows of a module's inside, and whether operations may be traced there."""

import sys
from typing import Literal

from torch import nn

Visibility = Literal["open", "children", "closed"]
"""``open``: child calls and operations. ``children``: child calls only. ``closed``: one card."""

_PLAIN_CONTAINERS = (nn.Sequential, nn.ModuleList, nn.ModuleDict)

_FUSED = (nn.TransformerEncoderLayer, nn.MultiheadAttention)
"""Their inference path asks whether a torch function mode is active, and takes other kernels if so:
https://github.com/pytorch/pytorch/blob/v2.6.0/torch/nn/modules/transformer.py (``why_not_sparsity_fast_path``)."""

_CHAINS = (
    nn.Transformer,
    nn.TransformerEncoder,
    nn.TransformerDecoder,
    nn.DataParallel,
    nn.parallel.DistributedDataParallel,
)
"""Classes of torch that hand data from child to child."""


def visibility(module: nn.Module) -> Visibility:
    """What may be shown of a module's inside, told by its class and whether it has children."""
    owner = _owner(type(module))
    if owner.__module__.startswith("torch.jit") or not has_children(module):
        return "closed"
    if issubclass(owner, _FUSED):
        return "closed"
    if issubclass(owner, (nn.TransformerEncoder, nn.parallel.DistributedDataParallel, nn.DataParallel)):
        return "children"
    if owner in _CHAINS:
        return "children"
    if owner.__module__.startswith("torch.nn.") and owner not in _PLAIN_CONTAINERS:
        return "closed"
    return "open"


def is_compiled_wrapper(module: nn.Module) -> bool:
    """Whether this is what ``torch.compile(model)`` gives."""
    dynamo = sys.modules.get("torch._dynamo.eval_frame")
    return dynamo is not None and issubclass(type(module), dynamo.OptimizedModule)


def has_children(module: nn.Module) -> bool:
    """Whether it has a module inside, read without running code of the module."""
    # A ScriptModule keeps its modules elsewhere, hence not module._modules.
    modules = module.__dict__.get("_modules") or {}
    return any(child is not None for child in modules.values())


def _owner(kind: type) -> type:
    """The class that somebody wrote: a parametrization replaces a module's class by one made on the fly."""
    for base in kind.__mro__:
        if base.__module__ != "torch.nn.utils.parametrize" or base.__name__ == "ParametrizationList":
            return base
    return kind
