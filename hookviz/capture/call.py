"""One call of one module in a run: what went in, what came out, and the gradients of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hookviz.capture.capture import Capture
from hookviz.capture.gradient import GradientCell
from hookviz.capture.leaves import NO_ARGUMENTS, Nested, join, labels
from hookviz.capture.not_finite import Witness

What = Literal["output", "input", "grad_output", "grad_input"]

NO_BACKWARD = "no backward yet"
INPUTS_OFF = "inputs are not captured: switch them on for the next run"
GRADIENTS_OFF = "gradients are not captured here"
UNDER_NO_GRAD = "ran under no_grad"
UNDER_INFERENCE_MODE = "ran under inference_mode"
WITHOUT_GRAPH = (UNDER_NO_GRAD, UNDER_INFERENCE_MODE)
"""Reasons that no graph was made in the whole call."""
NOT_RECORDED = "a tensor could not be recorded"


class ModuleCall:
    """What is known of one call; gradients are added when a backward pass comes by.

    ``output``, ``input``, ``grad_output`` and ``grad_input`` are nested like the module's own values:
    a ``Capture`` for each tensor, tuples and dicts around them. ``input`` is a pair of the positional
    and the keyword arguments, as ``forward`` received them. Where there is no value, None stands;
    ``entries`` gives the reasons.
    """

    # What most calls never set stands here, for all of them: a model of a thousand modules makes as many in each run.
    returned = -1
    """Position among all calls of the run, by when they returned; -1 while they have not."""
    depth = 0
    """How many other calls it is inside of."""
    forward_seconds: float | None = None
    """Wall-clock seconds from its beginning to its return, with the calls and hooks inside of it and without
    what capturing took. None if it raised, and in a run whose operations were traced."""
    first_step = -1
    """Number of the next step of the autograd graph when it began; -1 where no graph was made."""
    end_step = -1
    """The same when it returned."""
    failed = ""
    """First line of the exception that its forward raised, else empty."""
    notes: Sequence[str] = ()
    """What went wrong when its tensors were recorded."""
    passes_through = False
    is_recomputed = False
    needs_grad = False
    input_skeleton: Nested = NO_ARGUMENTS
    input_captures: Sequence[Capture | None] = ()
    output_skeleton: Nested = None
    output_captures: Sequence[Capture | None] = ()
    views: frozenset[int] = frozenset()
    """Which of its outputs take no memory of their own: handed on, or views of what came in."""
    output_cells: Sequence[GradientCell | None] = ()
    output_reasons: Sequence[str] = ()
    input_cells: Sequence[GradientCell | None] = ()
    exact_inputs: Sequence[GradientCell | None] | None = None
    """The share of the gradient that flowed through this call alone, where it was asked for."""
    witness: Witness | None = None
    """What it had to work with, if it was the first that was not finite or around that one."""

    def __init__(self, path: str, module_id: int, index: int, order: int) -> None:
        self.path = path
        self.module_id = module_id
        self.index = index
        """How often this module had been called before in the same run."""
        self.order = order
        """Position among all calls of the run, by when they began."""

    def twin(self) -> ModuleCall:
        """A copy that shares all that it has; ``copy.copy`` gives the same in five times the time."""
        twin = ModuleCall.__new__(ModuleCall)
        twin.__dict__.update(self.__dict__)
        return twin

    @property
    def output(self) -> Nested:
        """What the caller received."""
        return join(self.output_skeleton, self.output_captures)

    @property
    def input(self) -> Nested:
        """What forward received: ``(args, kwargs)``."""
        return join(self.input_skeleton, self.input_captures)

    @property
    def grad_output(self) -> Nested:
        """The gradient at each output of the last backward pass."""
        return join(self.output_skeleton, self.output_gradients())

    @property
    def grad_input(self) -> Nested:
        """The gradient at each input of the last backward pass.

        It is that of the whole tensor, all its uses together; with ``exact=True`` the share that
        flowed through this call.
        """
        return join(self.input_skeleton, self.input_gradients())

    def output_gradients(self) -> list[Capture | None]:
        """``grad_output`` as a flat list, one place per tensor."""
        latest = -1
        for cells in (self.output_cells, self.input_cells, self.exact_inputs or ()):
            for cell in cells:
                if cell is not None and cell.task > latest:
                    latest = cell.task
        return [cell.capture if cell is not None and cell.task == latest else None for cell in self.output_cells]

    def input_gradients(self) -> list[Capture | None]:
        """``grad_input`` as a flat list, one place per tensor."""
        cells = self.exact_inputs if self.exact_inputs is not None else self.input_cells
        latest = _latest([*self.output_cells, *cells])
        return [_seen(cell, latest) for cell in cells]

    def entries(self, what: What) -> list[tuple[str, Capture | None, str]]:
        """Label, capture and reason for each tensor, in order.

        The label is how the value is written in Python after ``call.``; the reason says why there is
        no capture, or what is special about it. There are none of a call that is just being recorded, which
        only another thread can meet.
        """
        # Read first, as it is set last: then all the rest is there, and what does not fit is a fault.
        is_recorded = self.returned >= 0
        if what in ("output", "grad_output"):
            skeleton, captures = self.output_skeleton, list(self.output_captures)
            reasons: list[str] = [self.failed and f"forward raised: {self.failed}"] * len(captures)
            if what == "grad_output":
                captures = self.output_gradients()
                reasons = [
                    reason or self._why_no_gradient(cell)
                    for reason, cell in zip(self.output_reasons, self.output_cells, strict=is_recorded)
                ]
        else:
            skeleton, captures = self.input_skeleton, list(self.input_captures)
            reasons = [INPUTS_OFF] * len(captures)
            if what == "grad_input":
                captures = self.input_gradients()
                cells = self.exact_inputs if self.exact_inputs is not None else self.input_cells
                reasons = [self._why_no_gradient(cell) or "this input needs no gradient" for cell in cells]
        names = labels(skeleton, what)
        if not is_recorded and not len(names) == len(captures) == len(reasons):
            return []
        return [
            (label, capture, (capture.note if capture is not None else reason))
            for label, capture, reason in zip(names, captures, reasons, strict=True)
        ]

    def _why_no_gradient(self, cell: GradientCell | None) -> str:
        if cell is None:
            return ""
        if cell.task >= 0:
            return cell.why_nothing or "not reached by the last backward pass"
        if _latest([*self.output_cells, *self.input_cells]) >= 0:
            return "not in the loss: no gradient arrived here"
        return NO_BACKWARD

    def __repr__(self) -> str:
        state = f"raised {self.failed}" if self.failed else "returned" if self.returned >= 0 else "running"
        return f"<ModuleCall {self.path or '(the model)'} #{self.index} {state}>"


def _latest(cells: Sequence[GradientCell | None]) -> int:
    latest = -1
    for cell in cells:
        if cell is not None and cell.task > latest:
            latest = cell.task
    return latest


def _seen(cell: GradientCell | None, latest: int) -> Capture | None:
    return cell.capture if cell is not None and cell.task == latest else None
