"""The tensors that one tab of the inspector lists, each with the Python that gives it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookviz.capture.plain import is_plain, plain_text
from hookviz.errors import NotKeptError
from hookviz.session.past_views import NOT_REMEMBERED, PastModuleView
from hookviz.session.views import IN_USE

if TYPE_CHECKING:
    import torch

    from hookviz.capture.capture import Capture
    from hookviz.capture.summary import TensorSummary
    from hookviz.session import ModuleView, ParameterView
    from hookviz.widget.wire import Tab


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor, or the place where one could have been."""

    label: str
    python: str
    is_kept: bool
    note: str
    summarize: Callable[[], TensorSummary | None]
    """Its statistics; made when asked for, since a histogram takes time."""
    fetch: Callable[[], torch.Tensor]
    """The tensor; raises NotKeptError where there is none."""


def entries_of(view: ModuleView, call: int, tab: Tab) -> list[Entry]:
    """What the tab shows of the module's call with this number; empty if it was not called."""
    if tab == "parameters" and isinstance(view, PastModuleView):
        owner = f"{view.path}." if view.path else ""
        return [past_parameter(f"{owner}{name}") for name in view.parameter_names]
    if tab == "parameters":
        return [entry for parameter in view.parameters.values() for entry in parameter_entries(parameter)]
    calls = view.calls
    if not calls:
        return []
    owner = f"{view.source}[{quoted(view.path)}]"
    if call != len(calls) - 1:
        owner += f".calls[{call}]"
    skeleton = calls[call].output_skeleton
    if tab == "output" and calls[call].returned >= 0 and is_plain(skeleton):
        return [_missing("output", f"{owner}.output", plain_text(skeleton))]
    return [
        _captured(label, f"{owner}.{label}.tensor", capture, note) for label, capture, note in calls[call].entries(tab)
    ]


def parameter_entries(view: ParameterView) -> list[Entry]:
    """A parameter or buffer as it is now, and its gradient if it can have one."""
    name = view.path.rpartition(".")[2]
    owner = f"session[{quoted(view.path)}]"
    # Peeked at: a copy of a large embedding, made to draw a slice of it, would take as much memory again.
    value, gradient = view.peek(), view.peek_grad()
    if value is None:
        return [_missing(name, f"{owner}.tensor", view.note)]
    entries = [Entry(name, f"{owner}.tensor", True, view.note, lambda: view.summary, lambda: value)]
    if gradient is not None:
        entries.append(Entry(f"{name}.grad", f"{owner}.grad", True, "", lambda: view.grad_summary, lambda: gradient))
    elif view.requires_grad:
        why = IN_USE if view.is_in_use else "no backward yet"
        entries.append(_missing(f"{name}.grad", f"{owner}.grad", why))
    return entries


def past_parameter(path: str) -> Entry:
    """The place of a parameter or buffer in a past step, of which it is not remembered."""
    name, owner = path.rpartition(".")[2], f"session[{quoted(path)}]"
    return _missing(name, f"{owner}.tensor", f"{NOT_REMEMBERED}: only {owner} has it, as it is now")


def quoted(path: str) -> str:
    """A path as it is written in Python, whatever is in it."""
    return json.dumps(path, ensure_ascii=False)


def _captured(label: str, python: str, capture: Capture | None, note: str) -> Entry:
    if capture is None:
        return _missing(label, python, note)
    return Entry(label, python, capture.is_kept, note, lambda: capture.summary, lambda: capture.tensor)


def _missing(label: str, python: str, why: str) -> Entry:
    def fetch() -> torch.Tensor:
        raise NotKeptError(f"There is no tensor for {python}: {why or 'nothing was captured'}.")

    return Entry(label, python, False, why, lambda: None, fetch)
