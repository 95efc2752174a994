"""Puts the marks of hooks on the cards of a visible graph."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from hookviz.graph.graph import Graph, Group, Node, Pill, PillSide
from hookviz.hooks.hook import Hook, HookKind
from hookviz.hooks.intervening import InterventionHook

MOST_PILLS: Final = 4
"""A card has no more; further hooks share the last one."""

MOST_TITLES: Final = 10
"""So many hooks are named where the pointer is over a pill that several share."""

SIDES: Final[Mapping[HookKind, PillSide]] = {
    "forward_pre": "input",
    "patched_forward": "output",
    "forward": "output",
    "backward_pre": "gradient",
    "backward": "gradient",
    "tensor": "parameter",
    "post_accumulate_grad": "parameter",
    "grad_accumulator": "parameter",
    "parametrization": "parameter",
}
"""Where the hooks of each kind act, in the order in which they run; kinds that are not here have no pill."""

_RANKS = {kind: rank for rank, kind in enumerate(SIDES)}


def with_pills(graph: Graph, hooks: Iterable[Hook]) -> Graph:
    """The graph with a pill for each hook whose module, or parameter, is seen.

    A folded container tells how many hooks are inside; hooks of modules that the graph leaves out, since
    no run called them, have none. Those of the model itself are at its first input and at its output.
    """
    cards = _Cards(graph)
    own: defaultdict[str, list[Hook]] = defaultdict(list)
    inside: defaultdict[str, list[Hook]] = defaultdict(list)
    for hook in _ranked(hooks):
        for carriers, node_id in ((own, cards.of(hook)), (inside, cards.around(hook))):
            if node_id is not None:
                carriers[node_id].append(hook)
                break
    if not own and not inside:
        return graph
    pills = {node_id: _pills(own[node_id], inside[node_id]) for node_id in own.keys() | inside.keys()}
    return replace(
        graph,
        nodes=tuple(replace(node, pills=pills.get(node.id, ())) for node in graph.nodes),
        groups=tuple(replace(group, pills=pills.get(group.id, ())) for group in graph.groups),
    )


def hooks_off(graph: Graph, hooks: Iterable[Hook]) -> dict[str, frozenset[str]]:
    """Ids of the hooks that are off, by the node or group that carries their pills; others are left out."""
    return carriers_of({hook.id for hook in hooks if not hook.enabled}, graph)


def carriers_of(hook_ids: Collection[str], graph: Graph) -> dict[str, frozenset[str]]:
    """Those of some hooks whose pills a node or group carries, by its id; others are left out."""
    wanted = frozenset(hook_ids)
    items: tuple[Node | Group, ...] = (*graph.nodes, *graph.groups)
    found = {
        item.id: wanted.intersection(itertools.chain.from_iterable(pill.hook_ids for pill in item.pills))
        for item in items
    }
    return {node_id: frozenset(ids) for node_id, ids in found.items() if ids}


def card_of(hook: Hook, graph: Graph) -> str | None:
    """Id of the node or group that shows a hook: its own, or what its module is folded into."""
    if hook.kind not in SIDES:
        return None
    cards = _Cards(graph)
    return cards.of(hook) or cards.around(hook)


def hooks_at(node_id: str, graph: Graph, hooks: Iterable[Hook]) -> list[Hook]:
    """The hooks that a node or group shows, its own first, in the order in which they run.

    A module that is folded away has its own.
    """
    cards = _Cards(graph)
    ranked = _ranked(hooks)
    if not cards.has(node_id):
        return [hook for hook in ranked if f"module:{owner_path(hook)}" == node_id]
    own = [hook for hook in ranked if cards.of(hook) == node_id]
    return own + [hook for hook in ranked if cards.of(hook) is None and cards.around(hook) == node_id]


def carrier_ids(hook: Hook, graph: Graph) -> list[str]:
    """Ids of the nodes that carry the pill of a hook where they are drawn, whatever is folded."""
    if hook.kind not in SIDES:
        return []
    ids = [f"module:{owner_path(hook)}"]
    if SIDES[hook.kind] == "parameter":
        ids.append(f"parameter:{hook.path}")
    elif not hook.path and (end := _Cards(graph).end(hook)) is not None:
        ids.append(end)
    return ids


def pill_text(hook: Hook) -> str:
    """The short name of a hook: the label of one that was written here, else the end of its qualified name."""
    if hook.owner == "hookviz":
        return hook.label
    parts = [part for part in hook.label.split(".") if part not in ("<locals>", "__call__")]
    return parts[-1] if parts else hook.label


class _Cards:
    """Finds where in a visible graph a hook belongs."""

    def __init__(self, graph: Graph) -> None:
        self._ids = {node.id for node in graph.nodes} | {group.id for group in graph.groups}
        self._boxes = {group.id for group in graph.groups}
        self._inputs = [node.id for node in graph.nodes if node.kind == "input"]
        self._rows = {f"module:{path}": node.id for node in graph.nodes for path in node.members}

    def has(self, node_id: str) -> bool:
        """Whether it is seen."""
        return node_id in self._ids

    def of(self, hook: Hook) -> str | None:
        """The card, box or oval of its module or parameter."""
        wanted = [f"module:{owner_path(hook)}"]
        if SIDES[hook.kind] == "parameter":
            # A parameter that a container uses by itself has a card of its own.
            wanted.insert(0, f"parameter:{hook.path}")
        found = next((node_id for node_id in wanted if node_id in self._ids), None)
        return self.end(hook) if found is None and not owner_path(hook) else found

    def end(self, hook: Hook) -> str | None:
        """The input or the output of the whole model, on which hooks of the model itself stand."""
        if "module:" in self._ids:
            return None
        if SIDES[hook.kind] == "input" and self._inputs:
            return self._inputs[0]
        return "output" if "output" in self._ids else None

    def around(self, hook: Hook) -> str | None:
        """The card that its module is folded into."""
        path = owner_path(hook)
        while path:
            row = self._rows.get(f"module:{path}")
            if row is not None:
                return row
            path = path.rpartition(".")[0]
            node_id = f"module:{path}"
            if node_id in self._ids:
                return None if node_id in self._boxes else node_id
        return None


def _ranked(hooks: Iterable[Hook]) -> list[Hook]:
    """Those that have a pill, in the order in which they run."""
    return sorted((hook for hook in hooks if hook.kind in SIDES), key=lambda hook: _RANKS[hook.kind])


def side_of(hook: Hook) -> PillSide | None:
    """Where a hook acts; None where it has no pill."""
    if type(hook.function) is InterventionHook and hook.function.is_on_gradient:
        return "gradient"
    return SIDES.get(hook.kind)


def owner_path(hook: Hook) -> str:
    """Path of the module whose card carries it."""
    return hook.path.rpartition(".")[0] if SIDES.get(hook.kind) == "parameter" else hook.path


def _pills(own: list[Hook], inside: list[Hook]) -> tuple[Pill, ...]:
    room = MOST_PILLS - bool(inside)
    shown = own if len(own) <= room else own[: room - 1]
    pills = [_pill([hook], pill_text(hook)) for hook in shown]
    if rest := own[len(shown) :]:
        pills.append(_pill(rest, f"+{len(rest):,}"))
    if inside:
        noun = "hook" if len(inside) == 1 else "hooks"
        pills.append(Pill(_ids_of(inside), f"{len(inside):,} {noun} inside", "output", _title(inside)))
    return tuple(pills)


def _pill(hooks: list[Hook], text: str) -> Pill:
    return Pill(_ids_of(hooks), text, side_of(hooks[0]) or "output", _title(hooks))


def _ids_of(hooks: list[Hook]) -> tuple[str, ...]:
    return tuple(hook.id for hook in hooks)


def _title(hooks: list[Hook]) -> str:
    lines = [" · ".join(part for part in (hook.label, hook.kind, hook.source) if part) for hook in hooks[:MOST_TITLES]]
    return "\n".join([*lines, *([f"and {len(hooks) - MOST_TITLES:,} more"] if len(hooks) > MOST_TITLES else [])])
