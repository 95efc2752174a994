"""What a hook goes on: a module or a tensor, named by its path or given itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from hookviz.errors import OptionError
from hookviz.hooks.discovery import LOOSE, tensors_of
from hookviz.hooks.paths import walk

if TYPE_CHECKING:
    from hookviz.hooks.paths import ModuleIndex


def module_at(model: nn.Module, index: ModuleIndex, target: object, kind: str) -> tuple[str, nn.Module]:
    """The first path of a module of the model, and the module.

    Raises:
        UnknownModuleError: if there is none at the path.
        OptionError: if the target is none of the model, or a tensor.
    """
    if isinstance(target, nn.Module):
        path = index.path_of(target)
        if path is None:
            raise OptionError(
                f"This {type(target).__name__} is no module of {type(model).__name__}; session.paths() lists them."
            )
        return path, target
    if isinstance(target, str):
        module = index.find(target)
        if module is not None:
            return index.first_path(target), module
        tensors = _tensors(model)
        if target not in tensors:
            raise index.unknown(target, model, list(tensors))
    elif not isinstance(target, torch.Tensor):
        raise OptionError(f"A {kind} hook goes on a module, or its path; got {type(target).__name__} {target!r:.60}.")
    raise OptionError(
        f"A {kind} hook goes on a module; {repr(target) if isinstance(target, str) else 'this'} is a tensor, "
        'whose hooks are of the kinds "tensor" and "post_accumulate_grad".'
    )


def tensor_at(model: nn.Module, index: ModuleIndex, target: object, kind: str) -> tuple[str, torch.Tensor]:
    """The first path of a parameter of the model, and the parameter; that of any other tensor is ``"tensor"``.

    Raises:
        UnknownModuleError: if there is none at the path.
        OptionError: if the target is a module, or a parameter that a lazy module has not made yet.
    """
    tensors = _tensors(model)
    if isinstance(target, str) and target in tensors:
        target = tensors[target]
    if isinstance(target, torch.Tensor):
        return next((path for path, tensor in tensors.items() if tensor is target), LOOSE), target
    module = index.find(target) if isinstance(target, str) else target
    if isinstance(module, nn.Module):
        prefix = f"{target}." if isinstance(target, str) and target else ""
        own = ", ".join(repr(prefix + name) for name, _ in tensors_of(module))
        raise OptionError(
            f"A {kind} hook goes on a tensor; {repr(target) if isinstance(target, str) else 'this'} is a module"
            f"{f', which has {own}' if own else ''}."
        )
    if isinstance(target, str):
        owner, _, name = target.rpartition(".")
        lazy = index.find(owner)
        parameter = None if lazy is None else lazy._parameters.get(name)
        if parameter is not None and is_lazy(parameter):
            raise OptionError(
                f"{target!r} is made by the first call of {type(lazy).__name__}; run the model once, then hook it."
            )
        raise index.unknown(target, model, list(tensors))
    raise OptionError(
        f"A {kind} hook goes on a tensor, or the path of a parameter; got {type(target).__name__} {target!r:.60}."
    )


def _tensors(model: nn.Module) -> dict[str, torch.Tensor]:
    """Parameters and buffers under all their paths, in the order of the modules."""
    return {
        f"{path}.{name}" if path else name: tensor
        for path, module in walk(model)
        for name, tensor in tensors_of(module)
    }
