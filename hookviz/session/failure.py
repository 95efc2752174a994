"""Where a run raised that was not captured: read from its traceback, so nothing of it need be recorded."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import nn

from hookviz.capture.first_line import error_text
from hookviz.graph.graph import Node
from hookviz.graph.node_data import NodeData
from hookviz.hooks.origin import definition_of
from hookviz.hooks.paths import ModuleIndex

if TYPE_CHECKING:
    from hookviz.graph.graph import Graph, Group
    from hookviz.hooks.hook import Hook


@dataclass(frozen=True, slots=True)
class Failure:
    """One run that raised."""

    step: int
    """Number of the run, from 1."""
    path: str
    """The innermost module of the model that was at work; the model itself is ``""``."""
    text: str
    """Type and first line of the error."""
    called: tuple[types.CodeType, ...] = ()
    """What ran inside of that module's call, from the outermost: its forward, or a hook of it."""

    @classmethod
    def of(cls, error: BaseException, step: int, model: nn.Module) -> Failure:
        """What the traceback says: the innermost frame that belongs to a module of the model."""
        paths = {id(module): path for path, module in ModuleIndex(model).modules()}
        found, traceback = "", error.__traceback__
        called: list[types.CodeType] = []
        while traceback is not None:
            frame = traceback.tb_frame
            owner = frame.f_locals.get("self")
            # type() and not isinstance(): the user's objects may answer that with code of their own.
            if issubclass(type(owner), nn.Module) and id(owner) in paths:
                found = paths[id(owner)]
                called.clear()
            called.append(frame.f_code)
            traceback = traceback.tb_next
        return cls(step, found, error_text(error), tuple(called))

    def guilty(self, hooks: Iterable[Hook]) -> Hook | None:
        """The hook of that module that raised; None if it was none, or one of several that are alike."""
        found = [hook for hook in hooks if hook.path == self.path and _code(hook) in self.called]
        return found[0] if len(found) == 1 else None

    def _is_in(self, path: str) -> bool:
        """Whether it raised in the module at this path, or in one inside of it."""
        return not path or f"{self.path}.".startswith(f"{path}.")

    def marked(self, graph: Graph, data: Mapping[str, NodeData]) -> dict[str, NodeData]:
        """The lines of the cards with the module that raised, and the boxes around it, red.

        What the cards show else is of an earlier run, so the values of these go.
        """
        marked = dict(data)
        items: tuple[Group | Node, ...] = (*graph.groups, *graph.nodes)
        for item in items:
            # A row of identical siblings is in trouble if any of them is.
            paths = (item.path, *(item.members if isinstance(item, Node) else ()))
            if not item.id.startswith("module:") or not any(self._is_in(path) for path in paths):
                continue
            where = "" if item.path == self.path else f" in {self.path}"
            marked[item.id] = NodeData(
                state="failed",
                trouble=f"raised{where}: {self.text}",
                note=f"in run {self.step}, which was not captured",
                hooks_off=data[item.id].hooks_off if item.id in data else frozenset(),
            )
        return marked


def _code(hook: Hook) -> types.CodeType | None:
    function = definition_of(hook.function)
    return function.__code__ if isinstance(function, types.FunctionType) else None
