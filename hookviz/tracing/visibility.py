"""What the picture shows of a module's inside, and whether operations may be traced there."""

import sys
from typing import Literal

import torch
from torch import nn

Visibility = Literal["open", "children", "closed"]
"""``open``: child calls and operations. ``children``: child calls only. ``closed``: one card."""

_OPEN = (nn.Module, nn.Sequential, nn.ModuleList, nn.ModuleDict, nn.TransformerDecoderLayer)
"""Classes of torch that call their children in plain sight, or leave it to their owner to have a forward."""

_CHAINS = (
    nn.Transformer,
    nn.TransformerDecoder,
)
"""Classes of torch that hand data from child to child."""

_CHAINS_BY_KIND = (nn.TransformerEncoder, nn.DataParallel, nn.parallel.DistributedDataParallel)
"""The same, subclasses too."""


def visibility(module: nn.Module) -> Visibility:
    """What may be shown of a module's inside, told by its class and whether it has children.

    Of a ``TransformerEncoderLayer`` it is what a call at this moment allows; see ``_may_be_fused``.
    """
    owner = _owner(type(module))
    # What exec() makes has None there.
    home = str(owner.__module__)
    # Attention never calls its only child, whose weight it takes, and has a fused inference path as well.
    if home.startswith("torch.jit") or not has_children(module) or issubclass(owner, nn.MultiheadAttention):
        return "closed"
    if issubclass(owner, nn.TransformerEncoderLayer):
        return "closed" if _may_be_fused(module) else "open"
    if owner in _CHAINS or issubclass(owner, _CHAINS_BY_KIND):
        return "children"
    # A forward that somebody gave to the module itself is theirs, not torch's.
    if home.startswith("torch.nn.") and owner not in _OPEN and "forward" not in module.__dict__:
        return "closed"
    return "open"


def _may_be_fused(layer: nn.Module) -> bool:
    """Whether a call may take the fused inference path, which no operation may be traced in.

    That path asks whether a torch function mode is active, and takes other kernels if so; it is not taken in
    training, nor where a parameter requires grad:
    https://github.com/pytorch/pytorch/blob/v2.6.0/torch/nn/modules/transformer.py (``why_not_sparsity_fast_path``).
    """
    if layer.training:
        return False
    return not (torch.is_grad_enabled() and any(parameter.requires_grad for parameter in layer.parameters()))


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
