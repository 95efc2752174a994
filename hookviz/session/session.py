"""The session: one model, watched. Where hooks, captures, flow and picture meet."""

from __future__ import annotations

import threading
import time
import warnings
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Self

from torch import nn

from hookviz.capture.budget import Budget
from hookviz.capture.history import History, HistoryKind, Statistic
from hookviz.capture.recomputation import Recomputation
from hookviz.capture.recorder import Recorder
from hookviz.capture.run import Run
from hookviz.capture.store import SHARE_OF_OUTPUTS, TensorStore
from hookviz.errors import ClosedSessionError, ModelGoneError
from hookviz.graph.graph import Graph
from hookviz.graph.node_data import NodeData
from hookviz.hooks import seam
from hookviz.hooks.paths import ModuleIndex, select
from hookviz.hooks.probe import Probe, RunObserver
from hookviz.session.observed import Observed, structure_of
from hookviz.session.options import WatchOptions
from hookviz.session.picture import Picture
from hookviz.session.switches import CaptureSwitches, Switch
from hookviz.session.values import node_data_of
from hookviz.session.views import ModuleView, ParameterView
from hookviz.tracing.flow import Flow
from hookviz.tracing.tracer import Tracer

if TYPE_CHECKING:
    import os

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hookviz.hooks.paths import Pattern

MOST_FLOWS = 8
"""So many different flows are remembered, newest first: a last small batch needs no new tracing each epoch."""


