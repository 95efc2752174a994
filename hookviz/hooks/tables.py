"""PyTorch's hook tables, in the order in which their hooks run. Reading them runs no code of anybody.

The private tables of torch 2.13: those of a module in its ``__dict__``, of a tensor behind attributes of
``TensorBase``, of all modules in ``torch.nn.modules.module``; autograd nodes do not show theirs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import nn
from torch.nn.modules import module as torch_module

from hookviz.hooks.hook import HookFlag, HookKind
from hookviz.hooks.stand_in import AnyHook

Keys = OrderedDict[int, bool]

_CALLED: tuple[tuple[HookKind, str], ...] = (
    ("forward_pre", "_forward_pre_hooks"),
    ("forward", "_forward_hooks"),
    ("backward_pre", "_backward_pre_hooks"),
    ("backward", "_backward_hooks"),
)
_SAVED: tuple[tuple[HookKind, str], ...] = (
    ("state_dict_pre", "_state_dict_pre_hooks"),
    ("state_dict", "_state_dict_hooks"),
    ("load_state_dict_pre", "_load_state_dict_pre_hooks"),
    ("load_state_dict_post", "_load_state_dict_post_hooks"),
)
_REGISTERED: tuple[tuple[HookKind, str], ...] = (
    ("global_register_parameter", "_global_parameter_registration_hooks"),
    ("global_register_buffer", "_global_buffer_registration_hooks"),
    ("global_register_module", "_global_module_registration_hooks"),
)
_FLAGS: dict[str, tuple[tuple[HookFlag, str], ...]] = {
    "forward_pre": (("with_kwargs", "_forward_pre_hooks_with_kwargs"),),
    "forward": (("with_kwargs", "_forward_hooks_with_kwargs"), ("always_call", "_forward_hooks_always_called")),
}


@dataclass(frozen=True, slots=True)
class HookTable:
    """The hooks of one kind at one place."""

    kind: HookKind
    hooks: OrderedDict[int, AnyHook]
    flags: tuple[tuple[HookFlag, Keys], ...] = ()
    """Tables of the keys that have a flag."""
    common_flags: frozenset[HookFlag] = frozenset()
    """What all of its hooks have."""

    def flags_of(self, key: int) -> frozenset[HookFlag]:
        """The flags of one hook."""
        found = [flag for flag, keys in self.flags if key in keys]
        return self.common_flags.union(found) if found else self.common_flags


_LEGACY: frozenset[HookFlag] = frozenset({"legacy"})
_PRE: frozenset[HookFlag] = frozenset({"pre"})


def call_tables(module: nn.Module) -> Iterator[HookTable]:
    """What runs with calls of a module and with their backward passes."""
    return _tables(module.__dict__, _CALLED, "", module.__dict__.get("_is_full_backward_hook"))


def state_tables(module: nn.Module) -> Iterator[HookTable]:
    """What runs when its state is saved or loaded."""
    return _tables(module.__dict__, _SAVED, "", None)


def global_tables() -> Iterator[HookTable]:
    """What runs with calls of all modules."""
    state = vars(torch_module)
    kinds: tuple[tuple[Any, str], ...] = tuple((f"global_{kind}", f"_global{name}") for kind, name in _CALLED)
    return _tables(state, (*kinds, *_REGISTERED), "_global", state["_global_is_full_backward_hook"])


def _tables(
    attributes: dict[str, Any], kinds: tuple[tuple[HookKind, str], ...], prefix: str, is_full: bool | None
) -> Iterator[HookTable]:
    for kind, name in kinds:
        hooks = attributes.get(name)
        if hooks is None or not (hooks or hooks.__dict__):
            continue
        flags = tuple(
            (flag, attributes[prefix + keys])
            for flag, keys in _FLAGS.get(kind.removeprefix("global_"), ())
            if prefix + keys in attributes
        )
        is_legacy = kind in ("backward", "global_backward") and is_full is False
        yield HookTable(kind, hooks, flags, _LEGACY if is_legacy else frozenset())


ON_MODULES: Final[tuple[str, ...]] = tuple(name for _, name in (*_CALLED, *_SAVED))
"""The attributes of a module that hold its tables."""
_ON_ALL: tuple[str, ...] = tuple(f"_global{name}" for _, name in _CALLED) + tuple(name for _, name in _REGISTERED)


def filled_tables(module: nn.Module) -> list[OrderedDict[int, AnyHook]]:
    """The tables of ``call_tables`` and ``state_tables`` alone, without what else is known of them."""
    return _filled(module.__dict__, ON_MODULES)


def filled_global_tables() -> list[OrderedDict[int, AnyHook]]:
    """The tables of ``global_tables`` alone."""
    return _filled(vars(torch_module), _ON_ALL)


def _filled(attributes: dict[str, Any], names: tuple[str, ...]) -> list[OrderedDict[int, AnyHook]]:
    found = []
    for name in names:
        hooks = attributes.get(name)
        if hooks is not None and (hooks or hooks.__dict__):
            found.append(hooks)
    return found


def filled_tensor_tables(tensor: torch.Tensor) -> list[OrderedDict[int, AnyHook]]:
    """The same of a tensor, but for its nodes; to be read with torch functions disabled."""
    return [hooks for hooks in (_backward_hooks(tensor), _post_hooks(tensor)) if hooks]


def with_hooks(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    """Those for which there is anything in ``filled_tensor_tables``."""
    if not any(map(_backward_hooks, tensors)) and not any(map(_post_hooks, tensors)):
        return []
    return [tensor for tensor in tensors if _backward_hooks(tensor) or _post_hooks(tensor)]


def _getter(name: str) -> Callable[[torch.Tensor], Any]:
    """Reads an attribute past what a subclass of Tensor made of it."""
    get: Callable[[torch.Tensor], Any] = vars(torch._C.TensorBase)[name].__get__
    return get


_backward_hooks = _getter("_backward_hooks")
_post_hooks = _getter("_post_accumulate_grad_hooks")
_requires_grad = _getter("requires_grad")
_is_leaf = _getter("is_leaf")


def tensor_tables(tensor: torch.Tensor, *, with_nodes: bool) -> Iterator[HookTable]:
    """What runs when a gradient arrives at a tensor; to be read with torch functions disabled.

    Args:
        tensor: Any tensor that holds values.
        with_nodes: Whether to look behind it as well, at the node that adds to a leaf's ``.grad``.
    """
    hooks = _backward_hooks(tensor)
    if hooks:
        yield HookTable("tensor", hooks)
    before: OrderedDict[int, AnyHook] = OrderedDict()
    after = before
    if with_nodes and type(tensor) in _PLAIN and _requires_grad(tensor) and _is_leaf(tensor):
        before, after = _node_tables(tensor)
    if before:
        yield HookTable("grad_accumulator", before, common_flags=_PRE)
    hooks = _post_hooks(tensor)
    if hooks:
        yield HookTable("post_accumulate_grad", hooks)
    if after:
        yield HookTable("grad_accumulator", after)


_PLAIN = (nn.Parameter, torch.Tensor)


def _node_tables(leaf: torch.Tensor) -> tuple[OrderedDict[int, AnyHook], OrderedDict[int, AnyHook]]:
    """The tables before and after the node that accumulates a leaf's gradient.

    A node keeps all its Python hooks in one table and shows it to nobody but the handle of a new hook,
    which is registered for that and removed at once.
    """
    if leaf.layout is not torch.strided or leaf.is_nested:
        return OrderedDict(), OrderedDict()
    view = leaf.view_as(leaf)
    if view.grad_fn is None:
        # Within a function transform, which has a graph of its own.
        return OrderedDict(), OrderedDict()
    node: Any = view.grad_fn.next_functions[0][0]
    tables: list[Any] = []
    for register in (node.register_prehook, node.register_hook):
        handle = register(_nothing)
        tables.append(handle.hooks_dict_ref())
        handle.remove()
    return tables[0], tables[1]


def _nothing(*_: object) -> None:
    """Never called."""
