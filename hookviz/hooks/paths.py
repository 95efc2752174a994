"""The modules of a model by their dotted paths, read without running any code of theirs."""

from __future__ import annotations

import difflib
import fnmatch
import weakref
from collections.abc import Iterator, Sequence

from torch import nn

from hookviz.errors import PatternError, UnknownModuleError

Pattern = str | type[nn.Module]


def quoted(path: str) -> str:
    """A path within a sentence: ``'fc'``, or ``the model`` for the model itself."""
    return repr(path) if path else "the model"


def walk(model: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Every module under each of its paths, as ``named_modules(remove_duplicate=False)``, parents first.

    Reads ``_modules`` only. A module that contains itself is not followed further down.
    """
    stack: list[tuple[str, nn.Module, frozenset[int]]] = [("", model, frozenset())]
    while stack:
        path, module, above = stack.pop()
        yield path, module
        below = above | {id(module)}
        children = [
            (f"{path}.{name}" if path else name, child, below)
            for name, child in module._modules.items()
            if child is not None and id(child) not in below
        ]
        stack.extend(reversed(children))


def each_module(model: nn.Module) -> list[nn.Module]:
    """Every module once, in the order of ``named_modules()``."""
    found: dict[int, nn.Module] = {}
    stack = [model]
    while stack:
        module = stack.pop()
        if id(module) not in found:
            found[id(module)] = module
            stack.extend(child for child in reversed(module._modules.values()) if child is not None)
    return list(found.values())


class ModuleIndex:
    """Which module is where in a model, as of the last ``refresh``; holds modules weakly."""

    def __init__(self, model: nn.Module) -> None:
        self._modules: dict[str, weakref.ref[nn.Module]] = {}
        self._first_paths: dict[int, str] = {}
        self._signature: tuple[tuple[str, int], ...] = ()
        self.refresh(model)

    def refresh(self, model: nn.Module) -> bool:
        """Read the model again; True if a module came, went or was replaced."""
        found = list(walk(model))
        signature = tuple((path, id(module)) for path, module in found)
        if signature == self._signature and all(self._modules[path]() is module for path, module in found):
            return False
        self._signature = signature
        self._modules = {path: weakref.ref(module) for path, module in found}
        self._first_paths = {}
        for path, module in found:
            self._first_paths.setdefault(id(module), path)
        return True

    def paths(self) -> list[str]:
        """The first path of every module, as in ``named_modules()``."""
        return list(self._first_paths.values())

    def _names(self) -> list[str]:
        return [*self.paths(), *dict.fromkeys(type(module).__name__ for _, module in self.modules())]

    def modules(self) -> Iterator[tuple[str, nn.Module]]:
        """Every module once, under its first path."""
        for path in self._first_paths.values():
            module = self._modules[path]()
            if module is not None:
                yield path, module

    def is_at_its_place(self, model: nn.Module, path: str) -> bool:
        """Whether the module that was read at a path is still there; however large the model is, this is quick."""
        module: nn.Module | None = model
        for name in path.split(".") if path else ():
            module = None if module is None else module._modules.get(name)
        return module is not None and self.find(path) is module

    def path_of(self, module: nn.Module) -> str | None:
        """The first path of a module, None if it is none of the model."""
        path = self._first_paths.get(id(module))
        return path if path is not None and self.find(path) is module else None

    def find(self, path: str) -> nn.Module | None:
        """The module at any of its paths, None if there is none."""
        reference = self._modules.get(path)
        return reference() if reference is not None else None

    def last_identity(self, path: str) -> int | None:
        """id() that the module at a path had when the model was read, even if it is gone; None if there was none."""
        return next((identity for at, identity in self._signature if at == path), None)

    def first_path(self, path: str) -> str:
        """The first of the paths of the module that is at ``path``."""
        module = self.find(path)
        return self._first_paths.get(id(module), path)

    def unknown(self, path: str, model: nn.Module, more: Sequence[str] = ()) -> UnknownModuleError:
        """The error for a path that is not there, with the nearest that are."""
        near = difflib.get_close_matches(path, [*self._modules, *more], n=3, cutoff=0.4)
        nearest = f"Nearest: {', '.join(map(repr, near))}. " if near else ""
        return UnknownModuleError(
            f"{type(model).__name__} has no module or parameter at {path!r}. "
            f"{nearest}All paths of modules: session.paths()."
        )

    def matching(self, pattern: Pattern) -> set[str]:
        """First paths of the modules that a pattern means.

        A pattern is a path, a path with ``*`` and ``?`` (``"layer4.*"``), a module class, or the name of one
        (``"Linear"``, ``"*Norm*"``); a name means classes only where no path fits it.

        Raises:
            PatternError: if it matches no module.
        """
        if isinstance(pattern, type):
            found = {path for path, module in self.modules() if isinstance(module, pattern)}
        else:
            found = {
                self.first_path(path) for path in self._modules if path == pattern or fnmatch.fnmatchcase(path, pattern)
            } or {path for path, module in self.modules() if fnmatch.fnmatchcase(type(module).__name__, pattern)}
        if not found:
            shown = pattern.__name__ if isinstance(pattern, type) else repr(pattern)
            near = (
                [] if isinstance(pattern, type) else difflib.get_close_matches(pattern, self._names(), n=3, cutoff=0.4)
            )
            nearest = f" Nearest: {', '.join(map(repr, near))}." if near else ""
            raise PatternError(
                f"The pattern {shown} matches none of the {len(self._first_paths)} modules.{nearest} "
                'Write a path, a path with * ("layer4.*"), or a class ("Linear"); '
                "all paths: dict(model.named_modules())."
            )
        return found


def select(index: ModuleIndex, only: Sequence[Pattern] | None, exclude: Sequence[Pattern] | None) -> frozenset[str]:
    """First paths of the modules that ``only`` and ``exclude`` leave.

    Raises:
        PatternError: if one of the patterns matches no module, or nothing is left.
    """
    chosen = set(index.paths()) if only is None else set().union(*(index.matching(p) for p in only))
    for pattern in exclude or ():
        chosen -= index.matching(pattern)
    if not chosen:
        raise PatternError("only and exclude together leave no module to capture; widen one of them.")
    return frozenset(chosen)


def is_selected(
    path: str, module: nn.Module, only: Sequence[Pattern] | None, exclude: Sequence[Pattern] | None
) -> bool:
    """Whether ``only`` and ``exclude`` leave a module that is not in the index yet."""
    is_chosen = only is None or any(_fits(pattern, path, module) for pattern in only)
    return is_chosen and not any(_fits(pattern, path, module) for pattern in exclude or ())


def _fits(pattern: Pattern, path: str, module: nn.Module) -> bool:
    if isinstance(pattern, type):
        return isinstance(module, pattern)
    return path == pattern or any(fnmatch.fnmatchcase(name, pattern) for name in (path, type(module).__name__))
