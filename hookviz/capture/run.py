"""One captured run: a forward of the model, or of a part of it called by itself, with its backward."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.effects import EffectLog
from hookviz.capture.lease import Lease
from hookviz.capture.moments import settle
from hookviz.capture.together import measure_together, pending_of


class Run:
    """The calls of one run in the order in which they began. Gradients come in while backward goes on."""

    def __init__(self, step: int, path: str) -> None:
        self.step = step
        """Which run of the model this is since it is watched, from 1."""
        self.path = path
        """Path of the module whose call this is: ``""`` for the model itself."""
        self.calls: list[ModuleCall] = []
        self.exception: str | None = None
        """First line of the exception that ended it, None if it returned."""
        self.failed_path: str | None = None
        """The innermost module whose forward raised."""
        self.is_finished = False
        self.is_cut = False
        """Whether the session was closed within it: what came after that was not seen."""
        self.overlaps = 0
        """How many runs began in other threads while this one went on; they are not captured."""
        self.is_training = False
        self.cost_seconds = 0.0
        """Time spent in capturing it so far."""
        self.flow: object = None
        """Who fed whom; None if it is not known."""
        self.is_flow_its_own = False
        """Whether the flow is that of this run, or of one that did the same; else it is that of an earlier one."""
        self.revision = 0
        """Grows with each gradient that arrives."""
        self.effects = EffectLog()
        """What the hooks on the model did."""
        self.lease = Lease()
        """Gone when the run's tensors are."""
        self.is_surely_finite = False
        """True where it was settled, and no NaN and no infinity was in any value of it."""
        self._by_module: dict[int, list[ModuleCall]] = {}

    def add(self, path: str, module_id: int) -> ModuleCall:
        """A call that begins now."""
        earlier = self._by_module.setdefault(module_id, [])
        call = ModuleCall(path, module_id, len(earlier), len(self.calls))
        earlier.append(call)
        self.calls.append(call)
        return call

    def of_module(self, module_id: int) -> list[ModuleCall]:
        """The calls of one module, under whichever of its names, in order."""
        return self._by_module.get(module_id, [])

    def with_calls(self, calls: Sequence[ModuleCall]) -> Run:
        """A copy of the run with copies of its calls in their places."""
        other = copy.copy(self)
        other.calls = list(calls)
        other.lease = Lease()
        other._by_module = {}
        for call in calls:
            other._by_module.setdefault(call.module_id, []).append(call)
        return other

    def returned(self) -> list[ModuleCall]:
        """The calls that returned, in the order in which they did."""
        return sorted((call for call in self.calls if call.returned >= 0), key=lambda call: call.returned)

    @property
    def has_gradients(self) -> bool:
        """True once a backward pass reached it."""
        return any(cell is not None and cell.task >= 0 for call in self.calls for cell in call.output_cells)

    def settle(self) -> None:
        """Measure what waits for it, and fetch all numbers that still lie on another device in one transfer."""
        captures = self._captures()
        measure_together(captures)
        settle(pending_of(captures))
        self.is_surely_finite = not any(capture.has_not_finite for capture in captures)

    def shorten_samples(self) -> None:
        """Become one of many runs: of tensors that were not kept, fewer elements stay."""
        for capture in self._captures():
            capture.shorten_sample()

    def _captures(self) -> list[Capture]:
        """Each once, in some order."""
        found: list[Capture | None] = []
        for call in self.calls:
            found += call.output_captures
            found += call.input_captures
            found += [cell.capture for cell in (*call.output_cells, *call.input_cells) if cell is not None]
        found += self.effects.captures()
        return [capture for capture in dict.fromkeys(found) if capture is not None]

    def __repr__(self) -> str:
        state = f"raised {self.exception}" if self.exception else "finished" if self.is_finished else "running"
        return f"<Run {self.step} of {self.path or 'the model'}: {len(self.calls)} calls, {state}>"
