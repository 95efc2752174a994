"""Numbers of past captured runs: a ring for each module and each kind of value, apart for each training."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hookviz.capture.measured_rows import Numbers
from hookviz.capture.run import Run
from hookviz.errors import NotCapturedError, UnknownMarkError

HistoryKind = Literal["output", "grad_output", "parameters"]
Statistic = Literal["mean", "std", "min", "max", "norm", "zeros", "update_ratio"]

MOMENTS: Final[tuple[Statistic, ...]] = ("mean", "std", "min", "max", "norm")
STATISTICS: Final[Mapping[HistoryKind, tuple[Statistic, ...]]] = {
    "output": (*MOMENTS, "zeros"),
    "grad_output": MOMENTS,
    "parameters": ("update_ratio",),
}
"""What is remembered of each kind."""

MOST_MARKS = 8
"""So many trainings are remembered, the newest ones: more lines in one plot are hard to tell apart."""

MOST_NAMED = 5
"""Of more modules inside of one that has no history, only the number is told."""

_Series = Literal["zeros", "update_ratio"]
"""What is not looked at in each captured run."""

_Values = dict[str, Numbers]
"""By path."""


class _Training:
    """What was captured since one mark."""

    def __init__(self, name: str, first_step: int, length: int) -> None:
        self.name = name
        self.first_step = first_step
        self.paths: dict[str, None] = {}
        """Those that have a history."""
        self.runs: deque[tuple[int, dict[HistoryKind, _Values]]] = deque(maxlen=length)
        """The step and the numbers of each run."""
        self.rows: dict[tuple[str, _Series], deque[tuple[int, float]]] = {}
        """Steps and values."""

    def resize(self, length: int) -> None:
        """Keep the last ``length`` of all from now on."""
        self.runs = deque(self.runs, maxlen=length)
        self.rows = {key: deque(rows, maxlen=length) for key, rows in self.rows.items()}


class History:
    """Keeps some numbers of the first tensor of each module's last call, for the last ``length`` runs.

    ``mark`` begins a new training, which has a ring of its own.
    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._trainings = [_Training("", 0, length)]
        # Reading adds the last run, too, and is done in any thread.
        self._lock = threading.Lock()

    def resize(self, length: int) -> None:
        """Keep the last ``length`` runs from now on."""
        if length != self._length:
            with self._lock:
                self._length = length
                for training in self._trainings:
                    training.resize(length)

    def mark(self, name: str, first_step: int) -> None:
        """Keep the runs from ``first_step`` on apart, under this name; an older training of that name goes."""
        with self._lock:
            others = [training for training in self._trainings if training.paths and training.name != name]
            self._trainings = [*others[1 - MOST_MARKS :], _Training(name, first_step, self._length)]

    @property
    def marks(self) -> dict[str, int]:
        """The names of the trainings, oldest first, and the step with which each of them began.

        What came before the first mark has an empty name.
        """
        return {training.name: max(1, training.first_step) for training in self._trainings}

    @property
    def length(self) -> int:
        """How many runs are kept of each training."""
        return self._length

    def add(self, run: Run) -> None:
        """Take over the numbers of a run whose backward is over."""
        run.settle()
        with self._lock:
            training = self._training_at(run.step)
            if training is None:
                return
            if training.runs and training.runs[-1][0] >= run.step:
                if training.runs[-1][0] > run.step:
                    # A reader saw this run end before, and came later than the next one.
                    return
                training.runs.pop()
            outputs: _Values = {}
            gradients: _Values = {}
            for call in run.calls:
                captures = call.output_captures
                if captures and captures[0] is not None:
                    outputs[call.path] = captures[0].numbers
                if call.needs_grad:
                    gradient = call.output_gradients()[0]
                    if gradient is not None:
                        gradients[call.path] = gradient.numbers
            training.runs.append((run.step, {"output": outputs, "grad_output": gradients}))
            for values in (outputs, gradients):
                if not values.keys() <= training.paths.keys():
                    # Of an empty tensor nothing is a number: there is nothing to remember.
                    training.paths |= {path: None for path, numbers in values.items() if numbers[0] is not None}

    def add_zeros(self, step: int, path: str, share: float) -> None:
        """The share of the output of a module that is 0."""
        self._add(path, "zeros", step, share)

    def add_update(self, step: int, path: str, ratio: float) -> None:
        """How far one step of training moved the parameters of a module, over their own norm."""
        self._add(path, "update_ratio", step, ratio)

    def _add(self, path: str, series: _Series, step: int, value: float) -> None:
        with self._lock:
            training = self._training_at(step)
            if training is None:
                return
            rows = training.rows.get((path, series))
            if rows is None:
                rows = training.rows[path, series] = deque(maxlen=self._length)
                training.paths[path] = None
            if rows:
                if rows[-1][0] > step:
                    return
                if rows[-1][0] == step:
                    rows.pop()
            rows.append((step, value))

    def of(
        self, path: str, kind: HistoryKind, statistic: Statistic, mark: str | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Steps and values, oldest first, as two arrays of one length: of one training, by default the last.

        Raises:
            UnknownMarkError: if there is no such mark; the message names those there are.
            NotCapturedError: if there is no such history; the message names what there is.
        """
        rows: list[tuple[int, float]] = []
        # Compared, not looked up: what is given here may be of a type that has no hash.
        known = next((statistics for name, statistics in STATISTICS.items() if name == kind), ())
        if statistic in known:
            rows = self._rows(path, kind, statistic, self._training(mark))
        if not rows:
            name = self._trainings[-1].name if mark is None else mark
            since = f" since the mark {name!r}" if name else ""
            why = _why_nothing(kind, statistic) if statistic in known else _there_is()
            if statistic == "update_ratio" and statistic in known:
                why = self._inside(path, self._training(mark)) or why
            raise NotCapturedError(f"There is no history of {statistic!r} of {kind!r} at {path!r}{since}. {why}")
        steps, values = zip(*rows, strict=True)
        return np.array(steps, dtype=np.int64), np.array(values, dtype=np.float64)

    def last(self, path: str, kind: Literal["output", "grad_output"], statistic: Statistic, count: int) -> list[float]:
        """The newest values of the present training, at most ``count``, oldest first."""
        rows = self._rows(path, kind, statistic, self._trainings[-1])
        return [value for _, value in rows[-count:]]

    @property
    def oldest_step(self) -> int:
        """The first captured run of the present training that is still remembered; its beginning if there is none."""
        with self._lock:
            return self._oldest_of(self._trainings[-1])

    def paths(self) -> list[str]:
        """Every module that has a history, in the order in which they were first seen."""
        with self._lock:
            return list(dict.fromkeys(path for training in self._trainings for path in training.paths))

    def _training_at(self, step: float) -> _Training | None:
        # A run that ended before a mark was set may come in after it.
        return next((training for training in reversed(self._trainings) if training.first_step <= step), None)

    def _training(self, mark: str | None) -> _Training:
        with self._lock:
            if mark is None:
                return self._trainings[-1]
            found = next((training for training in self._trainings if training.name == mark), None)
        if found is None:
            known = ", ".join(map(repr, self.marks))
            raise UnknownMarkError(
                f"There is no mark {mark!r} in the history. Marks: {known}; set one by session.mark."
            )
        return found

    def _oldest_of(self, training: _Training) -> int:
        return training.runs[0][0] if training.runs else training.first_step

    def _rows(self, path: str, kind: HistoryKind, statistic: Statistic, training: _Training) -> list[tuple[int, float]]:
        with self._lock:
            if statistic in ("zeros", "update_ratio"):
                # What is not taken in each run would else reach further back than the runs themselves.
                oldest = self._oldest_of(training)
                return [row for row in training.rows.get((path, statistic), ()) if row[0] >= oldest]
            column = MOMENTS.index(statistic)
            found = [(step, values[kind].get(path)) for step, values in training.runs]
        return [
            (step, math.nan if (value := numbers[column]) is None else value)
            for step, numbers in found
            if numbers is not None and numbers[0] is not None
        ]

    def _inside(self, path: str, training: _Training) -> str:
        """Which modules inside of this one have a ratio of updates; empty where none has."""
        with self._lock:
            owners = [owner for owner, series in training.rows if series == "update_ratio" and owner != path]
        inside = [repr(owner) for owner in owners if not path or owner.startswith(f"{path}.")]
        more = f" and {len(inside) - MOST_NAMED} more" if len(inside) > MOST_NAMED else ""
        why = "It is that of a module's own parameters, and this one has none that moved; inside of it there is one at"
        return f"{why} {', '.join(inside[:MOST_NAMED])}{more}." if inside else ""


def _there_is() -> str:
    kinds = "; ".join(f'"{kind}" has {", ".join(names)}' for kind, names in STATISTICS.items())
    return f"Statistics: {kinds}."


def _why_nothing(kind: HistoryKind, statistic: Statistic) -> str:
    """What a run must do to enter the history, where none did."""
    if kind == "parameters":
        return (
            "It has a value for each captured run after which a parameter of the model had moved, at modules with "
            "parameters of their own that were not all 0: call optimizer.step() between runs, with a learning rate "
            "above 0. Not every captured run is looked at."
        )
    if kind == "grad_output":
        return "It has a value for each captured run that had a backward through this module's output."
    looked = " and was looked at" if statistic == "zeros" else ""
    return f"It has a value for each captured run in which this module returned a tensor{looked}."
