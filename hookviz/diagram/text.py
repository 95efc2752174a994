"""The picture as text: a tree of the modules with their values, for ``text/plain`` and plain terminals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hookviz.diagram.labels import calls_text, detail_of, short_name
from hookviz.diagram.pills import pill_state, pill_text
from hookviz.diagram.slots import SPARK_COLUMNS, live_text
from hookviz.diagram.typography import clip, columns, shorten, visible
from hookviz.graph.graph import Graph, Group, Node
from hookviz.graph.node_data import NodeData
from hookviz.hooks.shape_text import shape_text

MAX_LINES = 200
"""Longer trees end with a line that counts what was left out."""

_NAME_COLUMNS = 72
_LEAST_TYPE_COLUMNS = 12
_LEAST_DETAIL_COLUMNS = 16
_SHAPE_COLUMNS = 16
_GAP = "  "
_VALUE_COLUMNS = 60
_NOTE_COLUMNS = 120


@dataclass(frozen=True, slots=True)
class _Line:
    """One node or group: where it hangs, what it is, what it gives and what is known of it."""

    branch: str
    words: str
    shape: str
    live: str

    @property
    def name_width(self) -> int:
        return columns(self.branch) + columns(self.words)


def to_text(graph: Graph, node_data: Mapping[str, NodeData]) -> str:
    """A tree with one line for each node: names, detail, output shape, values, trouble.

    The same graph and data give the same text; nothing in it depends on the process.
    """
    lines = list(_lines(graph, node_data))
    shown = lines if len(lines) < MAX_LINES else lines[: MAX_LINES - 2]
    name_width = min(max((line.name_width for line in shown), default=0), _NAME_COLUMNS)
    shape_width = min(max((len(line.shape) for line in shown), default=0), _SHAPE_COLUMNS)
    texts = [visible(graph.title)]
    for line in shown:
        name = line.branch + line.words + " " * (name_width - line.name_width)
        texts.append(f"{name}  {line.shape:<{shape_width}}  {line.live}".rstrip())
    if len(shown) < len(lines):
        texts.append(f"… {len(lines) - len(shown)} more")
    return "\n".join(texts)


def _lines(graph: Graph, node_data: Mapping[str, NodeData]) -> Iterator[_Line]:
    members = _members(graph)

    def walk(parent: str | None, indent: str) -> Iterator[_Line]:
        items = members.get(parent, [])
        for position, item in enumerate(items, start=1):
            is_last = position == len(items)
            data = node_data.get(item.id, NodeData())
            branch = indent + ("└─ " if is_last else "├─ ")
            yield _Line(branch, _words(item), shape_text(item.shape), _live(item, data))
            if isinstance(item, Group):
                yield from walk(item.id, indent + ("   " if is_last else "│  "))

    return walk(None, "")


def _members(graph: Graph) -> dict[str | None, list[Node | Group]]:
    """What is directly inside of each group; a group stands where the first of its nodes does."""
    groups = {group.id: group for group in graph.groups}
    members: dict[str | None, list[Node | Group]] = {}
    placed: set[str] = set()

    def place(item: Node | Group, parent: str | None) -> None:
        if item.id in placed:
            return
        placed.add(item.id)
        if parent in groups:
            place(groups[parent], groups[parent].parent)
        members.setdefault(parent, []).append(item)

    for node in graph.nodes:
        place(node, node.group)
    for group in graph.groups:
        place(group, group.parent)
    return members


def _words(item: Node | Group) -> str:
    """Names and detail of one line."""
    if isinstance(item, Group):
        return _fitted(short_name(item), item.type_name, calls_text(item.calls, repeats=1), "")
    if item.kind == "module":
        return _fitted(short_name(item), item.type_name, calls_text(item.calls, item.repeats), detail_of(item))
    return _fitted(short_name(item), "" if item.kind in {"op", item.name} else item.kind, "", "")


def _fitted(name: str, type_name: str, calls: str, detail: str) -> str:
    """The parts side by side; where they are too long, class and detail end with ``…``, and the counts stay whole."""
    type_name, detail = visible(type_name), visible(detail)
    room = _NAME_COLUMNS - sum(columns(part) + len(_GAP) for part in (name, calls) if part)
    kept_for_detail = min(columns(detail), _LEAST_DETAIL_COLUMNS) + len(_GAP) if detail else 0
    type_name = clip(type_name, max(room - kept_for_detail, _LEAST_TYPE_COLUMNS))
    detail = clip(detail, max(room - columns(type_name) - len(_GAP), _LEAST_DETAIL_COLUMNS))
    return _GAP.join(part for part in (name, type_name, calls, detail) if part)


def _live(item: Node | Group, data: NodeData) -> str:
    """State, trouble, value and gradient, as far as they are known, and the hooks."""
    live = live_text(data)
    # A value without a histogram has room here that it has not in a card.
    shown = live.value if data.spark else clip(visible(data.value), _VALUE_COLUMNS)
    value = f"{live.spark[:SPARK_COLUMNS]} {shown}" if data.value or data.spark else ""
    note = data.note.removeprefix(f"returned {data.value}").removeprefix("; ") if data.value else data.note
    parts = [value, visible(data.gradient) or shorten(visible(note), _NOTE_COLUMNS), visible(data.trouble)]
    if not any(parts) and data.state != "idle":
        parts = [data.state]
    parts += [pill_text(pill, pill_state(pill.hook_ids, data.hooks_off)) for pill in item.pills]
    return "  ".join(part for part in parts if part).replace("\u00a0", " ")
