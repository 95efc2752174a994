"""Whether hooks came or went between two looks at a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import nn

from hookviz.hooks.discovery import is_ours, tensors_of
from hookviz.hooks.parking import all_items
from hookviz.hooks.replacements import replaced_forward
from hookviz.hooks.tables import filled_global_tables, filled_tables, filled_tensor_tables, with_hooks


def listed_keys(modules: Iterable[nn.Module], tensors: Sequence[torch.Tensor]) -> object:
    """What is equal between two looks at a model if no hook came or went; quicker than ``discovery.discover``.

    Hooks on autograd nodes are not looked for.

    Args:
        modules: All of the model that may have hooks, in the order of ``named_modules()``.
        tensors: Those of its parameters and buffers that have hooks, and further ones.
    """
    tables = filled_global_tables()
    replaced = []
    for module in modules:
        tables += filled_tables(module)
        if "forward" in module.__dict__:
            replaced.append(id(replaced_forward(module)))
    if tensors:
        with torch._C.DisableTorchFunction():
            for tensor in tensors:
                tables += filled_tensor_tables(tensor)
    found = [(id(table), key) for table in tables for key, value in all_items(table) if not is_ours(value)]
    return found, replaced


def hooked_tensors(modules: Iterable[nn.Module]) -> list[torch.Tensor]:
    """The parameters and buffers of these modules that have hooks, ours included."""
    with torch._C.DisableTorchFunction():
        return with_hooks([tensor for module in modules for _, tensor in tensors_of(module)])
