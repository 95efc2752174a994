"""Which modules are activations, on which axis their units lie, and who hands its values on to a function."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Final, Literal

import torch
from torch import nn

from hookviz.graph.node_ids import CALLS
from hookviz.tracing.flow import Flow, FlowNode

Dying = Literal["relu", "smooth", "before relu", "before gelu"]
"""How a unit can die: a ``relu`` is exactly 0, a ``smooth`` one nearly, the others never get above the point
from which on the function behind them lets something through."""

# By name, so that the activations of other libraries (NewGELUActivation, QuickGELU) count as well.
_RELU = re.compile(r"^ReLU6?$|^(?!.*(Leaky|P|RR|C|S)ReLU).*ReLU", re.ASCII)
_SMOOTH = re.compile(r"GELU|SiLU|Swish|Mish", re.ASCII)

_FUNCTIONS: Final[dict[str, Dying]] = {"relu": "before relu", "relu_": "before relu", "gelu": "before gelu"}
_ROWS = (nn.Linear, nn.LayerNorm, nn.Embedding)
_CHANNELS = (nn.modules.conv._ConvNd, nn.modules.batchnorm._NormBase, nn.GroupNorm)


def dying_of(module: nn.Module) -> Dying | None:
    """How units of an activation die; None for other modules and for activations whose units do not."""
    name = type(module).__name__
    if _RELU.search(name):
        return "relu"
    return "smooth" if _SMOOTH.search(name) else None


def unit_axis(shape: tuple[int, ...], feeder: nn.Module | None) -> int:
    """Along which axis the units lie: what fed the activation tells, else the usual place does.

    Channels of images and signals lie on axis 1, features of rows and of tokens on the last one.
    """
    last = len(shape) - 1
    if isinstance(feeder, _ROWS):
        return last
    if isinstance(feeder, _CHANNELS):
        return min(1, last)
    return last if len(shape) <= 3 else 1


@dataclass(frozen=True, slots=True)
class Wiring:
    """What the flow of a run says of its calls, each by path and index."""

    hands_on: dict[tuple[str, int], Dying]
    """Calls all of whose output goes into a function whose units can die."""
    ends: frozenset[tuple[str, int]]
    """Calls whose output is the model's own, as it is or after further operations."""
    sources: dict[tuple[str, int], tuple[tuple[str, int], ...]]
    """For each call those that fed it, past any operations between them; empty where an input did, too."""
    users: dict[tuple[str, int], tuple[tuple[str, int], ...]]
    """The other way round: the calls that used its output."""


def wiring_of(flow: Flow) -> Wiring:
    """Read a flow once; two runs that did the same have the same one."""
    into: defaultdict[int, list[FlowNode]] = defaultdict(list)
    out: defaultdict[int, list[FlowNode]] = defaultdict(list)
    for edge in flow.edges:
        into[edge.target].append(flow.nodes[edge.source])
        out[edge.source].append(flow.nodes[edge.target])
    calls = [node for node in flow.nodes if node.kind == "module"]
    hands_on: dict[tuple[str, int], Dying] = {}
    sources: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}
    users: defaultdict[tuple[str, int], list[tuple[str, int]]] = defaultdict(list)
    for node in calls:
        targets = {_FUNCTIONS.get(target.label) if target.kind == "op" else None for target in out[node.id]}
        only = targets.pop() if len(targets) == 1 else None
        if only is not None:
            hands_on[node.path, node.call] = only
        before = _past_operations(node, into)
        if before and all(source.kind in CALLS for source in before):
            sources[node.path, node.call] = tuple((source.path, source.call) for source in before)
        for source in before:
            users[source.path, source.call].append((node.path, node.call))
    ends = {
        (source.path, source.call)
        for node in flow.nodes
        if node.kind == "output"
        for source in _past_operations(node, into)
    }
    return Wiring(hands_on, frozenset(ends), sources, {call: tuple(found) for call, found in users.items()})


def _past_operations(node: FlowNode, into: dict[int, list[FlowNode]]) -> list[FlowNode]:
    found: dict[int, FlowNode] = {}
    seen: set[int] = set()
    waiting = list(into[node.id])
    while waiting:
        source = waiting.pop()
        if source.id in seen or source.kind == "parameter":
            continue
        seen.add(source.id)
        if source.kind == "op":
            waiting += into[source.id]
        else:
            found[source.id] = source
    return [found[number] for number in sorted(found)]


def share_at_the_ends(module: nn.Module, value: torch.Tensor, margin: float, sure: float) -> float | None:
    """How much of the output of a sigmoid, tanh or softmax lies at the ends of its range; None of other modules."""
    if isinstance(module, nn.Sigmoid):
        return float(((value < margin) | (value > 1 - margin)).float().mean())
    if isinstance(module, nn.Tanh):
        return float((value.abs() > 1 - margin).float().mean())
    if isinstance(module, nn.Softmax) and value.dim() and value.shape[_axis(module, value)] > 1:
        return float((value.amax(_axis(module, value)) > sure).float().mean())
    return None


def _axis(module: nn.Softmax, value: torch.Tensor) -> int:
    if module.dim is not None:
        return module.dim
    # What torch takes, with a warning, where none was given.
    return 0 if value.dim() in (0, 1, 3) else 1
