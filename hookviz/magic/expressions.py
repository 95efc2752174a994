"""What the words of a ``%hookviz`` line mean among the user's own names."""

from __future__ import annotations

import ast
import contextlib
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from torch import nn

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from hookviz.hooks.paths import Pattern

DOTTED_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def values_of(shell: InteractiveShell, expressions: Sequence[str], cell: str = "") -> list[object]:
    """The values of expressions for models, in order.

    Args:
        shell: Whose names they are evaluated with.
        expressions: Words of the line.
        cell: The cell below the line, which has not run yet.

    Raises:
        UsageError: one line that says what is wrong with the first that has no value, or is no model.
    """
    trees = [_tree(expression) for expression in expressions]
    if any(isinstance(tree, ast.Tuple) for tree in trees):
        names = [ast.unparse(part) for tree in trees for part in (tree.elts if isinstance(tree, ast.Tuple) else [tree])]
        raise UsageError(f"%hookviz: write spaces between models, no commas: %hookviz {' '.join(names)}")
    return [_value_of(shell, expression, cell) for expression in expressions]


def pattern_of(shell: InteractiveShell, word: str) -> Pattern:
    """The module class that a word is the user's name of, such as ``nn.Linear``, else the word itself."""
    if DOTTED_NAME.fullmatch(word):
        # A path such as layer4.conv1 is no name of the user's; where it is by accident, it is no class.
        with contextlib.suppress(Exception):
            value = shell.ev(word)
            if isinstance(value, type) and issubclass(value, nn.Module):
                return value
    return word


def _tree(expression: str) -> ast.expr:
    try:
        return ast.parse(expression, mode="eval").body
    except SyntaxError:
        raise UsageError(f"%hookviz: {expression!r} is not a Python expression. All options: %hookviz?") from None


def _value_of(shell: InteractiveShell, expression: str, cell: str) -> object:
    try:
        value = shell.ev(expression)
    except NameError as error:
        if error.name in _names_bound_by(shell, cell):
            raise UsageError(
                f"%hookviz: {error.name!r} is made by this very cell, which has not run yet. "
                f"Make it in a cell before, or write %hookviz {expression} in one after."
            ) from None
        raise UsageError(f"%hookviz: {error}.{_suggestion(expression, shell.user_ns)}") from None
    except Exception as error:  # noqa: BLE001  # the user's own expression, which may raise anything
        raise UsageError(f"%hookviz: {expression} raised {type(error).__name__}: {error}") from None
    if isinstance(value, str):
        raise UsageError(f"%hookviz: {expression} is a text, not a model.{_suggestion(value, shell.user_ns)}")
    return value


def _names_bound_by(shell: InteractiveShell, cell: str) -> set[str | None]:
    """What a cell assigns, defines or imports, anywhere in it; nothing if it is no Python."""
    try:
        tree = ast.parse(shell.transform_cell(cell))
    except SyntaxError:
        return set()
    return set(_bound(tree))


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name


def _suggestion(name: str, names: Mapping[str, Any]) -> str:
    models = [known for known, value in names.items() if isinstance(value, nn.Module) and not known.startswith("_")]
    near = difflib.get_close_matches(name, models, n=3) or sorted(models)[:3]
    return f" Models here: {', '.join(near)}." if near else " There is no model in this notebook yet."
