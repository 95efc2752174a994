"""Finds nodes of the whole picture, folded away or not, by path, class, operation or shape."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hookviz.graph.graph import Graph, Group, Node
from hookviz.hooks.shape_text import shape_text
from hookviz.widget.fields import Answer, Fields, field
from hookviz.widget.find_wire import FindWire, HitWire, Matched

if TYPE_CHECKING:
    from hookviz.widget.presentation import Presentation

MAX_HITS = 50

_SHAPE: Final = re.compile(r"(\d+|\*)(\s*[x×,]\s*(\d+|\*))+")
"""``8×512``, ``8x512``, ``8, 512``, ``*×512``; brackets around it are taken off before."""

_EXACT, _START, _WITHIN = range(3)
"""How near a hit is; the nearest are listed first."""


def find(graph: Graph, text: str) -> FindWire:
    """The nodes and containers that a text means, the nearest first, else as they stand in the picture.

    A text is a part of a path, a class or an operation, in whatever case; with ``*`` or ``?`` it means the
    whole of one, as in ``watch(only=...)``. Sizes such as ``8×512`` mean outputs that have these axes side by
    side. An empty text means nothing.

    Args:
        graph: The whole graph, everything unfolded.
        text: What somebody typed.
    """
    wanted = text.strip()
    if not wanted:
        return FindWire(total=0, hits=[])
    nearness, axes = _nearness_to(wanted), _axes(wanted)
    found: list[tuple[int, HitWire]] = []
    for item in _in_order(graph):
        match = _match(item, nearness, axes)
        if match is not None:
            found.append((match[0], _hit(item, match[1])))
    found.sort(key=lambda each: each[0])
    return FindWire(total=len(found), hits=[hit for _, hit in found[:MAX_HITS]])


def _in_order(graph: Graph) -> Iterator[Node | Group]:
    """Each container before what is inside of it."""
    waiting = {group.id: group for group in graph.groups}
    for node in graph.nodes:
        around: list[Group] = []
        box = node.group
        while box is not None and (group := waiting.pop(box, None)) is not None:
            around.append(group)
            box = group.parent
        yield from reversed(around)
        yield node


def _match(
    item: Node | Group, nearness: Callable[[str], int | None], axes: tuple[int | None, ...] | None
) -> tuple[int, Matched] | None:
    best: tuple[int, Matched] | None = None
    for matched, name in _names(item):
        near = nearness(name)
        if near is not None and (best is None or near < best[0]):
            best = (near, matched)
    if best is None and axes is not None and item.shape is not None and _has_axes(item.shape, axes):
        best = (_EXACT if len(item.shape) == len(axes) else _WITHIN, "shape")
    return best


def _names(item: Node | Group) -> tuple[tuple[Matched, str], ...]:
    if isinstance(item, Group) or item.kind == "module":
        return ("path", item.path), ("class", item.type_name)
    # The path of an operation is that of the module around it, which is a hit by itself.
    return (("operation" if item.kind == "op" else "path", item.name),)


def _nearness_to(wanted: str) -> Callable[[str], int | None]:
    low = wanted.casefold()
    if "*" in low or "?" in low:
        fits = re.compile(fnmatch.translate(low)).match
        return lambda name: _EXACT if fits(name.casefold()) else None

    def nearness(name: str) -> int | None:
        name = name.casefold()
        if low not in name:
            return None
        return _EXACT if name == low else _START if name.startswith(low) else _WITHIN

    return nearness


def _axes(wanted: str) -> tuple[int | None, ...] | None:
    """The sizes that a text spells, None for any size; None where it spells no shape."""
    bare = wanted.strip("()[] ")
    if _SHAPE.fullmatch(bare) is None:
        return None
    return tuple(None if size == "*" else int(size) for size in re.findall(r"\d+|\*", bare))


def _has_axes(shape: tuple[int, ...], axes: tuple[int | None, ...]) -> bool:
    return any(
        all(axis is None or axis == size for axis, size in zip(axes, shape[start:], strict=False))
        for start in range(len(shape) - len(axes) + 1)
    )


def _hit(item: Node | Group, matched: Matched) -> HitWire:
    return HitWire(
        path=item.path,
        node_id=item.id,
        name=item.name,
        type_name=item.type_name,
        shape=shape_text(item.shape),
        matched=matched,
    )


def _find(presentation: Presentation, fields: Fields) -> Answer:
    return find(presentation.drawing.whole, field(fields, "text", str)), []


FIND_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {"find": _find}
