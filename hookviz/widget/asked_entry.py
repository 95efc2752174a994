"""The entry of the inspector that a command of the browser is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookviz.errors import HookvizError
from hookviz.widget.fields import Fields, choice, field
from hookviz.widget.inspection import Subject, subject_of

if TYPE_CHECKING:
    from hookviz.widget.entries import Entry
    from hookviz.widget.presentation import Presentation
    from hookviz.widget.wire import Tab


@dataclass(frozen=True, slots=True)
class AskedEntry:
    """One tensor of a node, and where it stands there."""

    node_id: str
    subject: Subject
    call: int
    """One that there is, though the browser may ask for one of an earlier run."""
    tab: Tab
    number: int
    entry: Entry


def asked_entry(presentation: Presentation, fields: Fields) -> AskedEntry:
    """What a command names by ``node_id``, ``call``, ``tab`` and ``entry``.

    Raises:
        HookvizError: if there is no such entry.
    """
    node_id = field(fields, "node_id", str)
    subject = subject_of(presentation.shown, presentation.drawing.graph, node_id)
    call = max(0, min(field(fields, "call", int), subject.calls - 1))
    tab: Tab = choice(fields, "tab", subject.tabs)
    entries = subject.entries(call, tab)
    number = field(fields, "entry", int)
    if not 0 <= number < len(entries):
        raise HookvizError(
            f"The tab {tab!r} of {subject.name} has {len(entries)} entries, so none with number {number}."
        )
    return AskedEntry(node_id, subject, call, tab, number, entries[number])
