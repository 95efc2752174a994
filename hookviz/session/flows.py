"""The flows of past runs: a run that does what an earlier one did needs no tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hookviz.session.observed import structure_of
from hookviz.tracing.flow import Flow

if TYPE_CHECKING:
    from hookviz.capture.run import Run

MOST_FLOWS: Final = 8
"""So many different flows are remembered, newest first: a last small batch needs no new tracing each epoch."""


class Flows:
    """Tells which runs have to be traced, and the flows of those that were not."""

    def __init__(self) -> None:
        self.needs_trace = True
        """Whether the next captured run is to be traced."""
        self._known: dict[tuple[object, ...], Flow] = {}

    def settle(self, run: Run, traced: Flow | None, *, is_whole: bool) -> Flow | None:
        """The flow of a run that is over, None if it is not known.

        Args:
            run: The run.
            traced: Its flow, if it was traced.
            is_whole: Whether it came to its end.
        """
        signature = structure_of(run)
        flow = self._known.get(signature) if traced is None else traced
        if traced is not None and is_whole:
            self._known[signature] = traced
            self.needs_trace = False
            while len(self._known) > MOST_FLOWS:
                del self._known[next(iter(self._known))]
        elif flow is None and is_whole:
            # The run did what none before it did; the next captured one is traced.
            self.needs_trace = True
        run.is_flow_its_own = flow is not None
        return flow

    def of(self, run: Run) -> tuple[Flow | None, bool]:
        """The flow of a captured run, and whether it is its own: a later run that did the same may have told it."""
        own = None if run.is_flow_its_own else self._known.get(structure_of(run))
        flow = own or (run.flow if isinstance(run.flow, Flow) else None)
        return flow, run.is_flow_its_own or own is not None
