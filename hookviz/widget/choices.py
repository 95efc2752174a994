"""What users set the traits of the widgets to: understood, or refused with a clear error."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import traitlets

from hookviz.errors import HookvizError, OptionError
from hookviz.graph.colour_by import measure_named

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation


class ChoiceError(OptionError, traitlets.TraitError):
    """A trait of a widget was set to something that cannot be shown."""


def chosen_node(presentation: Presentation, given: str) -> str:
    """The id of the node that somebody selects, by its id or by the path of a module; empty for none.

    Raises:
        ChoiceError: if there is no such node.
    """
    graph = presentation.drawing.whole
    shown = presentation.drawing.graph
    ids = {node.id for part in (graph, shown) for node in part.nodes}
    ids |= {group.id for part in (graph, shown) for group in part.groups}
    if not given or given in ids:
        return given
    path = given.removeprefix("module:")
    _require_module(presentation, path, f"There is nothing {given!r:.60} to select")
    return f"module:{path}"


def chosen_containers(presentation: Presentation, given: Collection[str]) -> list[str]:
    """The paths that are to be unfolded, and those of the containers around them.

    Raises:
        ChoiceError: if the model has no module at one of them.
    """
    chosen: set[str] = set()
    for path in given:
        _require_module(presentation, path, f"There is nothing {path!r:.60} to unfold")
        names = path.split(".")
        chosen |= {".".join(names[:end]) for end in range(1, len(names) + 1)}
    return sorted(chosen)


def chosen_colour(given: str | None) -> str:
    """By what somebody colours; empty for no colours.

    Raises:
        ChoiceError: if there is no such number.
    """
    if not given:
        return ""
    try:
        return measure_named(given)
    except OptionError as error:
        raise ChoiceError(str(error)) from None


def _require_module(presentation: Presentation, path: str, what: str) -> None:
    try:
        found = presentation.session[path]
    except HookvizError as error:
        raise ChoiceError(f"{what}: {error}") from None
    if not hasattr(found, "module"):
        raise ChoiceError(f"{what}: {path!r} is a parameter, not a module.")
