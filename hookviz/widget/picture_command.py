"""Answers what the browser asks of a tensor's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, get_args

from hookviz.capture.moments import shape_of
from hookviz.widget.asked_entry import asked_entry
from hookviz.widget.axis_names import axis_names
from hookviz.widget.block import Wanted
from hookviz.widget.fields import Answer, Fields, choice, optional_int, whole_numbers
from hookviz.widget.picture import picture
from hookviz.widget.picture_wire import Form, Part

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation


def _picture(presentation: Presentation, fields: Fields) -> Answer:
    asked = asked_entry(presentation, fields)
    tensor = asked.entry.fetch()
    wire, values = picture(
        tensor,
        wanted_of(fields),
        part=choice(fields, "part", get_args(Part)) if fields.get("part") is not None else None,
        axis_names=axis_names(asked.subject.module, asked.tab, asked.entry.label, shape_of(tensor)),
        is_weight=asked.tab == "parameters",
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
