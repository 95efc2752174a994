"""Which hooks must not be switched off, and why."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from torch import nn

from hookviz.hooks.origin import homes_of
from hookviz.hooks.tables import HookTable

_COMPUTES: Final = "it computes the layer's weight: without it the weight of the last step stays, and training fails"
_HOMES: Final = {
    "torch.nn.utils.weight_norm": _COMPUTES,
    "torch.nn.utils.spectral_norm": _COMPUTES,
    "torch.nn.utils.prune": _COMPUTES,
    "torch.nn.modules.lazy": "the layer finds its shapes with it in its first run",
    "torch.distributed": "it gathers and frees the parameters of a distributed model",
    "torch.nn.parallel": "it brings together the gradients of a distributed model",
    "accelerate": "it moves weights between devices around each call",
    "deepspeed": "it gathers and frees the parameters of a distributed model",
}
"""By the Python module that a hook's code is from."""

_ROOTS: Final = frozenset(home.partition(".")[0] for home in _HOMES)

BY_PRESENCE: Final = frozenset({"backward_pre", "backward", "global_backward_pre", "global_backward"})
"""Kinds whose hooks change a model by being there: they wrap inputs and outputs in views."""


def why_protected(hook: object, table: HookTable) -> str:
    """Why a hook of a table cannot be switched, else empty."""
    if table.kind in BY_PRESENCE and type(table.hooks) is not OrderedDict:
        return "it is in a table that PyTorch did not make, from which it cannot be taken and put back"
    return _by_home(hook)


def why_protected_forward(module: nn.Module, forward: object) -> str:
    """Why a replaced ``forward`` cannot be switched, else empty."""
    if not any("forward" in vars(each) for each in type(module).__mro__ if each is not nn.Module):
        return "its class has no other forward"
    return _by_home(forward)


def why_protected_parametrization(parametrized: dict[str, Any]) -> str:
    """Why a parametrization cannot be switched, else empty; of its list's attributes."""
    is_single = parametrized.get("is_tensor", False)
    return "" if is_single else "it makes one weight of several tensors, of which none could take its place"


def _by_home(hook: object) -> str:
    for home in homes_of(hook):
        if home.partition(".")[0] not in _ROOTS:
            continue
        for prefix, reason in _HOMES.items():
            if home == prefix or home.startswith(prefix + "."):
                return reason
    return ""
