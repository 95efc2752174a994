"""Captures against what a witness saw: calls, values, gradients and the picture's counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

import torch
from torch import Tensor

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.session import Session
from tests.cases.comparison import same_bits
from tests.cases.zoo.witness import SeenTensor, Witness

Difference = tuple[str, str]
"""The aspect in which something differs, and a sentence on it."""


@dataclass
class Comparison:
    """How much was compared, and what was found."""

    count: int = 0
    differences: list[Difference] = field(default_factory=list)


def compare_calls(calls: Sequence[ModuleCall], witness: Witness) -> list[Difference]:
    """Each call is there once, in order."""
    found, seen = [call.path for call in calls], [call.path for call in witness.calls]
    if found == seen:
        return []
    names = sorted({path for path in (*found, *seen) if found.count(path) != seen.count(path)})
    return [("calls", f"{len(found)} calls instead of {len(seen)}; at {names[:3] or 'none, but in another order'}")]


def compare_values(calls: Sequence[ModuleCall], witness: Witness) -> Comparison:
    """Inputs and outputs are what the callers gave and got, to the last bit."""
    comparison = Comparison()
    for call, seen in zip(calls, witness.calls, strict=False):
        where = call.path or "the model"
        pairs = [("input", call.input, seen.inputs), ("output", call.output, seen.outputs)]
        for what, nested, tensors in pairs if seen.returned else pairs[:1]:
            captures = list(captures_in(nested))
            comparison.count += len(tensors)
            if len(captures) != len(tensors):
                sentence = f"{what} of {where}: {len(captures)} tensors instead of {len(tensors)}"
                comparison.differences.append(("values", sentence))
            elif not all(_shows(*pair) for pair in zip(captures, tensors, strict=True)):
                comparison.differences.append(("values", f"{what} of {where}: another value"))
    return comparison


def compare_gradients(calls: Sequence[ModuleCall], witness: Witness, loss: Tensor) -> Comparison:
    """Gradients are those that autograd computes for the very tensors.

    Tensors that were written into later are left out: autograd no longer knows them as they were.

    Raises:
        RuntimeError: if there can be no second backward pass.
    """
    places: list[tuple[str, Capture | None, SeenTensor]] = []
    for call, seen in zip(calls, witness.calls, strict=False):
        where = call.path or "the model"
        for what, captures, found in (
            ("output", call.output_gradients(), seen.outputs),
            ("input", call.input_gradients(), seen.inputs),
        ):
            # Without grad nothing flows back through a call, whatever flows to its inputs from elsewhere.
            if len(captures) == len(found) and seen.has_grad:
                places += [(f"{what} of {where}", *pair) for pair in zip(captures, found, strict=True)]
    places = [place for place in places if place[2].tensor.requires_grad and place[2].is_unchanged]
    if not places:
        return Comparison()
    tensors = [place[2].tensor for place in places]
    expected = torch.autograd.grad(loss, tensors, retain_graph=True, allow_unused=True)
    sentences = (_about(where, capture, true) for (where, capture, _), true in zip(places, expected, strict=True))
    return Comparison(len(places), [("flowed back", sentence) for sentence in sentences if sentence])


def compare_picture(session: Session, witness: Witness, *, is_drawn: bool) -> Iterator[Difference]:
    """A picture comes out, and says how often each module was called."""
    counts = witness.counts()
    graph = session.full_graph()
    drawn = {node.path: node.calls for node in graph.nodes if node.kind == "module"}
    drawn |= {group.path: group.calls for group in graph.groups}
    for path, calls in drawn.items():
        # A module that was not called stands there once, as it would before any run.
        if path in counts and calls != counts[path]:
            yield "picture", f"{path or 'the model'} has ×{calls} instead of ×{counts[path]}"
    if is_drawn and not session.text().strip():
        yield "picture", "the text is empty"
    if is_drawn and not ET.fromstring(session.svg()).tag.endswith("svg"):
        yield "picture", "it is no SVG"


def captures_in(nested: object) -> Iterator[Capture | None]:
    """The captures of a nested value, in order."""
    if isinstance(nested, Capture):
        yield nested
    elif isinstance(nested, list | tuple):
        for part in nested:
            yield from captures_in(part)
    elif isinstance(nested, dict):
        for part in nested.values():
            yield from captures_in(part)


def _shows(capture: Capture | None, seen: SeenTensor) -> bool:
    return capture is not None and capture.is_kept and same_bits(capture.tensor, seen.value)


def _about(where: str, capture: Capture | None, true: Tensor | None) -> str:
    if true is None:
        return f"{where}: a gradient where there is none" if capture is not None and capture.tensor.any() else ""
    if capture is None:
        return f"{where}: no gradient"
    found = capture.tensor
    if same_bits(found, true.detach()):
        return ""
    is_close = found.shape == true.shape and torch.allclose(found, true, rtol=1e-4, atol=1e-5, equal_nan=True)
    return f"{where}: {'other bits of the gradient' if is_close else 'another gradient'}"
