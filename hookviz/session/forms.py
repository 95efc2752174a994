"""Forms of a session's file that parts above the session write: it cannot import them, so they are told to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy
    from hookviz.session.session import Session

Recorder = Callable[["Session", int | None, "Direction | None", "ColourBy | None"], str]
"""Gives the whole file's text, for a session, the depth to which its picture is unfolded, its direction and colours."""

RECORDERS: dict[str, Recorder] = {}
"""By suffix; ``hookviz/__init__.py`` fills it, so that whoever has a session has them all."""
