"""Why a value is not there, and what brings it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hookviz.capture.call import GRADIENTS_OFF, INPUTS_OFF, NOT_RECORDED, WITHOUT_GRAPH, ModuleCall, What
from hookviz.capture.first_line import sentence
from hookviz.capture.run import Run
from hookviz.errors import PatternError
from hookviz.hooks.paths import ModuleIndex, Pattern
from hookviz.session.options import WatchOptions
from hookviz.session.switches import CaptureSwitches, Switch
from hookviz.tracing.flow import Flow
from hookviz.tracing.uncalled import NOT_CALLED, Uncalled

SWITCH_OF: Final[dict[What, Switch]] = {
    "output": "outputs",
    "input": "inputs",
    "grad_output": "gradients",
    "grad_input": "gradients",
}

NOT_SEEN_ANY_MORE: Final = "not seen: the session was closed within this run"


@dataclass(frozen=True, slots=True)
class Reasons:
    """Knows how a session stands; each answer is the end of a sentence that says what is missing."""

    run: Run | None
    index: ModuleIndex
    switches: CaptureSwitches
    options: WatchOptions
    is_paused: bool
    is_compiled: bool
    """Whether the whole model runs compiled code."""
    is_in_use: bool = False
    """Whether a cell of another thread may be running it."""

    def of_no_call(self, path: str) -> str:
        """Why a module has no call in the last captured run."""
        if self.is_compiled:
            return "compiled: not observable. Watch the model before it is compiled, and call it uncompiled."
        if self.run is None and self.is_paused:
            return "the session is paused: call session.resume(), then the model."
        if self.run is None:
            return "no run yet: call the model."
        why = self.of_uncalled(path)
        if why == NOT_CALLED:
            return "it was not called in the last captured run (its forward may be called directly, or replaced)."
        return sentence(why)

    def of_uncalled(self, path: str) -> str:
        """Why the last captured run did not call a module, in one phrase."""
        run, index = self.run, self.index
        if run is not None and run.is_cut:
            return NOT_SEEN_ANY_MORE
        if run is not None and run.path and not f"{path}.".startswith(f"{run.path}."):
            return f"not called: run {run.step} was of {run.path} alone"

        def was_called(path: str) -> bool:
            module = index.find(path)
            return run is not None and module is not None and bool(run.of_module(id(module)))

        flow = run.flow if run is not None and isinstance(run.flow, Flow) else None
        return Uncalled(index.find, was_called, flow).why(path)

    def of_no_value(self, call: ModuleCall, what: What) -> str:
        """Why a call has none of its values of one kind; empty if it has some, or returned no tensors."""
        if what in ("output", "grad_output") and call.returned < 0:
            return sentence(f"forward raised: {call.failed}") if call.failed else "it has not returned yet."
        entries = call.entries(what)
        if not entries or any(capture is not None for _, capture, _ in entries):
            return ""
        of_call = next(iter(call.output_reasons), "") if what == "grad_input" else ""
        reason = of_call if of_call in (GRADIENTS_OFF, *WITHOUT_GRAPH) else entries[0][2]
        if reason in ("", INPUTS_OFF, GRADIENTS_OFF):
            failed = [note for note in call.notes if note.startswith(NOT_RECORDED)] if what == "output" else []
            return sentence(failed[0]) if failed else self._of_a_switch(call.path, SWITCH_OF[what])
        return sentence(reason)

    def _of_a_switch(self, path: str, switch: Switch) -> str:
        first = self.index.first_path(path)
        if first not in self.switches.watched:
            return self._of_leaving_out(first)
        if not self.switches.is_on(switch, None):
            return f'{switch} are switched off for all modules. Switch them on: session.enable("{switch}").'
        if first in self.switches.off_paths(switch):
            return f'{switch} are switched off for this module. Switch them on: session.enable("{switch}", {first!r}).'
        return f"{switch} of this module were off when the last captured run began; the next one has them."

    def _of_leaving_out(self, path: str) -> str:
        for pattern in self.options.exclude or ():
            if path in self._matching(pattern):
                return f"left out by exclude={_shown(pattern)}. Watch all again: hookviz.watch(model, exclude=[])."
        only = ", ".join(_shown(pattern) for pattern in self.options.only or ())
        return f'left out by only={only}. Watch all again: hookviz.watch(model, only="*").'

    def _matching(self, pattern: Pattern) -> set[str]:
        try:
            return self.index.matching(pattern)
        except PatternError:
            # The module that it meant is gone by now.
            return set()


def _shown(pattern: Pattern) -> str:
    return pattern.__name__ if isinstance(pattern, type) else repr(pattern)
