"""Answers what the browser asks for to compare two values; see ``compare_wire`` for the commands and their replies."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hookviz.capture.store import quiet
from hookviz.errors import HookvizError
from hookviz.session.compare import NUMBERS, Comparison
from hookviz.session.compare_parts import Side, compared
from hookviz.widget.asked_entry import asked_entry
from hookviz.widget.axis_names import axis_names
from hookviz.widget.compare_slice import compared_slice
from hookviz.widget.compare_wire import CompareWire, DifferenceWire, PlaceWire
from hookviz.widget.encoding import number_to_wire, summary_to_wire
from hookviz.widget.entries import Entry
from hookviz.widget.fields import Answer, Fields, field
from hookviz.widget.picture_command import wanted_of
from hookviz.widget.picture_wire import PictureWire

if TYPE_CHECKING:
    from torch import nn

    from hookviz.session.compare_values import ValueDifference
    from hookviz.widget.presentation import Presentation
    from hookviz.widget.wire import Tab


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor that is shown was found."""

    node_id: str
    call: int
    tab: Tab
    number: int
    step: int
    is_held: bool
    """Whether a past step was shown."""
    words: str
    entry: Entry
    module: weakref.ref[nn.Module] | None
    """What the tensor belongs to, where that is known; a pinned value keeps no module alive."""

    def axis_names(self, shape: tuple[int, ...]) -> list[str]:
        """What the axes of the tensor stand for, as far as it is known."""
        module = None if self.module is None else self.module()
        return axis_names(module, self.tab, self.entry.label, shape)

    def to_wire(self) -> PlaceWire:
        """As it crosses."""
        return {
            "node_id": self.node_id,
            "call": self.call,
            "tab": self.tab,
            "entry": self.number,
            "step": self.step,
            "words": self.words,
            "python": self.entry.python.removesuffix(".tensor"),
        }


@dataclass(frozen=True, slots=True)
class Pinned:
    """A value that others are compared with: as it was when it was pinned, whatever flows afterwards."""

    place: Place
    side: Side


def entry_at(presentation: Presentation, fields: Fields) -> Place:
    """The entry of the inspector that a command is about, with the words for it.

    Raises:
        HookvizError: if there is no such entry.
    """
    asked = asked_entry(presentation, fields)
    subject, call, run = asked.subject, asked.call, presentation.shown.run
    step = 0 if run is None else run.step
    name = subject.path if asked.node_id.startswith("module:") and subject.path else subject.name
    words = [name, asked.entry.label]
    if asked.tab != "parameters":
        words += [f"call {call + 1} of {subject.calls}"] if subject.calls > 1 else []
        words.append(f"step {step}")
    else:
        words.append(f"as after step {step}" if step else "as it is")
    is_held = presentation.held is not None
    module = None if subject.module is None else weakref.ref(subject.module)
    return Place(asked.node_id, call, asked.tab, asked.number, step, is_held, " · ".join(words), asked.entry, module)


def pinned_at(place: Place) -> Pinned:
    """Keep what is there now; a parameter is copied, since training changes it in place.

    Raises:
        HookvizError: if there is nothing.
    """
    side = _side(place)
    if place.tab == "parameters" and side.tensor is not None:
        with quiet():
            side = replace(side, tensor=side.tensor.clone())
    python = place.entry.python
    if place.tab != "parameters" and not place.is_held:
        # The newest step is another one soon.
        python = python.replace("session[", f"session.at_step({place.step})[", 1)
    return Pinned(replace(place, entry=replace(place.entry, python=python)), side)


def _side(place: Place) -> Side:
    summary = place.entry.summarize()
    if summary is None:
        raise HookvizError(
            f"There is nothing to compare at {place.words}: {place.entry.note or 'nothing was captured'}."
        )
    return Side(summary, place.entry.fetch() if place.entry.is_kept else None, place.entry.note)


def _pin(presentation: Presentation, fields: Fields) -> Answer:
    if field(fields, "node_id", str) == "":
        presentation.pin(None)
    else:
        presentation.pin(pinned_at(entry_at(presentation, fields)))
    return {}, []


def _swap(presentation: Presentation, fields: Fields) -> Answer:
    before = presentation.pinned
    if before is None:
        raise _nothing_pinned()
    presentation.pin(pinned_at(entry_at(presentation, fields)))
    newest = presentation.session.run
    is_past = before.place.tab != "parameters" and newest is not None and before.place.step != newest.step
    presentation.hold(before.place.step if is_past else None)
    return before.place.to_wire(), []


def _compare(presentation: Presentation, fields: Fields) -> Answer:
    pinned = presentation.pinned
    if pinned is None:
        raise _nothing_pinned()
    place = entry_at(presentation, fields)
    side = _side(place)
    found = compared(pinned.side, side)
    pictures, buffers = list[PictureWire](), list[bytes]()
    if found.difference is not None and pinned.side.tensor is not None and side.tensor is not None:
        names, names_of_b = (each.axis_names(found.b.shape) for each in (pinned.place, place))
        pictures, buffers = compared_slice(
            pinned.side.tensor, side.tensor, wanted_of(fields), names if names == names_of_b else ()
        )
    reply: CompareWire = {
        "a": pinned.place.to_wire(),
        "b": place.to_wire(),
        "a_summary": summary_to_wire(found.a),
        "b_summary": summary_to_wire(found.b),
        "deltas": _deltas(found),
        "difference": None if found.difference is None else _difference_to_wire(found.difference),
        "pictures": pictures,
        "why": found.why,
    }
    return reply, buffers


def _deltas(found: Comparison) -> dict[str, float | str | None]:
    return {name: number_to_wire(found.delta(name)) for name in NUMBERS}


def _difference_to_wire(found: ValueDifference) -> DifferenceWire:
    return {
        "numel": found.numel,
        "differing": found.differing,
        "not_finite": found.not_finite,
        "largest": number_to_wire(found.largest),
        "index": None if found.index is None else list(found.index),
        "at_a": _value(found.at_a),
        "at_b": _value(found.at_b),
        "mean": number_to_wire(found.mean),
        "norm": number_to_wire(found.norm),
        "relative": number_to_wire(found.relative),
        "cosine": number_to_wire(found.cosine),
    }


def _value(value: complex | None) -> str:
    return "–" if value is None else str(value) if isinstance(value, (bool, int)) else f"{value:.4g}"


def _nothing_pinned() -> HookvizError:
    return HookvizError("Nothing is pinned to compare with. Choose a value, then “Compare with…”.")


COMPARE_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {
    "pin": _pin,
    "swap": _swap,
    "compare": _compare,
}
