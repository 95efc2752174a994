"""The last captured run as a table, and the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hookviz.capture.cost import Costs
from hookviz.capture.history import History, HistoryKind, Statistic
from hookviz.capture.run import Run
from hookviz.errors import NotCapturedError, PandasMissingError
from hookviz.hooks.paths import ModuleIndex

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "path", "class", "call", "shape", "dtype", "mean", "std", "min", "max", "norm", "nans", "infs", "grad_norm",
    "forward_seconds", "backward_seconds", "activation_bytes",
)  # fmt: skip
"""The last three are of the call, whichever of its tensors the row is of; NaN where they are not known."""

HISTORY_COLUMNS: Final[tuple[tuple[str, HistoryKind, Statistic], ...]] = (
    ("mean", "output", "mean"),
    ("std", "output", "std"),
    ("min", "output", "min"),
    ("max", "output", "max"),
    ("norm", "output", "norm"),
    ("zeros", "output", "zeros"),
    ("grad_norm", "grad_output", "norm"),
    ("update_ratio", "parameters", "update_ratio"),
)
"""Name of the column, and what it holds."""


def table_of(run: Run | None, index: ModuleIndex) -> pd.DataFrame:
    """One row for each tensor that a module call returned, in the order in which the calls returned.

    Raises:
        PandasMissingError: if pandas is not installed.
    """
    rows: list[tuple[object, ...]] = []
    if run is None:
        return _table([], COLUMNS)
    costs = Costs(run)
    for call in run.returned():
        cost = costs.of_calls([call])
        taken = (cost.forward_seconds, cost.backward_seconds, cost.activation_bytes)
        module = index.find(call.path)
        gradients = call.output_gradients()
        for capture, gradient in zip(call.output_captures, gradients, strict=True):
            if capture is None:
                continue
            seen = capture.moments
            norm = None if gradient is None else gradient.moments.norm
            numbers = (seen.mean, seen.std, seen.min, seen.max, seen.norm, seen.nans, seen.infs)
            rows.append((call.path, type(module).__name__, call.index, seen.shape, seen.dtype, *numbers, norm, *taken))
    return _table(rows, COLUMNS)


def history_table_of(history: History) -> pd.DataFrame:
    """One row for each module in each run that is remembered, training by training.

    Raises:
        PandasMissingError: if pandas is not installed.
    """
    rows: list[tuple[object, ...]] = []
    for mark in history.marks:
        for path in history.paths():
            columns = [_column(history, mark, path, kind, statistic) for _, kind, statistic in HISTORY_COLUMNS]
            rows += [
                (mark, step, path, *(column.get(step, np.nan) for column in columns))
                for step in sorted(set().union(*columns))
            ]
    return _table(rows, ("mark", "step", "path", *(name for name, _, _ in HISTORY_COLUMNS)))


def _column(history: History, mark: str, path: str, kind: HistoryKind, statistic: Statistic) -> dict[int, float]:
    try:
        steps, values = history.of(path, kind, statistic, mark)
    except NotCapturedError:
        return {}
    return dict(zip(steps.tolist(), values.tolist(), strict=True))


def _table(rows: Sequence[tuple[object, ...]], columns: Sequence[str]) -> pd.DataFrame:
    try:
        import pandas as pd  # noqa: PLC0415  # optional: only this function needs it
    except ImportError as error:
        raise PandasMissingError(
            f"A table needs pandas, which cannot be imported ({error}): pip install pandas"
        ) from None
    return pd.DataFrame(rows, columns=list(columns))
