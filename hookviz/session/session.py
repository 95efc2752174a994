"""The session: one model, watched. Where hooks, captures, flow and picture meet."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from torch import nn

from hookviz.capture.store import quiet
from hookviz.graph.colour_by import ColourBy, measure_named
from hookviz.graph.colouring import Colouring
from hookviz.graph.graph import Graph
from hookviz.graph.node_data import NodeData
from hookviz.health.case import Case
from hookviz.health.examination import examine
from hookviz.session.accepted import require
from hookviz.session.forms import RECORDERS
from hookviz.session.measuring import colouring_by
from hookviz.session.options import WatchOptions
from hookviz.session.picture import Look, Picture, coloured, target_of
from hookviz.session.stepping import Stepping
from hookviz.session.table import history_table_of, table_of
from hookviz.session.values import node_data_of

if TYPE_CHECKING:
    import os

    import pandas as pd

    from hookviz.diagram.direction import Direction
    from hookviz.health.finding import Finding


class Session(Stepping):
    """Watches one model until ``close``. Made by ``hookviz.watch``.

    It holds the model weakly: a model that its owner drops is gone, and so is what was watched.
    While open, the attribute ``_compiled_call_impl`` of each module of the model holds a call seam.
    """

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        self._observers: dict[int, Callable[[Session], None]] = {}
        self._observer_numbers = itertools.count()
        super().__init__(model, options)
        this = weakref.ref(self)
        self._capturing.notify = lambda: _notify(this())

    def observe(self, callback: Callable[[Session], None]) -> Callable[[], None]:
        """Have ``callback(session)`` called after each captured run's forward; returns what ends that.

        It is called in the thread of the run and must be quick.

        Raises:
            OptionError: if it cannot be called.
        """
        require("observe takes a function that is called with the session", callback, is_accepted=callable(callback))
        number = next(self._observer_numbers)
        self._observers[number] = callback

        def stop() -> None:
            self._observers.pop(number, None)

        return stop

    def graph(
        self, depth: int | None = None, expanded: Collection[str] | None = None, *, step: int | None = None
    ) -> Graph:
        """The picture's structure, unfolded to a depth or at the given paths; of a captured step as it was then.

        By default as far as about 60 nodes go.
        """
        return (self if step is None else self.at_step(step)).picture().visible(depth, expanded)

    def full_graph(self) -> Graph:
        """The structure with every container unfolded."""
        return self.picture().whole

    def node_data(self, graph: Graph) -> dict[str, NodeData]:
        """What the nodes and groups of a graph show of the last captured run, by id.

        Raises:
            OptionError: if it is no graph.
        """
        require("node_data takes a graph, as session.graph() gives it", graph, is_accepted=isinstance(graph, Graph))
        data = node_data_of(
            graph,
            self.run,
            self.troubles,
            module_id=self._parts.identity,
            is_enabled=self.is_enabled,  # type: ignore[arg-type]  # the kind is a plain str there
            is_compiled=self._parts.is_compiled,
            why_not_called=self._reasons().of_uncalled,
        )
        return self._with_hooks(graph, data if self.failure is None else self.failure.marked(graph, data))

    def colouring(self, graph: Graph, by: ColourBy) -> Colouring:
        """How the cards of a graph are coloured by one of their numbers, as the last captured run has them.

        Args:
            graph: As ``graph()`` gives it.
            by: ``"scale"`` of the output, norm of the ``"gradient"``, share of ``"zeros"``, ``"time"`` of forward,
                ``"memory"`` of activations, or number of ``"parameters"``.

        Raises:
            OptionError: if there is no such number.
        """
        return colouring_by(graph, measure_named(by), self.run, self._parts.index.find)

    def picture(self) -> Picture:
        """The whole graph with the hooks on it, from which visible ones are made."""
        return Picture.of(self.model, self._capturing.flow, self.name, self.hooks)

    def dot(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> str:
        """The picture in Graphviz's language.

        Args:
            depth: How many levels of containers are unfolded; None for what is well readable.
            direction: ``"TB"``, from the top to the bottom, or ``"LR"``, from left to right; None for that in which
                the whole can be seen larger.
            step: A captured step, of ``steps``, that is shown as it was; None for the newest.
            colour_by: The number that cards are coloured by, see ``colouring``; None for no colours.

        Raises:
            OptionError: if it is no depth, no direction or no such number.
            UnknownStepError: if the step is not there; the message has those that are.
        """
        if step is not None:
            return self.at_step(step).dot(depth, direction=direction, colour_by=colour_by)
        graph = self.graph(depth)
        return Picture.dot(graph, self.node_data(graph), direction, coloured(self, graph, colour_by))

    def svg(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> str:
        """The picture as a stand-alone SVG; the arguments are those of ``dot``."""
        if step is not None:
            return self.at_step(step).svg(depth, direction=direction, colour_by=colour_by)
        graph = self.graph(depth)
        dot = Picture.dot(graph, self.node_data(graph), direction)
        return Picture.svg(dot, coloured(self, graph, colour_by))

    def png(
        self,
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        step: int | None = None,
        colour_by: ColourBy | None = None,
    ) -> bytes:
        """The picture as a PNG; the arguments are those of ``dot``."""
        return Picture.png(self.dot(depth, direction=direction, step=step, colour_by=colour_by))

    def text(self, depth: int | None = None, *, step: int | None = None) -> str:
        """The picture as an indented tree of text; what of the model cannot be observed stands below its name."""
        if step is not None:
            return self.at_step(step).text(depth)
        graph = self.graph(depth)
        return Picture.text(graph, self.node_data(graph), self.unobservable())

    def export(
        self,
        path: str | os.PathLike[str],
        depth: int | None = None,
        *,
        direction: Direction | None = None,
        colour_by: ColourBy | None = None,
    ) -> None:
        """Write the picture, or all that is known, to a file; its suffix says how.

        ``.svg``, ``.png``, ``.dot`` and ``.txt`` are the picture.

        ``.html`` is one page for a browser, without kernel or network: the picture, the statistics, histograms
        and a first slice of the kept tensors, and the hooks to read.

        ``.json`` is for programs: the graph, the hooks, and the statistics of each call of the last captured
        run and of the parameters; ``hookviz.widget.document.DocumentWire`` names its fields. It holds no
        tensors, and ``json.load`` is all that it needs. NaN and infinities are the texts ``nan``, ``inf``, ``-inf``.

        Args:
            path: The file.
            depth: How many levels of containers are unfolded; None for what is well readable, in JSON for all.
            direction: As for ``dot``; a text and JSON have none.
            colour_by: As for ``dot``; in HTML that of the beginning, since all can be chosen there.

        Raises:
            ExportError: for another suffix, or a folder that is not there.
            OptionError: if it is no path, no depth, no direction or nothing to colour by.
        """
        target = target_of(path)
        record = RECORDERS.get(target.suffix.lower())
        if record is not None:
            by = None if colour_by is None else measure_named(colour_by)
            target.write_text(record(self, depth, direction, by), encoding="utf-8")
            return
        graph = self.graph(depth)
        colouring = coloured(self, graph, colour_by)
        Picture.export(graph, self.node_data(graph), target, self.unobservable(), Look(direction, colouring))

    def to_dataframe(self, *, history: bool = False) -> pd.DataFrame:
        """One row for each module call of the last captured run, or for each module in each run of the history.

        Args:
            history: The history, with the columns mark, step and path, and the numbers that ``session.history``
                gives; NaN where a number was not taken.

        Raises:
            PandasMissingError: if pandas is not installed.
        """
        if history:
            self._capturing.bring_up_to_date()
            return history_table_of(self._capturing.history)
        return table_of(self.run, self._parts.index)

    def health(self) -> list[Finding]:
        """What looks wrong in the captured runs, the most suspicious first; empty where nothing does.

        Each finding has ``path``, ``symptom``, ``step``, ``sentence`` and ``numbers``. Looked for are NaN and
        infinities, exploding values and gradients, dead units, vanishing gradients, saturated activations and
        parameters that do not move; from which numbers on, and why, says ``hookviz.health.thresholds``. What was not
        captured is not judged: an empty list means that nothing was seen.
        """
        self._capturing.bring_up_to_date()
        if self.run is None or not self.run.is_finished:
            return []
        capturing = self._capturing
        with quiet():
            return examine(Case(self.run, capturing.history, capturing.checkup, self._parts.index, self.name))

    def close(self) -> None:
        """Take everything off the model again. What was captured can still be read; twice does nothing."""
        self._hooking.close()
        super().close()
        self._observers.clear()

    def __repr__(self) -> str:
        state = "closed" if not self.is_open else "paused" if self.is_paused else "open"
        return f"<hookviz session of {self.name}: {state}, {self.runs_captured} of {self.runs_seen} runs captured>"


def _notify(session: Session | None) -> None:
    if session is not None:
        for callback in list(session._observers.values()):
            callback(session)
