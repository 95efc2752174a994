"""The hooks of a session as the browser lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from hookviz.graph.pills import carrier_ids, side_of
from hookviz.hooks.about import about
from hookviz.session.aim import intervention_of
from hookviz.widget.hook_wire import HookStatesWire, HookStateWire, HookWire, ListedHookWire

MOST_WITH_VALUES: Final = 200
"""Where there are more hooks, the list says what each did without the values: they change in each run."""

if TYPE_CHECKING:
    from hookviz.graph.graph import Graph
    from hookviz.hooks.hook import Hook
    from hookviz.session import Session
    from hookviz.session.hook_reports import HookReport, HookReports

_LISTED: Final = tuple(ListedHookWire.__annotations__)
_STATE: Final = tuple(HookStateWire.__annotations__)


def hooks_to_wire(
    session: Session, graph: Graph, reports: HookReports | None = None, hooks: Sequence[Hook] | None = None
) -> list[HookWire]:
    """Every hook on the model, in the order of ``session.hooks``.

    Args:
        session: The session, whose model must be there.
        graph: The visible graph, whose nodes carry the pills.
        reports: What the hooks did in the run that is shown; by default the last captured one.
        hooks: The hooks, where they are known; to list those of a large model takes a while.
    """
    hooks = session.hooks if hooks is None else hooks
    reports = session.hook_reports() if reports is None else reports
    with_values = len(hooks) <= MOST_WITH_VALUES
    return [_hook_to_wire(hook, graph, reports.of(hook, with_values=with_values)) for hook in hooks]


def listed_and_states(hooks: Iterable[HookWire]) -> tuple[list[ListedHookWire], HookStatesWire]:
    """What a list of hooks keeps from run to run, which crosses once, and what changes."""
    listed: list[ListedHookWire] = []
    numbers: dict[tuple[object, ...], int] = {}
    states: list[HookStateWire] = []
    of: list[int] = []
    for hook in cast("Iterable[Mapping[str, object]]", hooks):
        listed.append(cast(ListedHookWire, {name: hook[name] for name in _LISTED}))
        key = tuple(hook[name] for name in _STATE)
        number = numbers.setdefault(key, len(states))
        if number == len(states):
            states.append(cast(HookStateWire, dict(zip(_STATE, key, strict=True))))
        of.append(number)
    return listed, {"states": states, "of": of}


def _hook_to_wire(hook: Hook, graph: Graph, report: HookReport) -> HookWire:
    return {
        "id": hook.id,
        "kind": hook.kind,
        "path": hook.path,
        "node_ids": carrier_ids(hook, graph),
        "label": hook.label,
        "source": hook.source,
        "owner": hook.owner,
        # That an intervention gets keyword arguments is how it is built, and nobody's choice.
        "flags": sorted(hook.flags) if intervention_of(hook) is None else [],
        "side": side_of(hook) or "other",
        "enabled": hook.enabled,
        "pending": hook.is_pending,
        "protected": hook.protected,
        "removable": hook.owner == "hookviz",
        "fired": report.fired,
        "outcome": report.outcome,
        "note": report.note,
        "about": about(hook),
    }
