"""Numbers of past captured runs: a ring for each module and each kind of value."""

from __future__ import annotations

import threading
from collections import deque
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hookviz.capture.capture import Capture
from hookviz.capture.run import Run
from hookviz.errors import NotCapturedError

HistoryKind = Literal["output", "grad_output"]
Statistic = Literal["mean", "std", "min", "max", "norm"]
STATISTICS: tuple[Statistic, ...] = ("mean", "std", "min", "max", "norm")


class History:
    """Keeps five numbers of the first tensor of each module's last call, for the last ``length`` runs."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._rows: dict[tuple[str, HistoryKind], deque[tuple[float, ...]]] = {}
        # Reading adds the last run, too, and is done in any thread.
        self._lock = threading.Lock()

    def resize(self, length: int) -> None:
        """Keep the last ``length`` runs from now on."""
        if length != self._length:
            with self._lock:
                self._length = length
                self._rows = {key: deque(rows, maxlen=length) for key, rows in self._rows.items()}

    def add(self, run: Run) -> None:
        """Take over the numbers of a run whose backward is over."""
        run.settle()
        for call in run.calls:
            self._add(run.step, call.path, "output", call.output_captures)
            self._add(run.step, call.path, "grad_output", call.output_gradients())

    def _add(self, step: int, path: str, kind: HistoryKind, captures: object) -> None:
        first: Capture | None = next(iter(captures), None) if isinstance(captures, (list, tuple)) else None
        if first is None:
            return
        moments = first.moments
        numbers = (moments.mean, moments.std, moments.min, moments.max, moments.norm)
        if moments.mean is None:
            # Nothing of it is a number, as of an empty tensor: there is nothing to remember.
            return
        row = (float(step), *(np.nan if number is None else number for number in numbers))
        with self._lock:
            rows = self._rows.setdefault((path, kind), deque(maxlen=self._length))
            if rows and rows[-1][0] > step:
                # A reader saw this run end before, and came later than the next one.
                return
            if rows and rows[-1][0] == step:
                rows.pop()
            rows.append(row)

    def of(self, path: str, kind: HistoryKind, statistic: Statistic) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Steps and values, oldest first, as two arrays of one length.

        Raises:
            NotCapturedError: if there is no such history; the message names what there is.
        """
        with self._lock:
            rows = tuple(self._rows.get((path, kind), ()))
        if statistic not in STATISTICS or not rows:
            raise NotCapturedError(
                f"There is no history of {statistic!r} of {kind!r} at {path!r}. Statistics: {', '.join(STATISTICS)}; "
                'kinds: "output", "grad_output"; a run enters the history when the next one begins or it is read.'
            )
        table = np.array(rows)
        return table[:, 0].astype(np.int64), table[:, 1 + STATISTICS.index(statistic)]
