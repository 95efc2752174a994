"""Answers what the browser asks for about hooks; see ``hook_wire`` for the commands and their replies."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, get_args

from hookviz.errors import HookGoneError, HookvizError
from hookviz.hooks.interventions import Add, Clamp, Intervention, Noise, Replace, Scale, Zero
from hookviz.widget.fields import Answer, Fields, choice, field, texts
from hookviz.widget.hook_effects import hooks_tab, module_at, replacements
from hookviz.widget.hook_wire import HookSwitchWire, InterveneWire, InterventionName, RefusedWire, Target

if TYPE_CHECKING:
    from hookviz.hooks.hook import Hook
    from hookviz.session import ModuleView, Session
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


def _effects(presentation: Presentation, fields: Fields) -> Answer:
    node_id, call = field(fields, "node_id", str), field(fields, "call", int)
    return hooks_tab(presentation.shown, presentation.drawing.graph, node_id, call), []


def _intervene(presentation: Presentation, fields: Fields) -> Answer:
    session, node_id = presentation.session, field(fields, "node_id", str)
    view = module_at(session, node_id)
    if view is None:
        raise HookvizError(f"An intervention is made at a module; {node_id!r} is none.")
    name: InterventionName = choice(fields, "intervention", get_args(InterventionName))
    target: Target = choice(fields, "target", get_args(Target))
    at, arguments = field(fields, "at", str), field(fields, "arguments", dict)
    label = f"Replace by {arguments.get('run')}" if name == "replace" else None
    made = _made(session, view, name, arguments)
    hook = session.intervene(view.path, made, target, at=at.strip() or None, label=label)
    presentation.refresh()
    return InterveneWire(hook_id=hook.id), []


def _made(session: Session, view: ModuleView, name: InterventionName, arguments: dict[str, Any]) -> Intervention:
    if name == "replace":
        kept = replacements(session, view)
        run = arguments.get("run")
        if run in kept:
            return Replace(kept[run])
        offered = f"there is {', '.join(kept)}" if kept else "none was kept"
        raise HookvizError(
            f"No output of {run!r} can be put in place here: {offered}. Run the model, and choose again."
        )
    kind = _INTERVENTIONS[name]
    names = {each.name for each in dataclasses.fields(kind)}
    if not arguments.keys() <= names:
        raise HookvizError(f"{kind.__name__} takes {', '.join(sorted(names)) or 'nothing'}; got {arguments!r:.200}.")
    return kind(**arguments)


def _hook(session: Session, hook_id: str) -> Hook:
    for hook in session.hooks:
        if hook.id == hook_id:
            return hook
    raise _gone(hook_id)


def _gone(hook_id: str) -> HookGoneError:
    return HookGoneError(f"The hook {hook_id!r} is not there any more: its owner removed it.")


_INTERVENTIONS: Final[Mapping[InterventionName, type[Zero | Scale | Add | Clamp | Noise]]] = {
    "zero": Zero,
    "scale": Scale,
    "add": Add,
    "clamp": Clamp,
    "noise": Noise,
}

HOOK_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {
    "hook_switch": _switch,
    "hook_remove": _remove,
    "effects": _effects,
    "intervene": _intervene,
}
