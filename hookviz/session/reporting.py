"""The hooks on a watched model, and what they did in its last captured run."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hookviz.graph.node_data import NodeData
from hookviz.graph.pills import card_of, hooks_off, pill_text
from hookviz.hooks.paths import each_module
from hookviz.session.accepted import hooks_of, require, require_hook
from hookviz.session.hook_reports import HookReport, HookReports
from hookviz.session.troubles import Troubles
from hookviz.session.views import ParameterView
from hookviz.session.writing import Writing

if TYPE_CHECKING:
    import torch
    from torch import nn

    from hookviz.capture.effects import HookEffect
    from hookviz.capture.run import Run
    from hookviz.errors import HookvizError
    from hookviz.graph.graph import Graph
    from hookviz.hooks.hook import Hook
    from hookviz.session.options import WatchOptions


class Reporting(Writing):
    """A recorded model with its hooks, and with what they did."""

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        super().__init__(model, options)
        self._capturing.look = self._hooking.look
        self._capturing.tensors = self._hooking.tensors
        self._capturing.hooks_off = self._hooking.board.ids_off
        self._troubles: tuple[weakref.ref[Run], int, Troubles] | None = None

    @property
    def hooks(self) -> list[Hook]:
        """Every hook on the model as it is now, whoever put it there, and its switch.

        First those of all modules, then module by module, each in the order in which its hooks run.

        Raises:
            ModelGoneError: if its owner dropped the model.
        """
        return self._hooking.hooks(self.model)

    @property
    def hooks_version(self) -> int:
        """Grows when hooks came, went or were switched since it was last read."""
        return self._hooking.version(self.model)

    def switch_hooks(self, hooks: Iterable[Hook], *, on: bool) -> list[tuple[Hook, HookvizError]]:
        """Switch many hooks at once; those that could not be switched are given back, each with its error.

        Raises:
            OptionError: if one of them is no hook, or ``on`` is neither True nor False; then none was switched.
        """
        require("on is True or False", on, is_accepted=isinstance(on, bool))
        return self._hooking.board.turn_all(hooks_of(hooks), on=on)

    def look_for_hooks(self) -> None:
        """See now whether hooks came or went, which else is seen when the next run is captured.

        Raises:
            ModelGoneError: if its owner dropped the model.
        """
        self._hooking.look(each_module(self.model))

    @property
    def structure_version(self) -> int:
        """Grows when the picture needs a new layout: another flow, other modules, other hooks."""
        return super().structure_version + self._hooking.listed_version

    @property
    def data_version(self) -> int:
        """Grows when captured values change, or switches of hooks."""
        return super().data_version + self._hooking.board.changes

    @property
    def troubles(self) -> Troubles | None:
        """What is not finite in the last captured run, looked for once; None before the first run."""
        run, version = self.run, self.data_version
        if run is None:
            return None
        known = self._troubles
        if known is not None and known[0]() is run and known[1] == version:
            return known[2]
        found = Troubles(run)
        self._troubles = (weakref.ref(run), version, found)
        return found

    def effects(self, path: str | None = None) -> list[HookEffect]:
        """What hooks did in the last captured run and its backward passes, in the order in which they ran.

        Each effect has the values before and after its hook. Of a hook that ran again in the same call, as in
        a second backward pass, the last effect stands; ``report(hook).fired`` counts them all.

        Args:
            path: A module, with its own parameters, or a parameter; None for all.

        Raises:
            UnknownModuleError: if there is nothing at this path; the message has the nearest.
        """
        found = [] if self.run is None else list(self.run.effects)
        if path is None:
            return found
        view = self[path]
        names = () if isinstance(view, ParameterView) else tuple(view.parameters)
        paths = {path, self._parts.index.first_path(path), *(f"{path}.{name}" if path else name for name in names)}
        return [effect for effect in found if effect.path in paths]

    def report(self, hook: Hook) -> HookReport:
        """How often a hook ran in the last captured run and what it did, or why it has not run.

        Raises:
            OptionError: if it is no hook.
        """
        require_hook(hook)
        return self.hook_reports().of(hook)

    def hook_reports(self) -> HookReports:
        """The same for many hooks."""
        return HookReports(self.run, self._reasons(), self._tensor_at, self._written.caution)

    @property
    def hook_that_raised(self) -> tuple[Hook, str] | None:
        """The hook that raised in the last run, or in its backward if it was captured: ``raised ValueError: no``."""
        raised = None if self.run is None else self.run.effects.raised
        if self._parts.model() is None or (self.failure is None and raised is None):
            return None
        hooks = self.hooks
        if self.failure is not None:
            guilty = self.failure.guilty(hooks)
            return None if guilty is None else (guilty, f"raised {self.failure.text}")
        return next(((hook, raised.text) for hook in hooks if raised is not None and hook.place == raised.place), None)

    def _tensor_at(self, path: str) -> torch.Tensor | None:
        owner, _, name = path.rpartition(".")
        module = self._parts.index.find(owner)
        if module is None:
            return None
        return module._parameters.get(name, module._buffers.get(name))

    def _with_hooks(self, graph: Graph, data: Mapping[str, NodeData]) -> dict[str, NodeData]:
        """The lines of the cards with what hooks add: which are off, and which one raised."""
        marked = dict(data)
        if not self._hooking.board.is_all_on:
            for node_id, ids in hooks_off(graph, self.hooks).items():
                marked[node_id] = replace(marked.get(node_id, NodeData()), hooks_off=ids)
        raised = self.hook_that_raised
        if raised is not None:
            hook, what = raised
            card = card_of(hook, graph)
            if card is not None:
                trouble = f"hook {pill_text(hook)} {what}"
                marked[card] = replace(marked.get(card, NodeData()), trouble=trouble)
        return marked
