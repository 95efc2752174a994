"""Answers what the browser asks for about captured steps; see ``step_wire`` for the commands and their replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import torch

from hookviz.errors import HookvizError
from hookviz.session.reasons import SWITCH_OF
from hookviz.widget.compare_commands import entry_at
from hookviz.widget.fields import Answer, Fields, field, optional_int
from hookviz.widget.step_wire import KeepWire

if TYPE_CHECKING:
    from hookviz.capture.summary import TensorSummary
    from hookviz.session import Session
    from hookviz.widget.compare_commands import Place
    from hookviz.widget.presentation import Presentation

MODULE: Final = "module:"


def _hold(presentation: Presentation, fields: Fields) -> Answer:
    step = optional_int(fields, "step")
    presentation.hold(None if step is None else _still_there(presentation.session, step))
    return {}, []


def _still_there(session: Session, step: int) -> int:
    """The step, or the oldest after it: in a running loop it may be gone by the time that the browser asks for it."""
    return next((each for each in session.steps if each >= step), step)


def _keep(presentation: Presentation, fields: Fields) -> Answer:
    session = presentation.session
    place = entry_at(presentation, fields)
    if not place.node_id.startswith(MODULE):
        raise HookvizError(f"Tensors are kept of modules; {place.words} is none.")
    path = place.node_id.removeprefix(MODULE)
    if not field(fields, "kept", bool):
        session.keep_first(*(each for each in session.kept_first if each != path))
        presentation.refresh()
        return KeepWire(text="Its tensors are kept as those of all others again: as far as the memory limit goes."), []
    why_not = _why_not(session, place)
    if not why_not:
        session.keep_first(*session.kept_first, path)
        presentation.refresh()
    return KeepWire(text=why_not or _promise(session, place, path)), []


def _why_not(session: Session, place: Place) -> str:
    """Why this tensor cannot be kept in any run to come; empty if it can."""
    if not session.is_open:
        return "The session is closed: nothing is captured any more. Watch the model again: hookviz.watch(model)."
    size, limit = _bytes_of(place.entry.summarize()), session.options.keep_bytes
    if size is not None and size > limit:
        return (
            f"It cannot be kept: its {_size_text(size)} are more than keep_bytes allows, {_size_text(limit)}. "
            f"hookviz.watch(model, keep_bytes={size * 2:_}) makes room."
        )
    return ""


def _promise(session: Session, place: Place, path: str) -> str:
    name = path or "the model"
    size = _bytes_of(place.entry.summarize())
    sentences = [f"The tensor of step {place.step} is gone for good."] if place.is_held else []
    sentences += [
        f"From the next captured run on, the tensors of {name} are kept before all others"
        + ("" if size is None else f", {_size_text(size)} for this one")
        + f" (limit {_size_text(session.options.keep_bytes)}), and in past steps they stay longest."
    ]
    if place.tab in SWITCH_OF and not session.is_enabled(SWITCH_OF[place.tab], path):
        sentences.append(f"But {SWITCH_OF[place.tab]} are switched off here: switch them on as well.")
    if session.is_paused:
        sentences.append("Capturing is paused: nothing comes before it is resumed.")
    elif session.options.every is None:
        sentences.append("When a run is captured depends on the cost limit.")
    elif session.options.every > 1:
        sentences.append(f"One of {session.options.every} runs is captured.")
    return " ".join(sentences)


def _bytes_of(summary: TensorSummary | None) -> int | None:
    kind = None if summary is None else getattr(torch, summary.dtype, None)
    return summary.numel * kind.itemsize if summary is not None and isinstance(kind, torch.dtype) else None


def _size_text(size: int) -> str:
    for unit, bytes_of_it in (("GB", 2**30), ("MB", 2**20), ("kB", 2**10)):
        if size >= bytes_of_it:
            return f"{size / bytes_of_it:.3g} {unit}"
    return f"{size} bytes"


STEP_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {"hold": _hold, "keep": _keep}
