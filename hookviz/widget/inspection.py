"""What the inspector shows of one node: which tabs it has, and what flowed there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, get_args

from hookviz.errors import HookvizError, UnknownModuleError
from hookviz.graph.graph import Graph, Group, Node
from hookviz.session.step import Step
from hookviz.widget.cost_lines import CostLineWire, cost_lines
from hookviz.widget.encoding import summary_to_wire
from hookviz.widget.entries import Entry, entries_of, parameter_entries, past_parameter
from hookviz.widget.wire import InspectionWire, Switch, Tab

if TYPE_CHECKING:
    from torch import nn

    from hookviz.session import ModuleView, ParameterView
    from hookviz.widget.step_source import Source

MODULE_TABS: tuple[Tab, ...] = ("output", "input", "grad_output", "grad_input", "parameters")
SWITCHES: tuple[Switch, ...] = get_args(Switch)

_PREFIX = "module:"


@dataclass(frozen=True, slots=True)
class Subject:
    """The node that is looked at, and where its values come from."""

    node_id: str
    path: str
    name: str
    type_name: str
    detail: str
    tabs: tuple[Tab, ...]
    notes: tuple[str, ...]
    """What is special about the node itself, whatever was captured."""
    calls: int
    entries: Callable[[int, Tab], list[Entry]]
    module: nn.Module | None
    """What its tensors belong to; None of an operation."""


def inspect(session: Source, graph: Graph, node_id: str, call: int = 0, tab: Tab | None = None) -> InspectionWire:
    """What flowed at a node in one call of the last captured run.

    A tab that the node does not have gives its first one, and a call beyond the last gives the last:
    what was selected before a new run stays a valid question after it.

    Raises:
        UnknownModuleError: if there is no such node.
    """
    subject = subject_of(session, graph, node_id)
    shown_call = max(0, min(call, subject.calls - 1))
    shown_tab = tab if tab in subject.tabs else subject.tabs[0]
    run = session.run
    notes = list(subject.notes)
    if run is None and shown_tab != "parameters":
        notes.append("no run was captured yet: run the model")
    return {
        "node_id": node_id,
        "path": subject.path,
        "name": subject.name,
        "type_name": subject.type_name,
        "detail": subject.detail,
        "calls": subject.calls,
        "call": shown_call,
        "step": run.step if run is not None else 0,
        "tab": shown_tab,
        "tabs": list(subject.tabs),
        "notes": notes + _call_notes(session, subject, shown_call),
        "costs": _costs(session, subject, shown_call),
        "off": [what for what in SWITCHES if session.is_enabled(what) and not session.is_enabled(what, subject.path)],
        "entries": [
            {
                "label": entry.label,
                "python": entry.python,
                "summary": None if (summary := entry.summarize()) is None else summary_to_wire(summary),
                "kept": entry.is_kept,
                "note": entry.note,
            }
            for entry in subject.entries(shown_call, shown_tab)
        ],
    }


def subject_of(session: Source, graph: Graph, node_id: str) -> Subject:
    """The node with this id; a module may also be one that is folded away at the moment.

    Raises:
        UnknownModuleError: if there is no such node.
    """
    items: tuple[Node | Group, ...] = (*graph.nodes, *graph.groups)
    item = next((item for item in items if item.id == node_id), None)
    if item is None:
        if not node_id.startswith(_PREFIX):
            raise UnknownModuleError(f"The picture of {session.name} has no node {node_id!r} any more.")
        path = node_id.removeprefix(_PREFIX)
        view = _module_at(session, path)
        return _module(view, node_id, path.rpartition(".")[2] or session.name, "", [])
    if isinstance(item, Group):
        return _module(_module_at(session, item.path), node_id, item.name, item.detail, [])
    if item.kind == "module":
        return _module(_module_at(session, item.path), node_id, item.name, item.detail, _node_notes(item))
    if item.kind == "parameter":
        return _parameter(session, item)
    if item.kind == "op":
        return _operation(item)
    return _end(session, item)


def _module_at(session: Source, path: str) -> ModuleView:
    return cast("ModuleView", session[path])


def _module(view: ModuleView, node_id: str, name: str, detail: str, notes: list[str]) -> Subject:
    tabs = MODULE_TABS if view.has_parameters else MODULE_TABS[:-1]
    return Subject(
        node_id,
        view.path,
        name,
        view.type_name,
        detail,
        tabs,
        tuple(notes),
        len(view.calls),
        lambda call, tab: entries_of(view, call, tab),
        view.module,
    )


def _parameter(session: Source, node: Node) -> Subject:
    is_past = isinstance(session, Step)
    view = cast("ParameterView", session.session[node.path] if isinstance(session, Step) else session[node.path])
    return Subject(
        node.id,
        node.path,
        node.name,
        node.type_name,
        node.detail,
        ("parameters",),
        (),
        1,
        lambda _call, _tab: [past_parameter(view.path)] if is_past else parameter_entries(view),
        _module_at(session, node.path.rpartition(".")[0]).module,
    )


def _operation(node: Node) -> Subject:
    where = f"the forward of {node.path}" if node.path else "the model's own forward"
    notes = [
        f"an operation in {where}; values are captured where a module returns",
        *(["writes into its input"] if node.in_place else []),
    ]
    return Subject(
        node.id,
        node.path,
        node.name,
        "",
        node.detail,
        ("output",),
        tuple(notes),
        node.calls,
        lambda _call, _tab: [],
        None,
    )


def _end(session: Source, node: Node) -> Subject:
    """An input or the output of the whole model: what its root module took and gave."""
    view = _module_at(session, node.path)
    tabs: tuple[Tab, ...] = ("input", "grad_input") if node.kind == "input" else ("output", "grad_output")
    return Subject(
        node.id,
        node.path,
        node.name,
        "",
        node.detail,
        tabs,
        (),
        len(view.calls),
        lambda call, tab: entries_of(view, call, tab),
        view.module,
    )


def _node_notes(node: Node) -> list[str]:
    notes = []
    if node.repeats > 1:
        notes.append(f"stands for {node.repeats} equal siblings; this is the first of them")
    if node.in_place:
        notes.append("writes into its input")
    return notes


def _costs(session: Source, subject: Subject, shown_call: int) -> list[CostLineWire]:
    if not subject.node_id.startswith(_PREFIX) or session.run is None:
        return []
    calls = session.run.of_module(id(subject.module))
    return cost_lines(session.run, calls[shown_call]) if calls else []


def _call_notes(session: Source, subject: Subject, shown_call: int) -> list[str]:
    if not subject.node_id.startswith(_PREFIX):
        return []
    try:
        view = _module_at(session, subject.path)
    except HookvizError as error:
        return [str(error)]
    if not view.calls:
        return [view.why_not_called] if view.why_not_called else []
    call = view.calls[shown_call]
    return [
        *([f"its forward raised {call.failed}"] if call.failed else []),
        *(["passes through: it returned the very object that it was given"] if call.passes_through else []),
        *call.notes,
    ]
