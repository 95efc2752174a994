"""Whether a forward calls a function that ``torch.compile`` made."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from torch import nn

MAX_DEPTH = 4
"""So many functions that call one another are followed."""


def calls_compiled(module: nn.Module) -> bool:
    """Whether the module's own forward names a compiled function, or a function of Python that does.

    Compiled code asks at each call whether the same function modes are active as when it was compiled,
    and is compiled again if not; it does not tell when it is entered. So it is looked for beforehand:
    by the names in the code of forward, without running anything. A function that forward finds in
    another way, such as in a list, is not noticed.
    """
    if "torch._dynamo.eval_frame" not in sys.modules:
        return False
    forward = module.__dict__.get("forward", type(module).forward)
    return _leads_to_compiled(getattr(forward, "__func__", forward), module, set(), MAX_DEPTH)


def _leads_to_compiled(function: Any, module: nn.Module, seen: set[int], depth: int) -> bool:
    if type(function) is not types.FunctionType or id(function) in seen:
        return False
    if "_torchdynamo_orig_callable" in function.__dict__:
        # torch.compiler.disable makes a wrapper too, one that compiles nothing.
        return not function.__dict__.get("_torchdynamo_disable")
    if depth == 0 or str(function.__module__).partition(".")[0] == "torch":
        return False
    seen.add(id(function))
    return any(_leads_to_compiled(named, module, seen, depth - 1) for named in _named(function, module))


def _named(function: types.FunctionType, module: nn.Module) -> Iterator[Any]:
    """What the names in a function stand for: attributes of the module, globals, variables around it."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            # A variable that has no value yet.
            continue
    for name in _names(function.__code__):
        for place in (module.__dict__, *(kind.__dict__ for kind in type(module).__mro__), function.__globals__):
            if name in place:
                found = place[name]
                yield getattr(found, "__func__", found)
                break


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
