"""A past run without its tensors: the same numbers, and a few elements of each for its histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from sys import getrefcount
from typing import TYPE_CHECKING, Final

from hookviz.capture.gradient import GradientCell
from hookviz.capture.lease import Lease
from hookviz.capture.store import held_bytes, quiet

if TYPE_CHECKING:
    from hookviz.capture.call import ModuleCall
    from hookviz.capture.capture import Capture
    from hookviz.capture.run import Run

LET_GO: Final = (
    "no longer kept: the oldest steps lose their tensors first; those of the selected module and of "
    "session.keep_first() stay longer, and a larger keep_bytes keeps more"
)

_NONE: Final = frozenset[None]()

CALL_USES: Final = 2
"""A run has each of its calls in two lists: of all, and of those of one module."""


def _local_uses() -> int:
    it = object()
    return getrefcount(it)


LOCAL_USES: Final = _local_uses()
"""How many uses are counted of an object that nobody but a local variable has: not the same in each Python."""


def thinned(run: Run, spared: frozenset[str]) -> tuple[Run, int]:
    """A settled run in which only modules at these paths have their tensors, and the bytes of these.

    It is the same run if its calls and captures are its own alone, which takes a third of the time. Else it is
    a copy, and the run stays as it is for whoever holds something of it.
    """
    with quiet():
        if not run.effects and (places := _places_of_its_own(run)) is not None:
            return run, _let_go(run, places, _spared_in(run, spared) if spared else _NONE)
        thinning = _Thinning(spared)
        copied = run.with_calls([thinning.call(call) for call in run.calls])
        if run.effects:
            copied.effects = run.effects.with_captures(lambda capture: thinning.capture(capture, is_spared=False))
    return copied, thinning.left_bytes


def _places_of_its_own(run: Run) -> Counter[Capture | None] | None:
    """In how many places a run has each of its captures; None if somebody holds the run, a call or a capture as well.

    Of the run, one holder beside the caller is the ring's.
    """
    # Here and in those that call this function.
    if getrefcount(run) > LOCAL_USES + 2:
        return None
    found: list[Capture | None] = []
    cells: set[GradientCell | None] = set()
    for call in run.calls:
        if getrefcount(call) > LOCAL_USES + CALL_USES:
            return None
        found += call.output_captures
        found += call.input_captures
        cells.update(call.output_cells, call.input_cells, call.exact_inputs or ())
    found += [cell.capture for cell in cells if cell is not None]
    places = Counter(found)
    del found, places[None]
    for capture in places:
        # The table of places has it, too.
        if getrefcount(capture) > LOCAL_USES + 1 + places[capture]:
            return None
    return places


def _spared_in(run: Run, spared: frozenset[str]) -> AbstractSet[Capture | None]:
    """The captures of modules at these paths."""
    found: set[Capture | None] = set()
    for call in run.calls:
        if call.path in spared:
            found.update(call.output_captures, call.input_captures)
        for cell in chain(call.output_cells, call.input_cells, call.exact_inputs or ()):
            if cell is not None and cell.path in spared:
                found.add(cell.capture)
    return found


def _let_go(run: Run, captures: Iterable[Capture | None], spared: AbstractSet[Capture | None]) -> int:
    left_bytes = 0
    for capture in captures:
        if capture is None or not capture.has_memory:
            continue
        if capture in spared and capture.is_kept:
            # Taken out of the memory that it may share with those that go.
            left_bytes += held_bytes(capture.tensor)
        else:
            capture.let_go(LET_GO)
    run.lease = Lease()
    return left_bytes


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
        if not capture.has_memory or (is_spared and not capture.is_kept):
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
