"""What two things that are compared have in common: their tensors, pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import torch

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.difference import has_plain_elements, kind_difference_text
from hookviz.capture.moments import measure
from hookviz.capture.run import Run
from hookviz.capture.store import quiet
from hookviz.capture.summary import summarize
from hookviz.errors import OptionError
from hookviz.hooks.shape_text import shape_text
from hookviz.session.compare import Comparison, Comparisons
from hookviz.session.compare_values import difference_of
from hookviz.session.step import Step
from hookviz.session.views import ModuleView, ParameterView

if TYPE_CHECKING:
    from hookviz.capture.summary import TensorSummary


@dataclass(frozen=True, slots=True)
class Side:
    """One of two values that are compared."""

    summary: TensorSummary
    tensor: torch.Tensor | None
    """None where it was not kept."""
    note: str = ""
    """Why it was not kept, or what is special about it."""


ACCEPTED: Final = (
    "compare takes two captured values, tensors, numbers, parameters, modules, calls or steps, paths of these in the "
    'session, or dicts, tuples and lists of them, such as session.outputs() or session["fc"].output'
)


def compare(a: Any, b: Any, at: Callable[[str], object]) -> Comparison | Comparisons:
    """Two values side by side; see ``Session.compare``.

    Args:
        a: The one.
        b: The other.
        at: What is at a path.
    """
    parts_a, parts_b = (dict(_given_parts(value, at)) for value in (a, b))
    if len(parts_a) == len(parts_b) == 1:
        (side_a,), (side_b,) = parts_a.values(), parts_b.values()
        return compared(side_a, side_b)
    return Comparisons(
        tuple(compared(side, parts_b[label], label) for label, side in parts_a.items() if label in parts_b),
        tuple(label for label in parts_a if label not in parts_b),
        tuple(label for label in parts_b if label not in parts_a),
    )


def _given_parts(given: Any, at: Callable[[str], object]) -> Iterator[tuple[str, Side]]:
    """The tensors in what was given, at least one.

    Raises:
        OptionError: if there are none.
    """
    is_empty = True
    for part in _parts(at(given) if isinstance(given, str) else given, ""):
        is_empty = False
        yield part
    if is_empty:
        raise OptionError(f"{ACCEPTED}; there are no values in {given!r:.100} ({type(given).__name__}).")


def compared(a: Side, b: Side, label: str = "") -> Comparison:
    """Two single values side by side."""
    why = _why_not(a, b)
    if why or a.tensor is None or b.tensor is None:
        return Comparison(label, a.summary, b.summary, None, why)
    kinds = kind_difference_text(a.summary.shape, a.summary.dtype, b.summary.shape, b.summary.dtype)
    return Comparison(label, a.summary, b.summary, difference_of(a.tensor, b.tensor), kinds)


def _why_not(a: Side, b: Side) -> str:
    if a.summary.shape != b.summary.shape:
        return f"the shapes differ, {shape_text(a.summary.shape)} and {shape_text(b.summary.shape)}"
    missing = [f"{name} was not kept ({side.note})" for name, side in (("A", a), ("B", b)) if side.tensor is None]
    if missing:
        return "; ".join(missing)
    for name, side in (("A", a), ("B", b)):
        if side.tensor is not None and not has_plain_elements(side.tensor):
            return f"{name} is no plain tensor ({side.summary.note or type(side.tensor).__name__})"
    return "" if a.summary.numel else "there are no values"


def side_of(value: Capture | torch.Tensor) -> Side:
    """A captured value, or a tensor as it is now."""
    if isinstance(value, Capture):
        return Side(value.summary, value.tensor if value.is_kept else None, value.note)
    with quiet():
        tensor = value.detach()
        return Side(summarize(measure(tensor, with_sample=False, is_deferred=False), tensor), tensor)


def _opened(value: Any) -> Any:
    """The outputs of what has some."""
    match value:
        case ModuleView() | ModuleCall():
            return value.output
        case Step():
            return value.outputs()
        case Run():
            return {call.path: call.output for call in value.calls}
        case _:
            return value


def _parts(value: Any, label: str) -> Iterator[tuple[str, Side]]:
    """The tensors in whatever can be compared, each with where it is."""
    value = _opened(value)
    match value:
        case Capture() | torch.Tensor():
            yield label, side_of(value)
        case ParameterView():
            yield label, side_of(value.tensor)
        case bool() | None | str():
            return
        case int() | float():
            yield label, side_of(torch.tensor(value))
        case dict():
            for key, part in value.items():
                yield from _parts(part, f"{label}[{key!r}]" if label else str(key))
        case tuple() | list():
            for position, part in enumerate(value):
                yield from _parts(part, f"{label}[{position}]")
        case _:
            raise OptionError(f"{ACCEPTED}; got {value!r:.100} ({type(value).__name__}).")
