"""Looks at what a captured run leaves that its numbers do not tell: units, ends of ranges, moves of parameters."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.history import History
from hookviz.capture.run import Run
from hookviz.capture.store import quiet
from hookviz.capture.updates import Move, ParameterSample, update_ratios
from hookviz.graph.gradient_origin import gradient_origin_of
from hookviz.graph.origin import Origin, origin_of
from hookviz.health.activations import Dying, Wiring, dying_of, share_at_the_ends, unit_axis, wiring_of
from hookviz.health.gathering import GradientWitness
from hookviz.health.thresholds import AT_THE_END, SURE
from hookviz.health.units import Units, thinned
from hookviz.health.zeros import share_of_zeros
from hookviz.hooks.paths import ModuleIndex
from hookviz.tracing.flow import Flow

SHARE = 0.005
"""So much of the time may go into looking; of captured runs that follow each other faster, some are left out."""

CREDIT_SECONDS = 0.1
"""So much may be spent before the share counts: of a short training, every captured run is looked at."""

SHARES = 20
"""So many runs' shares at the ends of a range are remembered."""

_MEASURED = (torch.float32, torch.float64, torch.float16, torch.bfloat16)

_LOOKED_UP = (torch.nn.Embedding, torch.nn.EmbeddingBag)

CallKey = tuple[str, int]
"""Path and index of a call: an activation that is called at several places has other units at each."""


@dataclass(slots=True)
class ParameterLife:
    """What became of one parameter in the steps of training that were looked at."""

    module: str
    steps: deque[int] = field(default_factory=lambda: deque(maxlen=1_000))
    """Runs after which any parameter of the model had moved."""
    last_changed: int = -1
    last_written: int = -1
    last_graded: int = -1
    """The last run after which its ``grad`` was there."""


@dataclass(frozen=True, slots=True)
class Incident:
    """The run in which values stopped being finite, and which have not been finite since."""

    step: int
    origin: Origin
    last_finite: int
    """The captured run before it, 0 if there was none."""


