"""Plain Python programs in a row, with hooks after each: a model that a learner can hold in one hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torch import nn
from torch.utils.hooks import RemovableHandle

from hookviz.errors import PackageError, UnknownModuleError

Function = Callable[..., Any]
AfterHook = Callable[[Any], Any]


class Package(nn.Module):
    """Programs that run one after the other, each on what the one before returned.

    Values are whatever the programs make of them: text, numbers, lists, tensors. A package is a
    ``torch.nn.Module`` whose children are the programs, so all that hookviz does with models works on
    it: ``%hookviz package`` draws it with the values, and lists and switches its hooks.

    >>> package = Package([str.split, len])
    >>> package("to be or not")
    4
    >>> handle = package.hook("split", lambda words: [*words, "to", "be"])
    >>> package("to be or not")
    6

    Args:
        programs: Callables; the first is called with what the package is called with, each other one
            with the value of the one before it. A model may be among them.
        names: How the programs are called; by default by their ``__name__``, numbered where two are
            alike.

    Raises:
        PackageError: if a program cannot be called, if there is none, or if names do not fit.
    """

    def __init__(self, programs: Iterable[Function], *, names: Sequence[str] | None = None) -> None:
        super().__init__()
        if not isinstance(programs, Iterable):
            raise PackageError(
                f"A package takes programs in a list: Package([program_a, program_b]); got {_shown(programs)}."
            )
        given = list(programs)
        if not given:
            raise PackageError("A package needs at least one program: Package([program_a, program_b]).")
        for position, program in enumerate(given):
            if not callable(program):
                raise PackageError(
                    f"Program {position} of the package is {type(program).__name__} {program!r:.60}, "
                    "which cannot be called. Give functions, or other callables."
                )
        for name, program in zip(_names(given, names), given, strict=True):
            # Not add_module(): it refuses names of nn.Module's own methods, as ``double`` or ``forward``.
            self._modules[name] = program if isinstance(program, nn.Module) else Program(program)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the last program returns."""
        first, *others = self.children()
        value = first(*args, **kwargs)
        for program in others:
            value = program(value)
        return value

    def hook(self, program: str | int, after: AfterHook) -> RemovableHandle:
        """Have ``after(value)`` called with what a program returned.

        What it returns takes the value's place, 0, False and empty values too; None leaves the value as
        it is. Hooks after one program run in the order in which they were added, each on what the one
        before it made of the value.

        Args:
            program: Name or position of the program; -1 is the last one.
            after: Called with the value alone.

        Returns:
            The handle whose ``remove()`` takes the hook away. In PyTorch's terms it is a ``forward`` hook.

        Raises:
            UnknownModuleError: if there is no such program.
            PackageError: if ``after`` cannot be called.
        """
        if not callable(after):
            raise PackageError(f"A hook is called with the value; {type(after).__name__} {after!r:.60} cannot be.")
        return self._program(program).register_forward_hook(_forward_hook(after))

    def _program(self, program: str | int) -> nn.Module:
        children = dict(self.named_children())
        if isinstance(program, int) and not isinstance(program, bool):
            if -len(children) <= program < len(children):
                return list(children.values())[program]
        elif isinstance(program, str) and program in children:
            return children[program]
        raise UnknownModuleError(
            f"The package has no program {program!r}. There are {', '.join(map(repr, children))}, "
            f"or 0 to {len(children) - 1}."
        )

    def __len__(self) -> int:
        return len(self._modules)


class Program(nn.Module):
    """One plain program as a module."""

    def __init__(self, program: Function) -> None:
        super().__init__()
        self.program = program

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the program returns."""
        return self.program(*args, **kwargs)

    def extra_repr(self) -> str:
        """Where its name comes from, ``str.split``; nothing for a function that stands for itself."""
        name = getattr(self.program, "__qualname__", "")
        return name if isinstance(name, str) and "." in name and "<" not in name else ""


def _forward_hook(after: AfterHook) -> Callable[[nn.Module, Any, Any], Any]:
    # It passes for the user's own function, so that the list of hooks shows that one's name and source.
    @functools.wraps(after, updated=())
    def forward_hook(_module: nn.Module, _args: Any, output: Any) -> Any:
        return after(output)

    return forward_hook


def _names(programs: Sequence[Function], names: Sequence[object] | None) -> list[str]:
    if names is not None:
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise PackageError(f'Names are given in a list, such as names=["first", "second"]; got {_shown(names)}.')
        if len(names) != len(programs):
            raise PackageError(
                f"Each program has one name: got the names {', '.join(map(repr, names))} for {len(programs)} of them."
            )
        wanted: list[str] = []
        for name in names:
            if not isinstance(name, str) or not name or "." in name:
                raise PackageError(f"A program's name is text without dots, got {name!r}.")
            if name in wanted:
                raise PackageError(f"Each name may be given once, got {', '.join(map(str, names))}.")
            wanted.append(name)
    else:
        wanted = [_name_of(program) for program in programs]
    found: list[str] = []
    for name in wanted:
        found.append(next(text for text in _numbered(name) if text not in found))
    return found


def _numbered(name: str) -> Iterable[str]:
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _name_of(program: Function) -> str:
    inner = program.func if isinstance(program, functools.partial) else program
    name = getattr(inner, "__name__", None)
    if not isinstance(name, str) or not name:
        name = type(program).__name__
    return "function" if name == "<lambda>" else name.replace(".", "_")


def _shown(given: object) -> str:
    return f"{given!r:.60} ({type(given).__name__})"
