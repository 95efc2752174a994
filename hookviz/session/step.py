"""One captured step, to be looked at in the same ways as the session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hookviz.capture.call import GRADIENTS_OFF, ModuleCall
from hookviz.errors import ModelGoneError, NotCapturedError
from hookviz.graph.badges import Badges
from hookviz.graph.colour_by import ColourBy, measure_named
from hookviz.graph.pills import carriers_of
from hookviz.health.way import way_of
from hookviz.session.accepted import require_graph, require_path
from hookviz.session.hook_reports import OUTSIDE, HookReports
from hookviz.session.measuring import colouring_by
from hookviz.session.past_views import NOT_REMEMBERED, PastModuleView, PastReasons
from hookviz.session.picture import Picture
from hookviz.session.pictured import Pictured
from hookviz.session.switches import Switch
from hookviz.session.table import table_of
from hookviz.session.troubles import Troubles
from hookviz.session.values import node_data_of
from hookviz.session.views import ModuleView, ParameterView

if TYPE_CHECKING:
    import pandas as pd

    from hookviz.capture.effects import HookEffect
    from hookviz.capture.leaves import Nested
    from hookviz.capture.run import Run
    from hookviz.graph.colouring import Colouring
    from hookviz.graph.graph import Graph
    from hookviz.graph.node_data import NodeData
    from hookviz.hooks.hook import Hook
    from hookviz.session.session import Session

HOOKS_GONE: Final = "hooks that were removed since are not shown"
OTHER_FLOW: Final = "who fed whom was not traced in this step: the picture is that of an earlier one"


class Step(Pictured):
    """One captured step: what flowed, and the picture as it was. Made by ``session.at_step``.

    It keeps what it shows for as long as you hold it.
    """

    def __init__(self, session: Session, run: Run) -> None:
        self.session = session
        self.run = run
        self._troubles: tuple[int, Troubles] | None = None

    @property
    def step(self) -> int:
        """Which run of the model it is since it is watched, from 1."""
        return self.run.step

    @property
    def name(self) -> str:
        """How the model is called in the picture."""
        return self.session.name

    @property
    def is_newest(self) -> bool:
        """Whether no later run was captured."""
        return self.session.run is self.run

    @property
    def note(self) -> str:
        """What is not as it was in the picture, else empty."""
        effects, present = self.run.effects, {hook.id for hook in self.hooks}
        return "; ".join(
            text
            for text, is_so in (
                (OTHER_FLOW, not self.session._capturing.flows.of(self.run)[1]),
                (HOOKS_GONE, not self.is_newest and not effects.watched | effects.off <= present),
            )
            if is_so
        )

    def __getitem__(self, path: str) -> ModuleView:
        """A module with what flowed through it in this step.

        Raises:
            UnknownModuleError: if the model has no module at this path; the message has the nearest.
            NotCapturedError: if it is a parameter: only ``session[path]`` has it, as it is now.
            OptionError: if it is no path.
        """
        require_path(path)
        view = self.session[path]
        if isinstance(view, ParameterView):
            raise NotCapturedError(
                f"There is no {path!r} in a step: {NOT_REMEMBERED}. As it is now, it is at session[{path!r}]."
            )
        if self.is_newest:
            return view
        return PastModuleView(path, view.module, self._reasons(), source=f"session.at_step({self.step})")

    def _reasons(self) -> PastReasons:
        session = self.session
        return PastReasons(
            self.run,
            session._parts.index,
            session._switches,
            session.options,
            is_paused=False,
            is_compiled=False,
            step=self.step,
        )

    def outputs(self) -> dict[str, Nested]:
        """What the last call of each module returned, by path; see ``Session.outputs``."""
        reasons = self._reasons()
        last = {call.path: call for call in self.run.calls}
        return {path: call.output for path, call in last.items() if not reasons.of_no_value(call, "output")}

    def effects(self) -> list[HookEffect]:
        """What hooks did in this step, in the order in which they ran."""
        return list(self.run.effects)

    def is_enabled(self, what: Switch, path: str | None = None) -> bool:
        """Whether one kind was captured in this step: of any module, or of one."""
        calls = self.run.calls
        if path is not None:
            first = self.session._parts.index.first_path(path)
            calls = [call for call in calls if call.path == first]
        return not calls or any(_has(call, what) for call in calls)

    def hook_reports(self) -> HookReports:
        """How often each hook ran in this step and what it did."""
        session = self.session
        return HookReports(self.run, self._reasons(), session._tensor_at, session._written.caution)

    @property
    def hooks(self) -> list[Hook]:
        """The hooks that are known to have been on the model in this step and still are; of the newest, all.

        Their ``enabled`` is as it is now; ``hooks_off`` tells how it was.
        """
        effects = self.run.effects
        try:
            hooks = self.session.hooks
        except ModelGoneError:
            return []
        if self.is_newest:
            return hooks
        return [hook for hook in hooks if hook.id in effects.watched | effects.off or hook.kind in OUTSIDE]

    @property
    def hooks_off(self) -> frozenset[str]:
        """Ids of those hooks that were switched off in this step; of the newest, that are so now."""
        is_newest, off = self.is_newest, self.run.effects.off
        return frozenset(
            hook.id
            for hook in self.hooks
            # What is not watched in runs is known only as it is now.
            if (not hook.enabled if is_newest or hook.kind in OUTSIDE else hook.id in off)
        )

    def look_for_hooks(self) -> None:
        """See whether hooks came or went; see ``Session.look_for_hooks``."""
        self.session.look_for_hooks()

    @property
    def structure_version(self) -> tuple[int, int, bool]:
        """Another one when its picture needs a new layout, which only hooks can bring about."""
        return self.step, self.session._hooking.listed_version, self.is_newest

    @property
    def data_version(self) -> int:
        """Grows when what it shows changes: by a late gradient, or by a hook that was switched."""
        return self.run.revision + self.session._hooking.board.changes

    def picture(self) -> Picture:
        """The whole graph as this step made it, from which visible ones are made."""
        flow, _ = self.session._capturing.flows.of(self.run)
        return Picture.of(self.session.model, flow, self.name, self.hooks)

    @property
    def troubles(self) -> Troubles:
        """What is not finite in this step, and where that came from; looked for once."""
        revision = self.run.revision
        if self._troubles is None or self._troubles[0] != revision:
            self._troubles = revision, Troubles(self.run)
        return self._troubles[1]

    def colouring(self, graph: Graph, by: ColourBy) -> Colouring:
        """How the cards of a graph are coloured by one of their numbers; see ``Session.colouring``."""
        require_graph(graph)
        return colouring_by(graph, measure_named(by), self.run, self.session._parts.index.find)

    def badges(self, graph: Graph) -> Badges:
        """The way of this step's own NaN through a graph. Findings are of the newest runs, so it has none."""
        require_graph(graph)
        origin = self.troubles.first
        return Badges() if origin is None else Badges(way=way_of(origin, self.run, graph))

    def node_data(self, graph: Graph) -> dict[str, NodeData]:
        """What the nodes and groups of a graph show of this step, by id; see ``Session.node_data``."""
        require_graph(graph)
        # As it was then: another module may be there by now, or none.
        called = {call.path: call.module_id for call in self.run.calls}
        first_path = self.session._parts.index.first_path
        data = node_data_of(
            graph,
            self.run,
            self.troubles,
            module_id=lambda path: called.get(path, called.get(first_path(path))),
            is_enabled=self.is_enabled,
            is_compiled=lambda _path: False,
            why_not_called=self._reasons().of_uncalled,
        )
        for node_id, ids in carriers_of(self.hooks_off, graph).items():
            if node_id in data:
                data[node_id] = replace(data[node_id], hooks_off=ids)
        return data

    def _titled(self, graph: Graph) -> Graph:
        return replace(graph, title=f"{self.name}, step {self.step}")

    def _notes(self) -> list[str]:
        return [self.note] if self.note else []

    def to_dataframe(self) -> pd.DataFrame:
        """One row for each module call of the step.

        Raises:
            PandasMissingError: if pandas is not installed.
        """
        return table_of(self.run, self.session._parts.index)

    def __repr__(self) -> str:
        state = f"raised {self.run.exception}" if self.run.exception else "the newest" if self.is_newest else "past"
        return f"<Step {self.step} of {self.name}: {len(self.run.calls)} calls, {state}>"


def _has(call: ModuleCall, what: Switch) -> bool:
    """Whether this kind was captured of a call, or there was nothing to capture."""
    if what == "gradients":
        return GRADIENTS_OFF not in call.output_reasons
    captures = call.output_captures if what == "outputs" else call.input_captures
    return not captures or any(capture is not None for capture in captures)
