"""Answers what the browser asks for about hooks; see ``hook_wire`` for the commands and their replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hookviz.errors import HookGoneError
from hookviz.widget.fields import Answer, Fields, field, texts
from hookviz.widget.hook_wire import HookSwitchWire, RefusedWire

if TYPE_CHECKING:
    from hookviz.hooks.hook import Hook
    from hookviz.session import Session
    from hookviz.widget.presentation import Presentation


def _switch(presentation: Presentation, fields: Fields) -> Answer:
    session, is_on = presentation.session, field(fields, "enabled", bool)
    found = {hook.id: hook for hook in session.hooks}
    wanted = texts(fields, "hook_ids")
    refused = [RefusedWire(hook_id=hook_id, reason=str(_gone(hook_id))) for hook_id in wanted if hook_id not in found]
    for hook, error in session.switch_hooks([found[each] for each in wanted if each in found], on=is_on):
        refused.append({"hook_id": hook.id, "reason": str(error)})
    presentation.refresh()
    return HookSwitchWire(refused=refused), []


def _remove(presentation: Presentation, fields: Fields) -> Answer:
    _hook(presentation.session, field(fields, "hook_id", str)).remove()
    presentation.refresh()
    return {}, []


def _hook(session: Session, hook_id: str) -> Hook:
    for hook in session.hooks:
        if hook.id == hook_id:
            return hook
    raise _gone(hook_id)


def _gone(hook_id: str) -> HookGoneError:
    return HookGoneError(f"The hook {hook_id!r} is not there any more: its owner removed it.")


HOOK_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {
    "hook_switch": _switch,
    "hook_remove": _remove,
}
