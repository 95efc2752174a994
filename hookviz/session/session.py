"""The session: one model, watched. Where hooks, captures, flow and picture meet."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from torch import nn

from hookviz.capture.store import quiet
from hookviz.graph.colour_by import ColourBy, measure_named
from hookviz.health.badges import badges_of
from hookviz.health.case import Case
from hookviz.health.examination import examine
from hookviz.session.accepted import require, require_graph
from hookviz.session.export_file import export_file, write
from hookviz.session.forms import RECORDERS
from hookviz.session.options import WatchOptions
from hookviz.session.picture import Picture
from hookviz.session.showing import Showing
from hookviz.session.table import history_table_of, table_of

if TYPE_CHECKING:
    import os

    import pandas as pd

    from hookviz.diagram.direction import Direction
    from hookviz.graph.badges import Badges
    from hookviz.graph.graph import Graph
    from hookviz.health.finding import Finding


class Session(Showing):
    """Watches one model until ``close``. Made by ``hookviz.watch``.

    It holds the model weakly: a model that its owner drops is gone, and so is what was watched.
    While open, the attribute ``_compiled_call_impl`` of each module of the model holds a call seam.
    """

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        self._observers: dict[int, Callable[[Session], None]] = {}
        self._at_close: list[weakref.WeakMethod[Callable[[], None]]] = []
        self._observer_numbers = itertools.count()
        super().__init__(model, options)
        this = weakref.ref(self)
        self._capturing.notify = lambda: _notify(this())

    def observe(self, callback: Callable[[Session], None]) -> Callable[[], None]:
        """Have ``callback(session)`` called after each captured run's forward; returns what ends that.

        It is called in the thread of the run and must be quick.

        Raises:
            OptionError: if it cannot be called.
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
        require("observe takes a function that is called with the session", callback, is_accepted=callable(callback))
        number = next(self._observer_numbers)
        self._observers[number] = callback

        def stop() -> None:
            self._observers.pop(number, None)

        return stop

    def when_closed(self, callback: Callable[[], None]) -> None:
        """Have a method called when the session is closed, if its object is still there then."""
        self._at_close.append(weakref.WeakMethod(callback))

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
            ExportError: for another suffix, a folder that is not there, or a file that cannot be written.
            OptionError: if it is no path, no depth, no direction or nothing to colour by.
            RenderError: if no engine could lay it out; ``.txt`` and ``.json`` need none.
            ModelGoneError: if its owner dropped the model.
        """
        file = export_file(path)
        suffix = file.suffix.lower()
        record = RECORDERS.get(suffix)
        if record is not None:
            by = None if colour_by is None else measure_named(colour_by)
            content: str | bytes = record(self, depth, direction, by)
        else:
            graph = self.graph(depth)
            look = self._look(graph, direction, colour_by)
            content = Picture.content(graph, self.node_data(graph), suffix, self._notes(), look)
        write(file, content)

    def to_dataframe(self, *, history: bool = False) -> pd.DataFrame:
        """One row for each module call of the last captured run, or for each module in each run of the history.

        Of a call that returned several tensors there is a row for each. Seconds are those of the call, without what
        capturing took, and its activations are in bytes; NaN where they are not known.

        Args:
            history: The history, with the columns mark, step and path, and the numbers that ``session.history``
                gives; NaN where a number was not taken.

        Raises:
            PandasMissingError: if pandas is not installed.
            OptionError: if ``history`` is neither True nor False.
        """
        require("history is True or False", history, is_accepted=isinstance(history, bool))
        if history:
            self._capturing.bring_up_to_date()
            return history_table_of(self._capturing.history)
        return table_of(self.run, self._parts.index)

    def health(self) -> list[Finding]:
        """What looks wrong in the captured runs, the most suspicious first; empty where nothing does.

        Each finding has ``path``, ``symptom``, ``step``, ``sentence`` and ``numbers``. Looked for are NaN and
        infinities, exploding values and gradients, dead units, vanishing gradients, saturated activations and
        parameters that do not move; from which numbers on, and why, says ``hookviz.health.thresholds``. What was not
        captured is not judged: an empty list means that nothing was seen. Dead units are judged once 200 values
        of each were captured; layers that give only 0, fading gradients and saturation from 3 captured runs on.
        """
        self._capturing.bring_up_to_date()
        if self.run is None or not self.run.is_finished:
            return []
        capturing = self._capturing
        with quiet():
            return examine(Case(self.run, capturing.history, capturing.checkup, self._parts.index, self.name))

    def badges(self, graph: Graph) -> Badges:
        """What looks wrong, on the cards of a graph: the findings of ``health``, and the way of a NaN.

        Raises:
            OptionError: if it is no graph.
        """
        require_graph(graph)
        return badges_of(self.health(), self.run, graph)

    def close(self) -> None:
        """Take everything off the model again. What was captured can still be read; twice does nothing."""
        self._hooking.close()
        super().close()
        self._observers.clear()
        at_close, self._at_close = self._at_close, []
        for reference in at_close:
            callback = reference()
            if callback is not None:
                callback()

    def __repr__(self) -> str:
        is_gone = self._parts.model() is None
        state = (
            "closed" if not self.is_open else "the model is gone" if is_gone else "paused" if self.is_paused else "open"
        )
        return f"<hookviz session of {self.name}: {state}, {self.runs_captured} of {self.runs_seen} runs captured>"


def _notify(session: Session | None) -> None:
    if session is not None:
        for callback in list(session._observers.values()):
            callback(session)
