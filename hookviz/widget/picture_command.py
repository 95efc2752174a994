"""Answers what the browser asks of a tensor's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, get_args

from hookviz.capture.moments import shape_of
from hookviz.errors import HookvizError
from hookviz.widget.axis_names import axis_names
from hookviz.widget.block import Wanted
from hookviz.widget.fields import Answer, Fields, choice, field, optional_int, whole_numbers
from hookviz.widget.inspection import subject_of
from hookviz.widget.picture import picture
from hookviz.widget.picture_wire import Form, Part

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation
    from hookviz.widget.wire import Tab


def _picture(presentation: Presentation, fields: Fields) -> Answer:
    subject = subject_of(presentation.shown, presentation.drawing.graph, field(fields, "node_id", str))
    call = max(0, min(field(fields, "call", int), subject.calls - 1))
    tab: Tab = choice(fields, "tab", subject.tabs)
    entries = subject.entries(call, tab)
    number = field(fields, "entry", int)
    if not 0 <= number < len(entries):
        raise HookvizError(
            f"The tab {tab!r} of {subject.name} has {len(entries)} entries, so none with number {number}."
        )
    tensor = entries[number].fetch()
    wire, values = picture(
        tensor,
        wanted_of(fields),
        part=choice(fields, "part", get_args(Part)) if fields.get("part") is not None else None,
        axis_names=axis_names(subject.module, tab, entries[number].label, shape_of(tensor)),
        is_weight=tab == "parameters",
    )
    return wire, [values]


def wanted_of(fields: Fields) -> Wanted:
    """The block that a command asks for; see ``picture_wire.SliceFields``."""
    return Wanted(
        form=choice(fields, "form", get_args(Form)) if fields.get("form") is not None else None,
        row_axis=optional_int(fields, "row_axis"),
        column_axis=optional_int(fields, "column_axis"),
        tile_axis=optional_int(fields, "tile_axis"),
        color_axis=optional_int(fields, "color_axis"),
        index=whole_numbers(fields, "index"),
    )


PICTURE_COMMANDS: Final[Mapping[str, Callable[[Presentation, Fields], Answer]]] = {"picture": _picture}
