"""The session: one model, watched. Where hooks, captures, flow and picture meet."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Self

from torch import nn

from hookviz.capture.history import HistoryKind, Statistic
from hookviz.capture.run import Run
from hookviz.errors import ClosedSessionError, ModelGoneError
from hookviz.graph.graph import Graph
from hookviz.graph.node_data import NodeData
from hookviz.hooks import seam
from hookviz.hooks.probe import Probe
from hookviz.session.capturing import Capturing
from hookviz.session.options import WatchOptions
from hookviz.session.parts import Parts
from hookviz.session.picture import Picture
from hookviz.session.switches import CaptureSwitches, Switch
from hookviz.session.table import table_of
from hookviz.session.values import node_data_of
from hookviz.session.views import ModuleView, ParameterView

if TYPE_CHECKING:
    import os

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hookviz.hooks.paths import Pattern


class Session:
    """Watches one model until ``close``. Made by ``hookviz.watch``.

    It holds the model weakly: a model that its owner drops is gone, and so is what was watched.
    While open, the attribute ``_compiled_call_impl`` of each module of the model holds a call seam.
    """

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        self.options = options
        self.name = type(model).__name__
        """How the model is called in the picture; may be set."""
        self._parts = Parts(model)
        self._switches = CaptureSwitches(
            self._parts.selected(options.only, options.exclude), inputs=options.inputs, gradients=options.gradients
        )
        self._capturing = Capturing(self._parts, self._switches, options)
        self._observers: dict[int, Callable[[Session], None]] = {}
        self._observer_numbers = itertools.count()
        this = weakref.ref(self)
        self._capturing.notify = lambda: _notify(this())
        self._parts.install(Probe(self._capturing))

    # The model and its parts

    @property
    def model(self) -> nn.Module:
        """The watched model.

        Raises:
            ModelGoneError: if its owner dropped it.
        """
        model = self._parts.model()
        if model is None:
            raise ModelGoneError(
                f"The watched {self.name} no longer exists: a session does not keep its model alive. "
                "Keep a name on the model, and watch it again: hookviz.watch(model)."
            )
        return model

    def paths(self) -> list[str]:
        """The paths of all modules, as in ``model.named_modules()``; the model itself is ``""``."""
        self._follow_changes()
        return self._parts.index.paths()

    def __getitem__(self, path: str) -> ModuleView | ParameterView:
        """A module, parameter or buffer with what flowed through it.

        Raises:
            UnknownModuleError: if there is nothing at this path; the message has the nearest.
        """
        self._follow_changes()
        module = self._parts.index.find(path)
        if module is not None:
            return ModuleView(path, module, self.run, lambda: self._why_nothing(path))
        owner, _, name = path.rpartition(".")
        parent = self._parts.index.find(owner)
        if parent is not None:
            tensor = {**parent._buffers, **parent._parameters}.get(name)
            if tensor is not None:
                return ParameterView(path, tensor)
        more = [
            f"{at}.{name}" if at else name
            for at, module in self._parts.index.modules()
            for name in (*module._parameters, *module._buffers)
        ]
        raise self._parts.index.unknown(path, self.model, more)

    def _why_nothing(self, path: str) -> str:
        if self.run is None:
            return "no run yet: call the model."
        if seam.is_compiled(self.model):
            return "compiled: not observable. Watch the model before it is compiled, and call it uncompiled."
        if self._parts.index.first_path(path) not in self._switches.watched:
            return "it is not watched: only and exclude leave it out."
        return "it was not called in the last captured run (its forward may be called directly, or replaced)."

    def _follow_changes(self) -> None:
        model = self._parts.model()
        if model is not None and self.is_open:
            self._capturing.follow_changes(model)

    # Runs

    @property
    def run(self) -> Run | None:
        """The last captured run, None before the first. Gradients come in when backward does."""
        return self._capturing.run

    @property
    def runs_seen(self) -> int:
        """How often the model, or a part of it by itself, was called since it is watched."""
        return self._capturing.runs_seen

    @property
    def runs_captured(self) -> int:
        """How many of these runs were captured."""
        return self._capturing.runs_captured

    @property
    def problem(self) -> str:
        """What a fault of ours switched off, else empty."""
        return self._capturing.problem

    @property
    def structure_version(self) -> int:
        """Grows when the picture needs a new layout."""
        return self._capturing.structure_version

    @property
    def data_version(self) -> int:
        """Grows when captured values change."""
        run = self._capturing.run
        return self._capturing.events + (run.revision if run is not None else 0)

    @property
    def tick(self) -> Callable[[], None] | None:
        """Called at the outermost call of each run, in the thread that makes it; must be quick."""
        return self._capturing.tick

    @tick.setter
    def tick(self, tick: Callable[[], None] | None) -> None:
        self._capturing.tick = tick

    @property
    def overhead_now(self) -> float:
        """Share of the last 20 seconds that went into capturing, 0 to 1."""
        return self._capturing.budget.share()

    @property
    def kept_bytes(self) -> int:
        """Bytes of tensors that are kept now."""
        return self._capturing.store.kept_bytes

    @property
    def is_open(self) -> bool:
        """False after ``close``."""
        return self._capturing.is_open

    @property
    def is_paused(self) -> bool:
        """True between ``pause`` and ``resume``."""
        return self._capturing.is_paused

    def history(
        self, path: str, kind: HistoryKind, statistic: Statistic
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Steps and values of one statistic over the captured runs, as two arrays of one length.

        Args:
            path: A module.
            kind: ``"output"`` or ``"grad_output"``.
            statistic: ``"mean"``, ``"std"``, ``"min"``, ``"max"`` or ``"norm"``.

        Raises:
            NotCapturedError: if nothing of this was captured.
        """
        if self.run is not None and self.run.is_finished:
            self._capturing.history.add(self.run)
        return self._capturing.history.of(self._parts.index.first_path(path), kind, statistic)

    def observe(self, callback: Callable[[Session], None]) -> Callable[[], None]:
        """Have ``callback(session)`` called after each captured run's forward; returns what ends that.

        It is called in the thread of the run and must be quick.
        """
        number = next(self._observer_numbers)
        self._observers[number] = callback

        def stop() -> None:
            self._observers.pop(number, None)

        return stop

    # Switches

    def pause(self) -> None:
        """Capture nothing from the next run on; what was captured stays."""
        self._capturing.is_paused = True
        self._capturing.events += 1

    def resume(self) -> None:
        """Capture again from the next run on."""
        self._capturing.is_paused = False
        self._capturing.events += 1

    def enable(self, what: Switch, path: Pattern | None = None) -> None:
        """Capture ``"outputs"``, ``"gradients"`` or ``"inputs"`` again, from the next run on.

        Args:
            what: The kind of capture.
            path: A module's path or a pattern; None means all modules.

        Raises:
            PatternError: if the path or pattern matches no module.
        """
        self._switch(what, path, enabled=True)

    def disable(self, what: Switch, path: Pattern | None = None) -> None:
        """Stop capturing one kind, from the next run on; see ``enable``."""
        self._switch(what, path, enabled=False)

    def _switch(self, what: Switch, path: Pattern | None, *, enabled: bool) -> None:
        self._require_open()
        self._switches.set(what, None if path is None else self._parts.index.matching(path), enabled=enabled)
        self._capturing.events += 1

    def is_enabled(self, what: Switch, path: str | None = None) -> bool:
        """Whether one kind is captured: in general, or of one module."""
        return self._switches.is_on(what, None if path is None else self._parts.index.first_path(path))

    def off_paths(self, what: Switch) -> tuple[str, ...]:
        """The modules for which this kind was switched off by themselves."""
        return self._switches.off_paths(what)

    def keep_first(self, *paths: str) -> None:
        """From the next run on, keep the tensors of these modules before all others, up to the byte limit.

        The widget asks for those of the selected module. Each call replaces the last one.
        """
        self._capturing.wanted = frozenset(self._parts.index.first_path(path) for path in paths)

    # The picture

    def graph(self, depth: int | None = None, expanded: Collection[str] | None = None) -> Graph:
        """The picture's structure, unfolded to a depth or at the given paths.

        By default as far as about 60 nodes go.
        """
        return self._picture().visible(depth, expanded)

    def full_graph(self) -> Graph:
        """The structure with every container unfolded."""
        return self._picture().whole

    def node_data(self, graph: Graph) -> dict[str, NodeData]:
        """What the nodes and groups of a graph show of the last captured run, by id."""
        return node_data_of(graph, self.run, self._parts.identity, self.is_enabled, self._parts.is_compiled)  # type: ignore[arg-type]

    def _picture(self) -> Picture:
        return Picture.of(self.model, self._capturing.flow, self.name)

    def dot(self, depth: int | None = None) -> str:
        """The picture in Graphviz's language."""
        graph = self.graph(depth)
        return Picture.dot(graph, self.node_data(graph))

    def svg(self, depth: int | None = None) -> str:
        """The picture as a stand-alone SVG."""
        return Picture.svg(self.dot(depth))

    def png(self, depth: int | None = None) -> bytes:
        """The picture as a PNG."""
        return Picture.png(self.dot(depth))

    def text(self, depth: int | None = None) -> str:
        """The picture as an indented tree of text."""
        graph = self.graph(depth)
        return Picture.text(graph, self.node_data(graph))

    def export(self, path: str | os.PathLike[str], depth: int | None = None) -> None:
        """Write the picture to a file: ``.svg``, ``.png``, ``.dot`` or ``.txt``.

        Raises:
            ExportError: for another suffix.
        """
        graph = self.graph(depth)
        Picture.export(graph, self.node_data(graph), path)

    def to_dataframe(self) -> pd.DataFrame:
        """One row for each module call of the last captured run; needs pandas."""
        return table_of(self.run, self._parts.index)

    def unobservable(self) -> list[str]:
        """What of the model runs where nobody can look, in words; empty where all can be seen."""
        model = self._parts.model()
        if model is None:
            return []
        found = [
            f"{path or 'the model'}: compiled: not observable"
            for path, module in self._parts.index.modules()
            if seam.is_compiled(module)
        ]
        if seam.is_wrapped_by_compiler(model):
            found.append(
                "torch.compile(model) was made: calls of its result are not observable, those of the model are"
            )
        return found

    # The end

    def _require_open(self) -> None:
        if not self.is_open:
            raise ClosedSessionError(
                f"The session of {self.name} is closed. Watch the model again: hookviz.watch(model)."
            )

    def close(self) -> None:
        """Take everything off the model again. What was captured can still be read; twice does nothing."""
        if not self.is_open:
            return
        self._capturing.close()
        self._observers.clear()
        self._parts.remove()

    def __enter__(self) -> Self:
        self._require_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if not self.is_open else "paused" if self.is_paused else "open"
        return f"<hookviz session of {self.name}: {state}, {self.runs_captured} of {self.runs_seen} runs captured>"


def _notify(session: Session | None) -> None:
    if session is not None:
        for callback in list(session._observers.values()):
            callback(session)
