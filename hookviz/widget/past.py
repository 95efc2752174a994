"""What a module gave in its past runs, as numbers to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from hookviz.errors import HookvizError, NotCapturedError
from hookviz.widget.fields import Answer, Fields, field
from hookviz.widget.history_wire import HistoryWire

if TYPE_CHECKING:
    from hookviz.capture.history import HistoryKind, Statistic
    from hookviz.session import Session
    from hookviz.widget.presentation import Presentation

_PREFIX = "module:"


def _history(presentation: Presentation, fields: Fields) -> Answer:
    node_id = field(fields, "node_id", str)
    if not node_id.startswith(_PREFIX):
        raise HookvizError(f"Modules have a history of runs; {node_id!r} is none.")
    path = node_id.removeprefix(_PREFIX)
    outputs = _rows(presentation.session, path, "output", ("mean", "std"))
    gradients = _rows(presentation.session, path, "grad_output", ("norm",))
    reply = HistoryWire(node_id=node_id, outputs=outputs.shape[1], gradients=gradients.shape[1])
    return reply, [outputs.astype("<f8").tobytes(), gradients.astype("<f8").tobytes()]


def _rows(
    session: Session, path: str, kind: HistoryKind, statistics: tuple[Statistic, ...]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Steps and below them the statistics, one column for each run; no column where nothing was captured."""
    try:
        found = [session.history(path, kind, statistic) for statistic in statistics]
    except NotCapturedError:
        return np.empty((1 + len(statistics), 0))
    # A run may have entered between two questions: the runs that all of them know are shown.
    steps = found[0][0]
    for others, _ in found[1:]:
        steps = np.intersect1d(steps, others, assume_unique=True)
    columns = [values[np.isin(own, steps)] for own, values in found]
    return np.stack([steps.astype(np.float64), *columns])


HISTORY_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {"history": _history}
