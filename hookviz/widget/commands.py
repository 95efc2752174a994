"""Answers what the browser asks for; see ``wire`` for the commands and their replies.

A command is answered by whichever thread receives it, the main one or one of the kernel's own, perhaps
in the middle of a training step. So nothing here changes the model: captures are read as they are, and
the session keeps switches for its next run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, get_args

from hookviz.diagram.badged_svg import finished_svg
from hookviz.diagram.direction import Direction
from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_png
from hookviz.diagram.svg import fill_svg
from hookviz.errors import HookvizError
from hookviz.widget.compare_commands import COMPARE_COMMANDS
from hookviz.widget.document import to_json
from hookviz.widget.fields import Answer, Fields, choice, field
from hookviz.widget.finding import FIND_COMMANDS
from hookviz.widget.hook_commands import HOOK_COMMANDS
from hookviz.widget.inspection import inspect
from hookviz.widget.page import page_of
from hookviz.widget.past import HISTORY_COMMANDS
from hookviz.widget.picture_command import PICTURE_COMMANDS
from hookviz.widget.recording import record
from hookviz.widget.step_commands import STEP_COMMANDS
from hookviz.widget.wire import ExportWire, Switch, Tab

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation

logger = logging.getLogger("hookviz")

NOTHING: Answer = ({}, [])

MEDIA_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "dot": "text/vnd.graphviz",
    "json": "application/json",
    "html": "text/html",
}


def answer(presentation: Presentation, message: object) -> tuple[dict[str, Any], list[bytes]]:
    """The message to send back, and its buffers. Never raises: what went wrong is told in ``error``."""
    fields = message if isinstance(message, Mapping) else {}
    number = fields.get("id")
    # A front end that sent no number waits for none; it still finds the error in its log.
    answered: dict[str, Any] = {"id": number if type(number) is int else 0}
    try:
        reply, buffers = _command(fields)(presentation, fields)
    except HookvizError as error:
        return answered | {"error": str(error)}, []
    except Exception as error:  # the browser is the only one who can be told
        name = fields.get("command")
        logger.exception("The command %r failed.", name)
        return answered | {"error": f"hookviz failed at {name!r}: {type(error).__name__}: {error}"}, []
    return answered | {"reply": dict(reply)}, buffers


def _command(fields: Fields) -> Callable[[Presentation, Fields], Answer]:
    if type(fields.get("id")) is not int:
        raise HookvizError(f"A command is an object with a number 'id', got {dict(fields)!r:.200}.")
    name = fields.get("command")
    if not isinstance(name, str) or name not in COMMANDS:
        raise HookvizError(f"There is no command {name!r}; there are {', '.join(sorted(COMMANDS))}.")
    return COMMANDS[name]


def _inspect(presentation: Presentation, fields: Fields) -> Answer:
    tab = choice(fields, "tab", get_args(Tab)) if fields.get("tab") is not None else None
    node_id, call = field(fields, "node_id", str), field(fields, "call", int)
    return inspect(presentation.shown, presentation.drawing.graph, node_id, call, tab), []


def _fold(presentation: Presentation, fields: Fields) -> Answer:
    presentation.fold(field(fields, "path", str), is_expanded=field(fields, "expanded", bool))
    return NOTHING


def _reveal(presentation: Presentation, fields: Fields) -> Answer:
    presentation.reveal(field(fields, "path", str))
    return NOTHING


def _depth(presentation: Presentation, fields: Fields) -> Answer:
    presentation.unfold_to(field(fields, "depth", int))
    return NOTHING


def _direction(presentation: Presentation, fields: Fields) -> Answer:
    presentation.turn(choice(fields, "direction", get_args(Direction)))
    return NOTHING


def _back(presentation: Presentation, _fields: Fields) -> Answer:
    presentation.go_back()
    return NOTHING


def _switch(presentation: Presentation, fields: Fields) -> Answer:
    session = presentation.session
    change = session.enable if field(fields, "enabled", bool) else session.disable
    path = None if fields.get("path") is None else field(fields, "path", str)
    change(choice(fields, "what", get_args(Switch)), path)
    presentation.refresh()
    return NOTHING


def _pause(presentation: Presentation, fields: Fields) -> Answer:
    session = presentation.session
    change = session.pause if field(fields, "paused", bool) else session.resume
    change()
    presentation.refresh()
    return NOTHING


def _export(presentation: Presentation, fields: Fields) -> Answer:
    form = choice(fields, "format", tuple(MEDIA_TYPES))
    drawing, node_data = presentation.drawing, presentation.node_data
    colouring, badges = presentation.colours.colouring, presentation.badges
    if form == "svg":
        if drawing.problem:
            raise HookvizError(drawing.problem)
        content = finished_svg(fill_svg(drawing.svg, node_data), colouring, badges).encode()
    elif form == "json":
        content = to_json(presentation.session).encode()
    elif form == "html":
        selected, by = presentation.scene.selected, presentation.colours.by
        # What a page has to look into is of the newest run, which a held step may have another layout than.
        opening = drawing if presentation.held is None else None
        recording = record(presentation.session, opening=opening, selected=selected, colour_by=by)
        content = page_of(recording).encode()
    else:
        dot = to_dot(drawing.graph, node_data, direction=drawing.direction, colouring=colouring, badges=badges)
        content = render_png(dot) if form == "png" else dot.encode()
    name = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in presentation.session.name)
    return ExportWire(file_name=f"{name or 'model'}.{form}", media_type=MEDIA_TYPES[form]), [content]


COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {
    "inspect": _inspect,
    "fold": _fold,
    "reveal": _reveal,
    "depth": _depth,
    "direction": _direction,
    "back": _back,
    "switch": _switch,
    "pause": _pause,
    "export": _export,
    **HOOK_COMMANDS,
    **FIND_COMMANDS,
    **HISTORY_COMMANDS,
    **PICTURE_COMMANDS,
    **STEP_COMMANDS,
    **COMPARE_COMMANDS,
}
