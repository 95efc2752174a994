"""Which part of a tensor is meant: slices as one writes them, in code or as text."""

from __future__ import annotations

import ast
from types import EllipsisType
from typing import Final, TypeAlias

import torch

from hookviz.errors import InterventionError

Step: TypeAlias = "int | slice | EllipsisType | tuple[int, ...]"
"""One position in the brackets; a tuple of numbers picks several."""

Index: TypeAlias = tuple[Step, ...]

HOW: Final = 'Write it as in Python, without names: "[:, 0]", "[..., 1:3]", "[0]", "[:, [0, 2]]".'


def index_of(at: object) -> Index:
    """What stands in the brackets, from text or from numbers, slices, lists of numbers and ``...``.

    Raises:
        InterventionError: if it is nothing of these.
    """
    if isinstance(at, str):
        return _parsed(at)
    steps = at if isinstance(at, tuple) else (at,)
    if not steps:
        raise InterventionError(f"An empty tuple picks nothing. {HOW}")
    return tuple(_step(step, repr(at)) for step in steps)


def _step(step: object, shown: str) -> Step:
    if step is ... or (isinstance(step, int) and not isinstance(step, bool)):
        return step
    if isinstance(step, slice):
        for bound in (step.start, step.stop, step.step):
            if not (bound is None or (isinstance(bound, int) and not isinstance(bound, bool))):
                raise InterventionError(f"A slice goes from a whole number to a whole number; got {shown}. {HOW}")
        if step.step is not None and step.step < 1:
            raise InterventionError(f"PyTorch takes slices with steps of 1 or more only; got {shown}.")
        return step
    if isinstance(step, (list, tuple)) and step and all(isinstance(part, int) for part in step):
        return tuple(step)
    raise InterventionError(f"{shown} does not say which part of a tensor is meant. {HOW}")


def _parsed(text: str) -> Index:
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1]
    try:
        node = ast.parse(f"x[{inner}]", mode="eval").body
    except (SyntaxError, ValueError):
        node = None
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        raise InterventionError(f"{text!r} does not say which part of a tensor is meant. {HOW}")
    inside = node.slice
    # A comma in the brackets makes a tuple; brackets within them pick several positions.
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    if not parts:
        raise InterventionError(f"{text!r} picks nothing. {HOW}")
    return tuple(_step(_value(part, text), repr(text)) for part in parts)


def _value(node: ast.expr | None, text: str) -> object:
    """A literal's value; nothing is evaluated."""
    if node is None:
        return None
    if isinstance(node, ast.Slice):
        return slice(_value(node.lower, text), _value(node.upper, text), _value(node.step, text))
    if isinstance(node, ast.List):
        return [_value(part, text) for part in node.elts]
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, text)
        if isinstance(value, int):
            return -value
    raise InterventionError(f"{text!r} has {ast.unparse(node)!r}, which is no number. {HOW}")


def text_of(index: Index) -> str:
    """The brackets as one writes them: ``[:, 0]``."""
    return f"[{', '.join(map(_text, index))}]"


def why_no_part(index: Index, shape: tuple[int, ...]) -> str | None:
    """What PyTorch says of taking this part of a tensor of this shape; None if it can be taken."""
    # One element, seen as many: no memory, whatever the shape.
    tensor = torch.zeros(()).expand(shape)
    for bound in (min, max):
        # Of several positions, the outermost ones tell: to pick them all would make a copy.
        steps = tuple(bound(step) if isinstance(step, tuple) else step for step in index)
        try:
            tensor[steps]
        except (IndexError, ValueError) as error:
            return str(error)
    return None


def _text(step: Step) -> str:
    if isinstance(step, slice):
        start, stop = ("" if bound is None else bound for bound in (step.start, step.stop))
        return f"{start}:{stop}" if step.step in (None, 1) else f"{start}:{stop}:{step.step}"
    if isinstance(step, tuple):
        return f"[{', '.join(map(str, step))}]"
    return "..." if step is ... else str(step)
