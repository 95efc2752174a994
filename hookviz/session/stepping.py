"""The captured steps of a session, each to be looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from hookviz.errors import UnknownStepError
from hookviz.session.accepted import require
from hookviz.session.compare import Comparison, Comparisons
from hookviz.session.compare_parts import compare
from hookviz.session.reporting import Reporting
from hookviz.session.step import Step

if TYPE_CHECKING:
    from hookviz.capture.run import Run
    from hookviz.session.session import Session

MOST_NAMED: Final = 8
"""So many steps are written out in a message."""


class Stepping(Reporting):
    """A watched model whose past captured steps can be looked at."""

    @property
    def steps(self) -> list[int]:
        """Numbers of the captured steps that can be looked at with ``at_step``, oldest first; the last is the newest.

        They are the last ``history`` captured runs, fewer where a model of many modules makes that many. The
        statistics of each are there, with a small sample for the histograms where the tensor is not. Tensors are
        there of the newest ones, up to a quarter of ``keep_bytes``, and with those of the modules of ``keep_first``
        up to half of it.
        """
        newest = self._capturing.run
        past = self._capturing.past.steps
        return past if newest is None or newest.step in past else [*past, newest.step]

    def at_step(self, step: int) -> Step:
        """One captured step, with the same views as the session: ``session.at_step(120)["fc"].output.summary``.

        Raises:
            UnknownStepError: if it was not captured, or is no longer there; the message has those that are.
            OptionError: if it is no whole number.
        """
        given: object = step
        require("A step is its number, such as session.steps[0]", given, is_accepted=type(given) is int)
        run = self._run_at(step)
        if run is None:
            raise UnknownStepError(self._why_no_step(step))
        # Only a whole session has pictures.
        return Step(cast("Session", self), run)

    def hold(self, step: int | None) -> None:
        """Remember this step longer than all others, as somebody looks at it; None for no step. For widgets."""
        self._capturing.past.held = step

    def compare(self, a: object, b: object) -> Comparison | Comparisons:
        """Two values, A and B, side by side with their difference, ``A - B``; printed, it is a table.

        Values are what a view gives (``session["fc"].output``, ``session.at_step(120)["fc"].grad_output``),
        tensors, parameters, whole modules and calls (their outputs), steps (the outputs of all modules), and dicts,
        tuples and lists of these. A text is the path of a module or parameter of this session. Others may come from
        different sessions. Of two dicts as ``outputs()`` gives them, ``compare(before, after).first_difference`` is
        the first module whose output differs.

        Where a tensor was not kept, or the shapes differ, the statistics are compared, and ``why`` says so.

        Raises:
            OptionError: if one of them cannot be compared, or holds no values.
            UnknownModuleError: if there is nothing at a path; the message has the nearest.
            NotCapturedError: if a module has no output to compare.
        """
        return compare(a, b, self.__getitem__)

    def _run_at(self, step: int) -> Run | None:
        newest = self._capturing.run
        return newest if newest is not None and newest.step == step else self._capturing.past.find(step)

    def _why_no_step(self, step: int) -> str:
        steps = self.steps
        if not steps:
            return f"There is no step {step} of {self.name}: no run was captured yet. Call the model."
        if step > self.runs_seen or step < 1:
            why = f"there {'was 1 run' if self.runs_seen == 1 else f'were {self.runs_seen} runs'} so far"
        elif step < steps[0]:
            why = f"it was not captured, or is older than what history={self.options.history} remembers"
        else:
            why = "it was not captured"
        return f"There is no step {step} of {self.name}: {why}. {steps_text(steps, near=step)}"


def steps_text(steps: Sequence[int], *, near: int) -> str:
    """Which steps there are; of many, the ends and those around one."""
    if len(steps) <= MOST_NAMED:
        return f"Captured: {'step' if len(steps) == 1 else 'steps'} {', '.join(map(str, steps))}."
    nearest = sorted(sorted(steps, key=lambda each: abs(each - near))[:2])
    return (
        f"Captured: {len(steps)} steps from {steps[0]} to {steps[-1]}, nearest {' and '.join(map(str, nearest))}; "
        "all: session.steps."
    )
