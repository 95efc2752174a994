"""Where the first NaN or infinity of a backward pass was made."""

from __future__ import annotations

from collections.abc import Iterator

from hookviz.capture.call import ModuleCall
from hookviz.capture.gradient import GradientCell
from hookviz.capture.not_finite import KINDS, holds, is_not_finite
from hookviz.capture.run import Run
from hookviz.graph.origin import Origin
from hookviz.graph.ways import Ways
from hookviz.tracing.flow import Flow, FlowNode


def gradient_origin_of(run: Run) -> Origin | None:
    """Where the first gradient came from that is not finite, by the order in which they arrived.

    None if all gradients of the last backward pass are finite.
    """
    run.settle()
    cells = list(_cells(run))
    latest = max((cell.task for _, cell in cells), default=-1)
    not_finite = [(call, cell) for call, cell in cells if cell.task == latest and is_not_finite(cell.capture)]
    for kind in KINDS:
        bad = [(call, cell) for call, cell in not_finite if holds(cell.capture, kind)]
        if not bad:
            continue
        # A tensor that several calls returned stands at the innermost, which returned it first.
        call, cell = min(bad, key=lambda pair: (pair[1].arrival, pair[0].returned))
        if any(other is cell for other in run.calls[0].output_cells):
            return Origin(kind, call, "loss", is_gradient=True)
        return Origin(kind, call, "after", tuple(_after(run, call)), is_gradient=True)
    return None


def _cells(run: Run) -> Iterator[tuple[ModuleCall, GradientCell]]:
    for call in run.calls:
        if call.returned >= 0:
            for cell in call.output_cells:
                if cell is not None:
                    yield call, cell


def _after(run: Run, call: ModuleCall) -> list[FlowNode]:
    """What used the output of a call before the next gradients that are known."""
    ways = Ways(run, run.flow) if isinstance(run.flow, Flow) else None
    node = ways.node_of(call) if ways is not None else None
    if ways is None or node is None:
        return []
    found = ways.after(node, lambda other: any(cell is not None for cell in other.output_cells))
    users = [other for other in found if other.kind != "output"]
    # A module that was reached through an operation got its gradient before that operation did.
    direct = ways.next_to(node)
    return [other for other in users if other.kind == "op" or other.id in direct]
