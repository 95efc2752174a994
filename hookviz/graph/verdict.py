"""Says in words where a NaN or an infinity came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hookviz.graph.node_ids import node_ids
from hookviz.graph.origin import Origin
from hookviz.tracing.flow import Flow, FlowNode

MOST_NAMED = 3
"""Of more suspects only the number is told."""


def card_words(origin: Origin) -> str:
    """What the card of the call says at which it was first seen."""
    suspects = suspects_text(origin)
    match origin.verdict:
        case "here":
            words = f"made here{_out_of(origin)}"
        case "inside":
            words = f"made by {suspects} in its own forward{_out_of(origin)}"
        case "held":
            words = f"its {' and '.join(origin.held)} holds it"
        case "before":
            words = f"its input was {origin.kind} already: {_made_before(origin)}"
        case "loss":
            words = "came in with the gradient of the model's output"
        case "after":
            words = f"made in the backward of {suspects}" if suspects else "first in backward"
        case _:
            words = f"first seen here: made here or by {suspects} before it" if suspects else "first seen here"
    return words


def place_words(origin: Origin, name: str, called: Callable[[str], str] = str) -> str:
    """The same as one phrase: ``NaN made by log before fc2``.

    Args:
        origin: What to tell.
        name: How the whole model is called.
        called: How a module is called, by its path.
    """
    words = f"{origin.kind}{' gradient' if origin.is_gradient else ''} {_place(origin, name, called)}"
    if origin.came_with and origin.verdict in {"here", "inside"}:
        words += _out_of(origin)
        if origin.source is not None:
            words += f", which was {_place(origin.source, name, called)}"
    return words


def _place(origin: Origin, name: str, called: Callable[[str], str]) -> str:
    path = called(origin.call.path) if origin.call.path else name
    suspects = suspects_text(origin, called)
    match origin.verdict:
        case "here":
            words = f"made in {path}"
        case "inside":
            words = f"made by {suspects} in {path}"
        case "held":
            names = (f"{origin.call.path}.{held}" if origin.call.path else held for held in origin.held)
            words = f"in the parameter {' and '.join(names)}"
        case "before" if _is_all(origin, "input", "parameter"):
            words = f"in {suspects}"
        case "before":
            where = f"before {path}" if origin.after is None else f"between {called(origin.after)} and {path}"
            words = f"made {f'by {suspects} ' if suspects else ''}{where}"
        case "loss":
            words = "came in at the model's output: its loss made it"
        case "after" if suspects:
            words = f"made in the backward of {suspects}, after {path}"
        case _:
            words = f"first seen at {path}"
    return words


def suspects_text(origin: Origin, called: Callable[[str], str] = str) -> str:
    """The operations, inputs, parameters and modules one of which made it: ``mul or log``."""
    if len(origin.suspects) > MOST_NAMED:
        return f"one of {len(origin.suspects)} operations"
    return " or ".join(dict.fromkeys(_name(node, called) for node in origin.suspects))


def node_troubles(origin: Origin, flow: Flow) -> Mapping[str, str]:
    """What the nodes of operations, inputs and parameters say that are suspected, by their id in the picture."""
    ids = node_ids(flow)
    is_sure = len(origin.suspects) == 1 and origin.verdict != "unknown"
    found = {}
    for node in origin.suspects:
        if node.kind == "op" and origin.is_gradient:
            made = "made in its backward" if is_sure else "perhaps made in its backward"
        elif node.kind == "op":
            made = "made here" if is_sure else "perhaps made here"
        else:
            made = "in it" if is_sure else "perhaps in it"
        if node.kind in {"op", "input", "parameter"} and node.id in ids:
            found[ids[node.id]] = f"{origin.kind} {made}"
    return found


def _name(node: FlowNode, called: Callable[[str], str]) -> str:
    if node.kind == "input":
        return "the model's input" if node.label == "input" else f"the model's input {node.label}"
    if node.kind == "parameter":
        return f"the parameter {node.path}"
    return node.label if node.kind == "op" else called(node.path)


def _is_all(origin: Origin, *kinds: str) -> bool:
    return bool(origin.suspects) and all(node.kind in kinds for node in origin.suspects)


def _made_before(origin: Origin) -> str:
    suspects = suspects_text(origin)
    if _is_all(origin, "input", "parameter"):
        return f"{suspects} holds it"
    return f"made by {suspects} before it" if suspects else "made by an operation before it"


def _out_of(origin: Origin) -> str:
    return f" out of {origin.came_with} in its input" if origin.came_with else ""
