"""What a module gave in its past runs, as numbers to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from hookviz.errors import HookvizError, NotCapturedError
from hookviz.widget.fields import Answer, Fields, field
from hookviz.widget.history_wire import HistoryLineWire, HistoryWire, Plotted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hookviz.capture.history import HistoryKind, Statistic
    from hookviz.session import Session
    from hookviz.widget.presentation import Presentation

_PREFIX = "module:"

_STATISTICS: Final[Mapping[Plotted, tuple[HistoryKind, tuple[Statistic, ...]]]] = {
    "output": ("output", ("mean", "std")),
    "gradient": ("grad_output", ("norm",)),
    "zeros": ("output", ("zeros",)),
    "update": ("parameters", ("update_ratio",)),
}


def _history(presentation: Presentation, fields: Fields) -> Answer:
    node_id = field(fields, "node_id", str)
    if not node_id.startswith(_PREFIX):
        raise HookvizError(f"Modules have a history of runs; {node_id!r} is none.")
    session, path = presentation.session, node_id.removeprefix(_PREFIX)
    marks = session.marks
    lines: list[HistoryLineWire] = []
    buffers: list[bytes] = []
    for plotted, (kind, statistics) in _STATISTICS.items():
        for position, mark in enumerate(marks):
            rows = _rows(session, path, kind, statistics, mark)
            if rows is not None:
                lines.append({"plotted": plotted, "mark": position, "count": rows.shape[1]})
                buffers.append(rows.astype("<f8").tobytes())
    reply = HistoryWire(node_id=node_id, marks=list(marks), first_steps=list(marks.values()), lines=lines)
    return reply, buffers


def _rows(
    session: Session, path: str, kind: HistoryKind, statistics: tuple[Statistic, ...], mark: str
) -> NDArray[np.float64] | None:
    """Steps and below them the statistics, one column for each run; None where nothing was captured."""
    try:
        found = [session.history(path, kind, statistic, mark=mark) for statistic in statistics]
    except NotCapturedError:
        return None
    # A run may have entered between two questions: the runs that all of them know are shown.
    steps = found[0][0]
    for others, _ in found[1:]:
        steps = np.intersect1d(steps, others, assume_unique=True)
    columns = [values[np.isin(own, steps)] for own, values in found]
    return np.stack([steps.astype(np.float64), *columns])


HISTORY_COMMANDS: Mapping[str, Callable[[Presentation, Fields], Answer]] = {"history": _history}
