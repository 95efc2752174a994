"""Where a hook comes from: its name, its line, and whose it is. Runs no code of the hook."""

from __future__ import annotations

import functools
import os
import re
import types
from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from hookviz.hooks.hook import HookOwner

CellNumber = Callable[[str], int | None]
"""Tells the number of a notebook's cell by the name that IPython compiled it under."""

_CELL = re.compile(r"<ipython-input-(\d+)-|[\\/]ipykernel_\d+[\\/]\d+\.py$")


@dataclass(frozen=True, slots=True)
class Origin:
    """What tells a reader which hook this is."""

    label: str
    source: str
    owner: HookOwner


def origin_of(hook: object) -> Origin:
    """Label, source and owner of a callable, as ``Hook`` describes them."""
    named = definition_of(hook)
    code = _code(named)
    return Origin(_label(hook, named), _source(code), _owner(_home(hook, named), code))


def definition_of(hook: object) -> object:
    """The function that runs when a hook is called: of a partial its function, of an object its ``__call__``."""
    while True:
        kind = type(hook)
        if issubclass(kind, functools.partial):
            hook = functools.partial.func.__get__(hook)
        elif kind is types.MethodType:
            hook = hook.__func__  # type: ignore[attr-defined]  # a method, as its type says
        elif kind is types.FunctionType:
            within = vars(hook).get("__wrapped__")
            if type(within) is not types.FunctionType:
                return hook
            hook = within
        else:
            return _called(kind) or hook


def _called(kind: type) -> object:
    name = "forward" if issubclass(kind, nn.Module) else "__call__"
    for each in _lineage(kind):
        if name in vars(each):
            found = vars(each)[name]
            return found if type(found) is types.FunctionType else None
    return None


def homes_of(hook: object) -> list[str]:
    """Names of the Python modules that a callable was defined in; of an object, those of its classes."""
    if type(hook) is types.FunctionType and not hook.__dict__:
        # Nearly all hooks are of this sort.
        return [str(hook.__module__)]
    if not _is_object(hook):
        return [_home(hook, definition_of(hook))]
    return [str(vars(each).get("__module__", "")) for each in _lineage(_class(hook))]


def _home(hook: object, named: object) -> str:
    if type(named) is types.FunctionType and not _is_object(hook):
        return str(named.__module__)
    if type(hook) is types.BuiltinFunctionType:
        return str(hook.__module__)
    return str(vars(_class(hook)).get("__module__", ""))


def _class(hook: object) -> type:
    while issubclass(type(hook), functools.partial):
        hook = functools.partial.func.__get__(hook)
    return type(hook)


def _lineage(kind: type) -> tuple[type, ...]:
    """Its classes; not through the attribute, which a metaclass may compute."""
    lineage: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return lineage


def _is_object(hook: object) -> bool:
    return _class(hook) not in (types.FunctionType, types.MethodType)


def _label(hook: object, named: object) -> str:
    if type(named) is types.FunctionType:
        if not _is_object(hook):
            return named.__qualname__
        return f"{type.__dict__['__qualname__'].__get__(_class(hook))}.{named.__name__}"
    if type(hook) is types.BuiltinFunctionType:
        return hook.__qualname__
    return str(type.__dict__["__qualname__"].__get__(_class(hook)))


def _code(named: object) -> types.CodeType | None:
    return named.__code__ if type(named) is types.FunctionType else None


def _source(code: types.CodeType | None) -> str:
    return "" if code is None else _line(code.co_filename, code.co_firstlineno)


def _line(filename: str, line: int) -> str:
    cell = _CELL.search(filename)
    if cell is None:
        # Not pathlib: half of the time that listing thousands of hooks takes would be its.
        return f"{filename.replace(os.sep, '/').rpartition('/')[2]}:{line}"
    number = _cells.number(filename) or cell[1] or " "
    return f"In [{number}]:{line}"


def source_of_call(frame: types.FrameType) -> str:
    """The line that a frame is at, written as ``Hook.source`` is; empty for a line of hookviz itself."""
    home = str(frame.f_globals.get("__name__", ""))
    return "" if home.startswith("hookviz.") else _line(frame.f_code.co_filename, frame.f_lineno)


def _owner(home: str, code: types.CodeType | None) -> HookOwner:
    is_users = home == "__main__" or (code is not None and _CELL.search(code.co_filename) is not None)
    return "user" if is_users else "other"


def _unknown(_filename: str) -> int | None:
    return None


class _Cells:
    """How cells are numbered in this process; IPython knows, and only the magics know IPython."""

    number: CellNumber = staticmethod(_unknown)


_cells = _Cells()


def number_cells(number: CellNumber) -> None:
    """From now on, name the source of a notebook's hooks by the number of their cell."""
    _cells.number = number
