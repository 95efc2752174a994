"""A past run without its tensors: the same numbers, and a few elements of each for its histogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hookviz.capture.gradient import GradientCell
from hookviz.capture.store import held_bytes, quiet

if TYPE_CHECKING:
    from hookviz.capture.call import ModuleCall
    from hookviz.capture.capture import Capture
    from hookviz.capture.run import Run

LET_GO: Final = (
    "no longer kept: the oldest steps lose their tensors first; those of the selected module and of "
    "session.keep_first() stay longer, and a larger keep_bytes keeps more"
)


def thinned(run: Run, spared: frozenset[str]) -> tuple[Run, int]:
    """A copy of a settled run in which only modules at these paths have their tensors, and the bytes of these.

    The run itself stays as it is: somebody may hold it.
    """
    with quiet():
        thinning = _Thinning(spared)
        copied = run.with_calls([thinning.call(call) for call in run.calls])
        if run.effects:
            copied.effects = run.effects.with_captures(lambda capture: thinning.capture(capture, is_spared=False))
    return copied, thinning.left_bytes


class _Thinning:
    """Knows what was made already: captures and cells that calls share stay shared."""

    __slots__ = ("_captures", "_cells", "_spared", "left_bytes")

    def __init__(self, spared: frozenset[str]) -> None:
        self.left_bytes = 0
        self._spared = spared
        self._captures: dict[int, Capture] = {}
        self._cells: dict[int, GradientCell] = {}

    def call(self, call: ModuleCall) -> ModuleCall:
        """A copy of a call."""
        thin = call.twin()
        is_spared = call.path in self._spared
        thin.output_captures = self._all(call.output_captures, is_spared=is_spared)
        if call.input_captures:
            thin.input_captures = self._all(call.input_captures, is_spared=is_spared)
        thin.output_cells = self._all_cells(call.output_cells)
        thin.input_cells = self._all_cells(call.input_cells)
        if call.exact_inputs is not None:
            thin.exact_inputs = self._all_cells(call.exact_inputs)
        return thin

    def capture(self, capture: Capture, *, is_spared: bool) -> Capture:
        """The capture itself if it has no tensor or may keep it, else one without."""
        if not capture.is_kept:
            return capture
        # What one of its owners wants to keep stays for all that come after it.
        known = self._captures.get(id(capture))
        if known is None or (is_spared and known is not capture):
            if is_spared:
                # Taken out of the memory that it may share with those that go.
                self.left_bytes += held_bytes(capture.tensor)
                known = capture
            else:
                known = capture.without_tensor(LET_GO)
            self._captures[id(capture)] = known
        return known

    def _all(self, captures: Sequence[Capture | None], *, is_spared: bool) -> list[Capture | None]:
        return [None if capture is None else self.capture(capture, is_spared=is_spared) for capture in captures]

    def _all_cells(self, cells: Sequence[GradientCell | None]) -> list[GradientCell | None]:
        return [None if cell is None else self._cell(cell) for cell in cells]

    def _cell(self, cell: GradientCell) -> GradientCell:
        if cell.capture is None:
            # Its gradient may come late, into this very cell.
            return cell
        known = self._cells.get(id(cell))
        if known is None:
            known = self._cells[id(cell)] = GradientCell(cell.path)
            known.task, known.arrival = cell.task, cell.arrival
            known.capture = self.capture(cell.capture, is_spared=cell.path in self._spared)
        return known
