"""Finds every hook on a model. Runs no user code, evaluates no parametrized attribute, changes nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy
from torch.nn.utils.parametrize import ParametrizationList

from hookviz.hooks.entries import Entry, ParkedEntry, TableEntry, unwrapped
from hookviz.hooks.hook import HookFlag, HookPlace
from hookviz.hooks.intervening import InterventionHook
from hookviz.hooks.origin import homes_of
from hookviz.hooks.parking import all_items
from hookviz.hooks.paths import walk
from hookviz.hooks.protection import BY_PRESENCE, why_protected, why_protected_forward, why_protected_parametrization
from hookviz.hooks.replacements import ForwardEntry, ParametrizationEntry, replaced_forward
from hookviz.hooks.stand_in import AnyHook, hidden
from hookviz.hooks.tables import (
    HookTable,
    call_tables,
    global_tables,
    state_tables,
    tensor_tables,
)
from hookviz.hooks.written import WrittenHook

GLOBAL = "global"
LOOSE = "tensor"
"""Paths of hooks that are on no module and no parameter: on all modules, and on any other tensor."""

WRITTEN = (WrittenHook, InterventionHook)
"""What stands for hooks that were written through a session; the latter by itself in a copy of a model."""


@dataclass(frozen=True, slots=True)
class FoundHook:
    """A hook as it was found."""

    place: HookPlace
    function: AnyHook
    flags: frozenset[HookFlag]
    order: int
    entry: Entry
    protected: str = ""
    written: WrittenHook | InterventionHook | None = None
    """What stands for its function in the table, if it was written through a session."""


def discover(model: nn.Module, loose: Iterable[torch.Tensor] = ()) -> list[FoundHook]:
    """All hooks that act in runs of a model: first those of all modules, then module by module.

    Modules come in the order of ``named_modules()``, the hooks of each in the order in which they run.
    What is at several paths is listed under the first. Hooks that hookviz captures with are left out.

    Args:
        model: Where to look.
        loose: Further tensors, which are no parameters of it.
    """
    with _unseen():
        return list(_everywhere(model, loose))


def discover_on(path: str, carrier: nn.Module | torch.Tensor) -> list[FoundHook]:
    """The hooks on one module and on its own parameters, or on one tensor, as ``discover`` lists them."""
    with _unseen():
        found = _on_module(path, carrier, set()) if isinstance(carrier, nn.Module) else _on_tensor(path, carrier)
        return list(found)


@contextlib.contextmanager
def _unseen() -> Iterator[None]:
    # Each mode of the user's would see the views through which nodes are found.
    with (
        torch._C.DisableTorchFunction(),
        torch._C._DisableTorchDispatch(),
        torch.inference_mode(mode=False),
        torch.enable_grad(),
    ):
        yield


def _everywhere(model: nn.Module, loose: Iterable[torch.Tensor]) -> Iterator[FoundHook]:
    for table in global_tables():
        yield from _in_table(table, GLOBAL)
    seen: set[int] = set()
    for path, module in walk(model):
        if id(module) not in seen:
            seen.add(id(module))
            yield from _on_module(path, module, seen)
    for tensor in loose:
        if id(tensor) not in seen:
            seen.add(id(tensor))
            yield from _on_tensor(LOOSE, tensor)


def _on_module(path: str, module: nn.Module, seen: set[int]) -> Iterator[FoundHook]:
    tables = list(call_tables(module))
    for table in tables:
        if table.kind == "forward_pre":
            yield from _in_table(table, path)
    yield from _parametrizations(path, module)
    yield from _replaced_forward(path, module)
    for table in tables:
        if table.kind != "forward_pre":
            yield from _in_table(table, path)
    for name, tensor in tensors_of(module):
        if id(tensor) not in seen:
            seen.add(id(tensor))
            yield from _on_tensor(f"{path}.{name}" if path else name, tensor)
    for table in state_tables(module):
        yield from _in_table(table, path)


def tensors_of(module: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Its own parameters and buffers that hold values, by name."""
    for store in (module.__dict__.get("_parameters", {}), module.__dict__.get("_buffers", {})):
        for name, tensor in store.items():
            if issubclass(type(tensor), torch.Tensor) and not is_lazy(tensor):
                yield name, tensor


def _on_tensor(path: str, tensor: torch.Tensor) -> Iterator[FoundHook]:
    for table in tensor_tables(tensor, with_nodes=True):
        yield from _in_table(table, path)


def _in_table(table: HookTable, path: str) -> Iterator[FoundHook]:
    make = ParkedEntry if table.kind in BY_PRESENCE else TableEntry
    flag_tables = tuple(keys for _, keys in table.flags)
    order = 0
    for key, value in all_items(table.hooks):
        if is_ours(value):
            continue
        hook = hidden(value)
        written = hook if type(hook) in WRITTEN else None
        function = unwrapped(hook)
        yield FoundHook(
            HookPlace(table.kind, path, key),
            function,
            table.flags_of(key),
            order,
            make(table.hooks, key, flag_tables),
            why_protected(function, table),
            written,
        )
        order += 1


def named_tensors(model: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Path and tensor of all parameters and buffers, each under its first path."""
    seen: set[int] = set()
    for path, module in walk(model):
        for name, tensor in tensors_of(module):
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield f"{path}.{name}" if path else name, tensor


def is_ours(value: object) -> bool:
    """True for what hookviz itself registered, to capture with."""
    hook = hidden(value)
    return type(hook) not in WRITTEN and any(home.startswith("hookviz.") for home in homes_of(hook)[:1])


def _replaced_forward(path: str, module: nn.Module) -> Iterator[FoundHook]:
    forward = replaced_forward(module)
    if forward is not None:
        place = HookPlace("patched_forward", path, "forward")
        yield FoundHook(place, forward, _NONE, 0, ForwardEntry(module), why_protected_forward(module, forward))


def _parametrizations(path: str, module: nn.Module) -> Iterator[FoundHook]:
    # Neither are those of a ScriptModule a dict, nor can it have parametrizations.
    children = module.__dict__.get("_modules")
    lists: Any = children.get("parametrizations") if isinstance(children, dict) else None
    for name, steps in lists._modules.items() if type(lists) is nn.ModuleDict else ():
        if not issubclass(type(steps), ParametrizationList):
            continue
        protected = why_protected_parametrization(steps.__dict__)
        for order, key in enumerate(steps._modules):
            step = steps.get_submodule(key)
            place = HookPlace("parametrization", f"{path}.{name}" if path else name, int(key))
            yield FoundHook(place, step, _NONE, order, ParametrizationEntry(step), protected)


_NONE: frozenset[HookFlag] = frozenset()