class Session:
    """Watches one model until ``close``. Made by ``hookviz.watch``.

    It holds the model weakly: a model that its owner drops is gone, and so is what was watched.
    While open, the attribute ``_compiled_call_impl`` of each module of the model holds a call seam.
    """

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        self.options = options
        self.name = type(model).__name__
        """How the model is called in the picture; may be set."""
        self.is_open = True
        self.is_paused = False
        self.problem = ""
        """What a fault of ours switched off, else empty."""
        self.runs_seen = 0
        self.runs_captured = 0
        self.structure_version = 0
        """Grows when the picture needs a new layout."""
        self.tick: Callable[[], None] | None = None
        """Called at the outermost call of each run, in the thread that makes it; must be quick."""
        self._model = weakref.ref(model)
        self._index = ModuleIndex(model)
        self._budget = Budget(options.overhead, options.every)
        watched = select(self._index, options.only, options.exclude)
        self._switches = CaptureSwitches(watched, inputs=options.inputs, gradients=options.gradients)
        self._store = TensorStore(options.keep_bytes)
        self._history = History(options.history)
        self._observed: Observed | None = None
        self._run: Run | None = None
        self._flow: Flow | None = None
        self._flows: dict[tuple[object, ...], Flow] = {}
        self._needs_trace = True
        self._events = 0
        self._has_warned = False
        self._observers: dict[int, Callable[[Session], None]] = {}
        self._lock = threading.RLock()
        self._probe = Probe(_Listener(self))
        self._probe.install(self._index)
        # A model that is dropped while watched takes its seams along; nothing else needs an end.

    # The model and its parts

    @property
    def model(self) -> nn.Module:
        """The watched model.

        Raises:
            ModelGoneError: if its owner dropped it.
        """
        model = self._model()
        if model is None:
            raise ModelGoneError(
                f"The watched {self.name} no longer exists: a session does not keep its model alive. "
                "Keep a name on the model, and watch it again: hookviz.watch(model)."
            )
        return model

    def paths(self) -> list[str]:
        """The paths of all modules, as in ``model.named_modules()``; the model itself is ``""``."""
        self._refresh_index()
        return self._index.paths()

    def __getitem__(self, path: str) -> ModuleView | ParameterView:
        """A module, parameter or buffer with what flowed through it.

        Raises:
            UnknownModuleError: if there is nothing at this path; the message has the nearest.
        """
        self._refresh_index()
        module = self._index.find(path)
        if module is not None:
            return ModuleView(path, module, self._run, lambda: self._why_nothing(path))
        owner, _, name = path.rpartition(".")
        parent = self._index.find(owner)
        if parent is not None:
            tensor = {**parent._buffers, **parent._parameters}.get(name)
            if tensor is not None:
                return ParameterView(path, tensor)
        more = [
            f"{at}.{name}" if at else name
            for at, module in self._index.modules()
            for name in (*module._parameters, *module._buffers)
        ]
        raise self._index.unknown(path, self.model, more)

    def _why_nothing(self, path: str) -> str:
        if self._run is None:
            return "no run yet: call the model."
        if seam.is_compiled(self.model):
            return "compiled: not observable. Watch the model before it is compiled, and call it uncompiled."
        if self._index.first_path(path) not in self._switches.watched:
            return "it is not watched: only and exclude leave it out."
        return "it was not called in the last captured run (its forward may be called directly, or replaced)."

    def _refresh_index(self) -> None:
        model = self._model()
        if model is not None and self.is_open:
            self._sync(model)

    def _sync(self, model: nn.Module) -> None:
        """Follow changes of the model: modules that came get a seam, those that went lose it."""
        before = dict(self._index.modules())
        if self._index.refresh(model):
            now = dict(self._index.modules())
            gone = {id(module): module for module in before.values()}
            for module in now.values():
                gone.pop(id(module), None)
            for module in gone.values():
                seam.remove(module, self._probe)
            self._switches.watch(select(self._index, self.options.only, self.options.exclude))
            self._needs_trace = True
            self.structure_version += 1
        self._probe.install(self._index)

    # Runs

    @property
    def run(self) -> Run | None:
        """The last captured run, None before the first. Gradients come in when backward does."""
        return self._run

    @property
    def data_version(self) -> int:
        """Grows when captured values change."""
        return self._events + (self._run.revision if self._run is not None else 0)

    @property
    def overhead_now(self) -> float:
        """Share of the last 20 seconds that went into capturing, 0 to 1."""
        return self._budget.share()

    @property
    def kept_bytes(self) -> int:
        """Bytes of tensors that are kept now."""
        return self._store.kept_bytes

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
        if self._run is not None and self._run.is_finished:
            self._history.add(self._run)
        return self._history.of(self._index.first_path(path), kind, statistic)

    def _begin(self) -> RunObserver | None:
        if self.tick is not None:
            self.tick()
        self.runs_seen += 1
        model = self._model()
        if model is None or not self.is_open or self.is_paused:
            return None
        self._settle_last()
        if not self._budget.is_due():
            return None
        started = time.perf_counter()
        self._sync(model)
        self._store.release()
        self._store = TensorStore(
            self.options.keep_bytes,
            share_of_outputs=SHARE_OF_OUTPUTS if self._switches.is_on("gradients", None) else 1.0,
        )
        run = Run(self.runs_seen, "")
        run.is_training = model.training
        recorder = Recorder(run, self._store, self._switches.plans(), exact=self.options.exact, fault=self._report)
        tracer = Tracer(model, is_compiled=seam.is_compiled) if self._needs_trace else None
        observed = Observed(run, recorder, tracer)
        if self._observed is not None:
            self._observed.recorder.hooks.remove()
        self._observed = observed
        self._run = run
        self.runs_captured += 1
        run.cost_seconds += time.perf_counter() - started
        return observed

    def _settle_last(self) -> None:
        """The last captured run and its backward are over: what they cost and what they showed."""
        observed = self._observed
        if observed is None or observed.is_settled:
            return
        observed.is_settled = True
        started = time.perf_counter()
        self._history.add(observed.run)
        observed.run.cost_seconds += time.perf_counter() - started
        self._budget.spend(observed.run.cost_seconds)

    def _end(self, observed: Observed, error: BaseException | None) -> None:
        started = time.perf_counter()
        observed.recorder.finish(error)
        signature = structure_of(observed.run)
        if observed.tracer is not None:
            flow = observed.tracer.finish()
            if observed.tracer.problem:
                self._report_text(observed.tracer.problem)
            if error is None:
                self._flows[signature] = flow
                while len(self._flows) > MOST_FLOWS:
                    del self._flows[next(iter(self._flows))]
                self._needs_trace = False
            self._show_flow(flow)
        elif signature in self._flows:
            self._show_flow(self._flows[signature])
        elif error is None:
            self._needs_trace = True
        observed.run.flow = self._flow
        self._events += 1
        observed.run.cost_seconds += time.perf_counter() - started
        for callback in list(self._observers.values()):
            callback(self)

    def _show_flow(self, flow: Flow) -> None:
        if flow != self._flow:
            self._flow = flow
            self.structure_version += 1

    def _recompute(self) -> RunObserver | None:
        observed = self._observed
        if observed is None or self.is_paused or not self.is_open:
            return None
        return Recomputation(observed.run, observed.recorder, self._switches.plans(), exact=self.options.exact)

    def _report(self, error: Exception) -> None:
        self._report_text(f"Capturing failed with {type(error).__name__}: {error}")

    def _report_text(self, text: str) -> None:
        self.problem = text
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"hookviz: {text} The model's run is not affected.", stacklevel=2)

    def observe(self, callback: Callable[[Session], None]) -> Callable[[], None]:
        """Have ``callback(session)`` called after each captured run's forward; returns what ends that.

        It is called in the thread of the run and must be quick.
        """
        with self._lock:
            number = max(self._observers, default=0) + 1
            self._observers[number] = callback

        def stop() -> None:
            self._observers.pop(number, None)

        return stop

    # Switches

    def pause(self) -> None:
        """Capture nothing from the next run on; what was captured stays."""
        self.is_paused = True
        self._events += 1

    def resume(self) -> None:
        """Capture again from the next run on."""
        self.is_paused = False
        self._events += 1

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
        self._switches.set(what, None if path is None else self._index.matching(path), enabled=enabled)
        self._events += 1

    def is_enabled(self, what: Switch, path: str | None = None) -> bool:
        """Whether one kind is captured: in general, or of one module."""
        return self._switches.is_on(what, None if path is None else self._index.first_path(path))

    def off_paths(self, what: Switch) -> tuple[str, ...]:
        """The modules for which this kind was switched off by themselves."""
        return self._switches.off_paths(what)

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
        return node_data_of(graph, self._run, self._module_id, self.is_enabled, self._is_compiled)  # type: ignore[arg-type]

    def _module_id(self, path: str) -> int | None:
        module = self._index.find(path)
        return None if module is None else id(module)

    def _is_compiled(self, path: str) -> bool:
        module = self._index.find(path)
        return module is not None and seam.is_compiled(module)

    def _picture(self) -> Picture:
        return Picture.of(self.model, self._flow, self.name)

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
        from hookviz.session.table import table_of

        return table_of(self._run, self._index)

    def unobservable(self) -> list[str]:
        """What of the model runs where nobody can look, in words; empty where all can be seen."""
        model = self._model()
        if model is None:
            return []
        found = [
            f"{path or 'the model'}: compiled: not observable"
            for path, module in self._index.modules()
            if seam.is_compiled(module)
        ]
        if seam.is_wrapped_by_compiler(model):
            found.append("torch.compile(model) was made: calls of its result are not observable, those of the model are")
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
        self.is_open = False
        self.tick = None
        self._observers.clear()
        if self._observed is not None:
            self._observed.recorder.hooks.remove()
        self._probe.remove(self._index)
        self._events += 1

    def __enter__(self) -> Self:
        self._require_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if not self.is_open else "paused" if self.is_paused else "open"
        return f"<hookviz session of {self.name}: {state}, {self.runs_captured} of {self.runs_seen} runs captured>"


class _Listener:
    """The probe's way to the session; holds it weakly, since each module's seam holds the probe."""

    def __init__(self, session: Session) -> None:
        self._session = weakref.ref(session)

    def begin(self, module: nn.Module, path: str) -> RunObserver | None:
        session = self._session()
        observer = None if session is None else session._begin()
        if isinstance(observer, Observed):
            observer.run.path = path
        return observer

    def recompute(self) -> RunObserver | None:
        session = self._session()
        return None if session is None else session._recompute()

    def end(self, observer: RunObserver, error: BaseException | None) -> None:
        session = self._session()
        if session is not None and isinstance(observer, Observed):
            session._end(observer, error)

    def fault(self, error: Exception) -> None:
        session = self._session()
        if session is not None:
            session._report(error)
