"""The toolbar's title, the status line and the capture switches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hookviz.capture.first_line import is_interrupt
from hookviz.errors import ModelGoneError, NotCapturedError
from hookviz.graph.graph import Graph, Group, Node
from hookviz.graph.origin import Origin
from hookviz.graph.pills import owner_path, pill_text
from hookviz.graph.verdict import node_troubles, place_words
from hookviz.package import Package
from hookviz.session.step import Step
from hookviz.tracing.flow import Flow
from hookviz.widget.wire import SessionState, StatusWire, Switch, SwitchWire, TroubleWire

if TYPE_CHECKING:
    from torch import nn

    from hookviz.capture.history import HistoryKind
    from hookviz.capture.not_finite import NotFiniteKind
    from hookviz.capture.run import Run
    from hookviz.session import Session

SWITCH_NOTES: Final[Mapping[Switch, str]] = {
    "outputs": "what each module returned",
    "gradients": "tensor hooks on outputs",
    "inputs": "what each module was given",
}


def status_of(session: Session, graph: Graph, problem: str = "") -> StatusWire:
    """How the session is doing. ``problem`` is a fault of the picture, told beside those of the session."""
    run = session.run
    options = session.options
    model = _model(session)
    overhead = session._capturing.overhead
    message = " · ".join(text for text in (session.problem, problem, overlap_text(run), session.notice) if text)
    return {
        "state": _state(session, model, run),
        "name": session.name,
        "parameters": count_text(model) if model is not None else "",
        "mode": _mode(model) if model is not None and _has_parameters(model) else "",
        "runs": session.runs_seen,
        "captured": session.runs_captured,
        "step": run.step if run is not None else 0,
        "overhead": overhead.share,
        "overhead_seconds": overhead.seconds,
        "overhead_settles": overhead.settles,
        "overhead_limit": None if options.every is not None else options.overhead,
        "kept_bytes": session.kept_bytes,
        "keep_bytes": options.keep_bytes,
        "message": message,
        "trouble": _trouble(session, graph, run),
    }


def overlap_text(run: Run | None) -> str:
    """What is said of runs that went on in other threads at the same time; empty if there were none."""
    if run is None or not run.overlaps:
        return ""
    if run.overlaps == 1:
        return "another run went on in another thread: it was not captured"
    return f"{run.overlaps} more runs went on in other threads: they were not captured"


def switches_of(session: Session) -> list[SwitchWire]:
    """The kinds of capture, and where each is off; of plain programs no gradients, which they do not have."""
    model = _model(session)
    is_plain = isinstance(model, Package) and not _has_parameters(model)
    return [
        {
            "what": what,
            "enabled": session.is_enabled(what),
            "off_paths": list(session.off_paths(what)),
            "note": note,
        }
        for what, note in SWITCH_NOTES.items()
        if not (is_plain and what == "gradients")
    ]


def count_text(model: nn.Module) -> str:
    """``20.0k params``; of a model that has none, the name of its class.

    Parameters that a lazy module has not made yet are not counted.
    """
    if not _has_parameters(model):
        return type(model).__name__
    count = sum(_size(parameter) for parameter in model.parameters())
    for unit, size in (("B", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= size:
            return f"{count / size:.1f}{unit} params"
    return "1 param" if count == 1 else f"{count} params"


def _has_parameters(model: nn.Module) -> bool:
    return next(model.parameters(), None) is not None


def _size(parameter: nn.Parameter) -> int:
    # An UninitializedParameter raises where others have a number.
    return 0 if type(parameter).__name__.startswith("Uninitialized") else parameter.numel()


def _state(session: Session, model: nn.Module | None, run: Run | None) -> SessionState:
    if not session.is_open:
        return "closed"
    if model is None:
        return "gone"
    if session.problem:
        return "error"
    if session.is_paused:
        return "paused"
    return "waiting" if run is None else "live"


def _model(session: Session) -> nn.Module | None:
    try:
        return session.model
    except ModelGoneError:
        return None


def _mode(model: nn.Module) -> str:
    modes = {module.training for module in model.modules()}
    return "mixed" if len(modes) > 1 else "train" if True in modes else "eval"


def _trouble(session: Session, graph: Graph, run: Run | None) -> TroubleWire | None:
    raised = session.hook_that_raised
    if raised is not None:
        hook, what = raised
        path = owner_path(hook)
        text = f"hook {pill_text(hook)} on {_place(session, path)} {what}"
        return {"node_id": visible_node(graph, path), "path": path, "text": text, "is_fault": True}
    if session.failure is not None:
        failure = session.failure
        ended = _end_of_run(session, graph, failure.path, failure.text)
        return {**ended, "text": f"{ended['text']}, step {failure.step} (not captured)"}
    return None if run is None else run_trouble(session, graph)


def run_trouble(source: Session | Step, graph: Graph) -> TroubleWire | None:
    """What was wrong in the last captured run, or in one step; None before the first run, and where nothing was."""
    run, troubles = source.run, source.troubles
    if run is None:
        return None
    if run.exception is not None:
        return _end_of_run(source, graph, run.failed_path or "", run.exception)
    origin = None if troubles is None else troubles.first
    if origin is None:
        return None
    path = origin.call.path
    session = source.session if isinstance(source, Step) else source
    step = _first_step(session, path, run.step, "grad_output" if origin.is_gradient else "output", origin.kind)
    return {
        "node_id": _suspect_node(graph, origin, run) or visible_node(graph, path),
        "path": path,
        "text": f"{place_words(origin, source.name)}, step {step}",
        "is_fault": True,
    }


def _end_of_run(source: Session | Step, graph: Graph, path: str, error: str) -> TroubleWire:
    """Where a run ended that did not return, by an error or by the user."""
    place, is_fault = _place(source, path), not is_interrupt(error)
    text = f"raised in {place}: {error}" if is_fault else f"interrupted in {place}"
    return {"node_id": visible_node(graph, path), "path": path, "text": text, "is_fault": is_fault}


def _suspect_node(graph: Graph, origin: Origin, run: Run) -> str:
    """The visible operation, input or parameter that made it, where that is known for sure; else empty."""
    if len(origin.suspects) != 1 or not isinstance(run.flow, Flow):
        return ""
    suspects = node_troubles(origin, run.flow)
    return next((node.id for node in graph.nodes if node.id in suspects), "")


def _place(source: Session | Step, path: str) -> str:
    return path or source.name


def _first_step(session: Session, path: str, step: int, kind: HistoryKind, what: NotFiniteKind) -> int:
    """The first of the captured steps without a break in which this was NaN, or infinite."""
    try:
        steps, means = session.history(path, kind, "mean")
    except NotCapturedError:
        # The run is still going on, and the history knows only those that are over.
        return step
    for earlier, mean in zip(reversed(steps.tolist()), reversed(means.tolist()), strict=True):
        if earlier > step:
            # A past step is looked at.
            continue
        # An infinity makes a mean infinite, and so it does not count as NaN; two of opposite signs make it NaN.
        if mean is not None and (math.isfinite(mean) or (what == "NaN" and not math.isnan(mean))):
            break
        step = min(step, int(earlier))
    return step


def visible_node(graph: Graph, path: str) -> str:
    """Id of the node or group that shows a module: its own, or what it is folded into."""
    items: tuple[Node | Group, ...] = (*graph.groups, *graph.nodes)
    ids = {member: node.id for node in graph.nodes for member in node.members}
    ids |= {item.path: item.id for item in items if item.id.startswith("module:")}
    while path not in ids and path:
        path = path.rpartition(".")[0]
    return ids.get(path, "")
