"""Where a picture takes its values from: the session as it is now, or a captured step of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from hookviz.session import Session
from hookviz.session.step import Step
from hookviz.widget.status import run_trouble

if TYPE_CHECKING:
    from hookviz.graph.graph import Graph
    from hookviz.tracing.flow import Flow
    from hookviz.widget.compare_commands import Pinned
    from hookviz.widget.step_wire import PlaybackWire
    from hookviz.widget.wire import StatusWire

Source: TypeAlias = Session | Step
"""Both give the same views."""


def are_drawn_alike(one: Source, other: Source) -> bool:
    """Whether one layout does for both: what flowed and which hooks there are is the same."""
    return _flow_of(one) == _flow_of(other) and [hook.id for hook in one.hooks] == [hook.id for hook in other.hooks]


def _flow_of(source: Source) -> Flow | None:
    if isinstance(source, Session):
        return source._capturing.flow
    return source.session._capturing.flows.of(source.run)[0]


def playback_to_wire(session: Session, held: Step | None, pinned: Pinned | None) -> PlaybackWire:
    """Which steps there are, and which is shown."""
    steps = session.steps
    newest = 0 if session.run is None else session.run.step
    if held is not None and held.step not in steps:
        # The ring is too small even for the one that is looked at.
        steps = sorted([*steps, held.step])
    run = session.run if held is None else held.run
    part = "" if run is None else run.path
    return {
        "steps": steps,
        "held": None if held is None else held.step,
        "newest": newest,
        "note": "" if held is None else "; ".join(filter(None, (held.note, _note_on_switches(held)))),
        "part": part,
        "whole": _newest_whole(session, steps) if part else None,
        "kept_first": list(session.kept_first),
        "pinned": None if pinned is None else pinned.place.to_wire(),
    }


def _newest_whole(session: Session, steps: list[int]) -> int | None:
    """The newest step in which the model itself was called, and returned."""
    for step in reversed(steps):
        run = session._run_at(step)
        if run is not None and not run.path and run.is_finished and not run.is_cut and run.exception is None:
            return step
    return None


def _note_on_switches(held: Step) -> str:
    """Pills are switches, which show how they stand now."""
    off_now = {hook.id for hook in held.hooks if not hook.enabled}
    return "" if off_now == held.hooks_off else "hooks are switched as they are now, not as in this step"


def status_at(status: StatusWire, step: Step, graph: Graph) -> StatusWire:
    """The session's status while a step is shown: its number, and what was wrong then."""
    return {**status, "step": step.step, "trouble": run_trouble(step, graph)}