class Checkup:
    """Remembers, over the captured runs of a model, what ``examine`` asks for.

    Where a run's tensors were not kept, its units are not looked at. All of it takes half a percent of the
    time at most, so that of many short runs only some are looked at.
    """

    def __init__(self, history: History, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.history = history
        self.units: dict[CallKey, Units] = {}
        self.shares: dict[CallKey, deque[tuple[int, float]]] = {}
        self.parameters: dict[str, ParameterLife] = {}
        self.incident: Incident | None = None
        self.last_graded = -1
        """The last run after which any parameter had a ``grad``."""
        self.unmoved: deque[int] = deque(maxlen=1_000)
        """Runs with a backward since a parameter moved last, but those that added to gathered gradients."""
        self.last_moved = -1
        """The last run after which any parameter was found to have moved."""
        self._clock = clock
        self._credit = CREDIT_SECONDS
        self._counted_until = clock()
        self._sample: ParameterSample | None = None
        self._witness: GradientWitness | None = None
        self._sample_before: ParameterSample | None = None
        self._last_step = 0
        self._is_on = False
        self._last_finite = 0
        self._wiring: tuple[Flow, Wiring] | None = None
        # Runs are looked at as the next one begins, and by whoever asks, in any thread.
        self._lock = threading.RLock()

    def begin_training(self) -> None:
        """A new training begins: all of its first captured runs are looked at, as were those of the one before."""
        with self._lock:
            self._credit = CREDIT_SECONDS

    def begin(self, index: ModuleIndex) -> None:
        """A captured run begins."""
        with self._lock:
            now = self._clock()
            self._credit = min(CREDIT_SECONDS, self._credit + SHARE * (now - self._counted_until))
            self._counted_until = now
            self._is_on = self._credit > 0 and not _is_transforming()
            self._sample = self._witness = None
            if self._is_on and torch.is_grad_enabled():
                with quiet():
                    self._sample = ParameterSample(index.modules())
                    self._witness = GradientWitness(self._sample.parameters())
                    self._look_for_moves_between(self._sample)
                self._credit -= self._clock() - now

    def end(self, run: Run, index: ModuleIndex) -> None:
        """A captured run is over, with its backward and, if one came by then, its step of training.

        May be asked for earlier, and again: the last look counts.
        """
        with self._lock:
            self._look_for_incident(run)
            if self._is_on and not _is_transforming():
                began = self._clock()
                with quiet():
                    self._look_at_calls(run, index)
                    self._look_at_parameters(run, index)
                self._credit -= self._clock() - began

    def wiring(self, run: Run) -> Wiring | None:
        """Who fed whom in a run; None if it is not known."""
        flow = run.flow
        if not isinstance(flow, Flow):
            return None
        if self._wiring is None or self._wiring[0] is not flow:
            self._wiring = flow, wiring_of(flow)
        return self._wiring[1]

    def _look_for_incident(self, run: Run) -> None:
        if run.is_surely_finite:
            origin = None
        else:
            with quiet():
                origin = None if _is_finite(run) else origin_of(run) or gradient_origin_of(run)
        if origin is None:
            self.incident = None
            self._last_finite = max(self._last_finite, run.step)
        elif self.incident is None or self.incident.step == run.step:
            self.incident = Incident(run.step, origin, self._last_finite if self._last_finite < run.step else 0)

    def _look_at_calls(self, run: Run, index: ModuleIndex) -> None:
        wiring = self.wiring(run)
        latest = {call.path: call for call in run.calls if call.returned >= 0}
        feeder: torch.nn.Module | None = None
        values = _Values()
        for call in run.returned():
            capture = next(iter(call.output_captures), None)
            module = index.find(call.path)
            if capture is None or module is None:
                continue
            value = values[capture]
            if latest[call.path] is call:
                share = share_of_zeros(capture, value)
                if share is not None:
                    self.history.add_zeros(run.step, call.path, share)
            if value is not None and value.dtype in _MEASURED and _is_strided(value) and value.numel():
                dying = dying_of(module)
                if dying is not None:
                    self._look_at_units(call, value, dying, feeder, run.step)
                elif wiring is not None and (call.path, call.index) in wiring.hands_on:
                    self._look_at_units(call, value, wiring.hands_on[call.path, call.index], module, run.step)
                self._look_at_ends(call, value, module, run.step)
            if not call.passes_through and module._parameters:
                feeder = module

    def _look_at_units(
        self, call: ModuleCall, value: torch.Tensor, dying: Dying, feeder: torch.nn.Module | None, step: int
    ) -> None:
        if not value.dim():
            return
        key = call.path, call.index
        axis = unit_axis(tuple(value.shape), feeder)
        units = self.units.get(key)
        if units is None or units.width != value.shape[axis] or units.dying != dying:
            units = self.units[key] = Units(dying, value.shape[axis], step)
        units.look(value, axis, step)

    def _look_at_ends(self, call: ModuleCall, value: torch.Tensor, module: torch.nn.Module, step: int) -> None:
        if not isinstance(module, (torch.nn.Sigmoid, torch.nn.Tanh, torch.nn.Softmax)):
            return
        axis = module.dim if isinstance(module, torch.nn.Softmax) and module.dim is not None else None
        seen = thinned(value, None if axis is None else axis % max(value.dim(), 1))
        share = share_at_the_ends(module, seen, AT_THE_END, SURE)
        if share is None:
            return
        shares = self.shares.setdefault((call.path, call.index), deque(maxlen=SHARES))
        if shares and shares[-1][0] == step:
            shares.pop()
        shares.append((step, share))

    def _look_for_moves_between(self, sample: ParameterSample) -> None:
        """Steps of training that came by after runs that were not looked at."""
        if self._sample_before is not None and not sample.is_that_of(self._sample_before):
            self._moved(self._last_step)
        self._sample_before = sample

    def _moved(self, step: int) -> None:
        self.unmoved.clear()
        self.last_moved = step

    def _look_at_parameters(self, run: Run, index: ModuleIndex) -> None:
        step = self._last_step = run.step
        moves = [] if self._sample is None else self._sample.moves()
        if not any(move.change > 0 for move in moves):
            # No step of training came by: the model was only asked, or gradients are being gathered.
            # Of an embedding only the rows that were asked for move, and the sample may have none of them.
            is_told = any(not isinstance(index.find(move.module), _LOOKED_UP) for move in moves)
            is_told &= self._witness is None or not self._witness.is_gathered()
            if is_told and (not self.unmoved or self.unmoved[-1] < step) and _had_backward(run):
                self.unmoved.append(step)
            return
        self._moved(step)
        for module, ratio in update_ratios(moves).items():
            self.history.add_update(step, module, ratio)
        for move in moves:
            self._remember(move, step)
            if move.has_gradient:
                self.last_graded = step

    def _remember(self, move: Move, step: int) -> None:
        path = f"{move.module}.{move.name}" if move.module else move.name
        life = self.parameters.setdefault(path, ParameterLife(move.module))
        if not life.steps or life.steps[-1] < step:
            life.steps.append(step)
        if move.change > 0:
            life.last_changed = step
        if move.is_written:
            life.last_written = step
        if move.has_gradient:
            life.last_graded = step


class _Values(dict[Capture, torch.Tensor | None]):
    """The values of captures, each looked up once: several calls may have returned the same tensor."""

    def __missing__(self, capture: Capture) -> torch.Tensor | None:
        value = self[capture] = capture.glimpse()
        return value


def _is_transforming() -> bool:
    """Whether ``vmap``, ``grad`` or the like is at work: what is computed then has no values to look at yet."""
    return torch._C._functorch.maybe_current_level() is not None


def _is_finite(run: Run) -> bool:
    for call in run.calls:
        for capture in call.output_captures:
            if capture is not None and capture.has_not_finite:
                return False
        for cell in call.output_cells:
            if cell is not None and cell.capture is not None and cell.capture.has_not_finite:
                return False
    return True


def _had_backward(run: Run) -> bool:
    return any(gradient is not None for call in run.calls if call.needs_grad for gradient in call.output_gradients())


def _is_strided(value: torch.Tensor) -> bool:
    return value.layout is torch.strided and not value.is_nested
