"""A session as JSON: structure, hooks and statistics for other programs, no tensors and nothing that runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, Literal, TypedDict, cast

from hookviz.capture.cost import Costs
from hookviz.graph.collapse import max_depth
from hookviz.widget.encoding import graph_to_wire, node_data_to_wire, summary_to_wire
from hookviz.widget.graph_wire import GraphWire, NodeDataWire
from hookviz.widget.hook_entries import hooks_to_wire
from hookviz.widget.hook_wire import HookWire
from hookviz.widget.status import status_of
from hookviz.widget.summary_wire import SummaryWire
from hookviz.widget.wire import StatusWire

if TYPE_CHECKING:
    from hookviz.capture.call import ModuleCall, What
    from hookviz.capture.run import Run
    from hookviz.session import ModuleView, ParameterView, Session

VERSION: Final = 1
"""Grows when a field goes or changes its meaning; new fields may come without."""


class TensorWire(TypedDict):
    """One tensor of a call: where it sits in the value, and what is known of it."""

    label: str
    """``output``, ``output[1]``, ``input.mask``."""
    summary: SummaryWire | None
    note: str
    """Why there is no summary, or what is special about the value; else empty."""


class CostWire(TypedDict):
    """What a call took, in seconds and bytes; see ``capture.Cost``. None where it is not known."""

    forward_seconds: float | None
    forward_own_seconds: float | None
    backward_seconds: float | None
    backward_own_seconds: float | None
    activation_bytes: int | None
    forward_note: str
    backward_note: str


class CallWire(TypedDict):
    """One call of a module in the run, in the order in which calls began."""

    path: str
    index: int
    """Which call of this module it is, from 0."""
    failed: str
    """What its forward raised, else empty."""
    passes_through: bool
    """It returned the very object that it was given."""
    notes: list[str]
    cost: CostWire
    output: list[TensorWire]
    input: list[TensorWire]
    grad_output: list[TensorWire]
    grad_input: list[TensorWire]


class RunWire(TypedDict):
    """The last captured run."""

    step: int
    """Which run of the model it is since it is watched, from 1."""
    path: str
    """The module that was called, empty for the model itself."""
    is_training: bool
    exception: str | None
    failed_path: str | None
    calls: list[CallWire]


class ParameterWire(TypedDict):
    """A parameter or buffer as it was when the file was written."""

    path: str
    requires_grad: bool
    summary: SummaryWire
    grad_summary: SummaryWire | None
    note: str


class DocumentWire(TypedDict):
    """The whole file."""

    format: Literal["hookviz"]
    version: int
    status: StatusWire
    graph: GraphWire
    node_data: dict[str, NodeDataWire]
    """What the cards show, by the ids of the graph's nodes and groups."""
    hooks: list[HookWire]
    run: RunWire | None
    """None before the first captured run."""
    parameters: list[ParameterWire]


def to_json(session: Session, depth: int | None = None) -> str:
    """The session's document as text; only what is plain ASCII, so that any name can be written to any file."""
    return json.dumps(document(session, depth), allow_nan=False)


def document(session: Session, depth: int | None = None) -> DocumentWire:
    """All that is known of a session, its graph unfolded to a depth or wholly.

    Raises:
        ModelGoneError: if its owner dropped the model.
        OptionError: if the depth is not a whole number from 0.
    """
    session.look_for_hooks()
    picture = session.picture()
    deepest = max_depth(picture.whole)
    graph = picture.visible(deepest if depth is None else depth, None, folds_alike=False)
    return {
        "format": "hookviz",
        "version": VERSION,
        "status": status_of(session, graph),
        "graph": graph_to_wire(graph, deepest, depth),
        "node_data": node_data_to_wire(session.node_data(graph)),
        "hooks": hooks_to_wire(session, graph),
        "run": None if session.run is None else _run(session.run),
        "parameters": [_parameter(view) for view in _parameters(session)],
    }


def _run(run: Run) -> RunWire:
    # All at once: one by one, each would be a transfer where the model is on another device.
    run.settle()
    costs = Costs(run)
    return {
        "step": run.step,
        "path": run.path,
        "is_training": run.is_training,
        "exception": run.exception,
        "failed_path": run.failed_path,
        "calls": [_call(call, costs) for call in run.calls],
    }


def _call(call: ModuleCall, costs: Costs) -> CallWire:
    return {
        "path": call.path,
        "index": call.index,
        "failed": call.failed,
        "passes_through": call.passes_through,
        "notes": list(call.notes),
        "cost": cast(CostWire, asdict(costs.of_calls([call]))),
        "output": _tensors(call, "output"),
        "input": _tensors(call, "input"),
        "grad_output": _tensors(call, "grad_output"),
        "grad_input": _tensors(call, "grad_input"),
    }


def _tensors(call: ModuleCall, what: What) -> list[TensorWire]:
    return [
        {"label": label, "summary": None if capture is None else summary_to_wire(capture.summary), "note": note}
        for label, capture, note in call.entries(what)
    ]


def _parameters(session: Session) -> list[ParameterView]:
    modules = [cast("ModuleView", session[path]) for path in session.paths()]
    return [view for module in modules for view in module.parameters.values()]


def _parameter(view: ParameterView) -> ParameterWire:
    return {
        "path": view.path,
        "requires_grad": view.requires_grad,
        "summary": summary_to_wire(view.summary),
        "grad_summary": None if view.peek_grad() is None else summary_to_wire(view.grad_summary),
        "note": view.note,
    }
