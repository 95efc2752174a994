"""Which runs of a model are captured, and what becomes of them: the probe's listener."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from torch import nn

from hookviz.capture.budget import Budget
from hookviz.capture.copies import Copies
from hookviz.capture.history import History
from hookviz.capture.hook_recorder import HookRecorder
from hookviz.capture.lending import Lending
from hookviz.capture.recomputation import Recomputation
from hookviz.capture.recorder import Recorder
from hookviz.capture.run import Run
from hookviz.capture.step_ring import StepRing
from hookviz.capture.store import SHARE_OF_OUTPUTS, TensorStore
from hookviz.health.checkup import Checkup
from hookviz.health.finite_check import FiniteCheck, FiniteWatch
from hookviz.hooks import seam
from hookviz.hooks.observer import RunObserver
from hookviz.hooks.pace import Pace
from hookviz.hooks.paths import is_selected
from hookviz.session.account import Account, Overhead
from hookviz.session.failure import Failure
from hookviz.session.flows import Flows
from hookviz.session.listened import Listened
from hookviz.session.observed import Observed
from hookviz.session.parts import Parts
from hookviz.session.run_count import RunCount
from hookviz.session.switches import CaptureSwitches
from hookviz.session.use import Use
from hookviz.tracing.flow import Flow
from hookviz.tracing.tracer import Tracer

if TYPE_CHECKING:
    from hookviz.session.options import WatchOptions

CLOSED_WITHIN: Final = "closed within a run: what came after that was not seen"


class Capturing(Listened):
    """Opens a recorder for each run that the budget allows, and takes over its result.

    It knows the model weakly and the session not at all: each module's seam leads to it, so whatever it
    held would live as long as the model.
    """

    def __init__(self, parts: Parts, switches: CaptureSwitches, options: WatchOptions) -> None:
        super().__init__()
        self.is_open = True
        self.is_paused = False
        self.runs_captured = 0
        self.structure_version = 0
        self.run: Run | None = None
        self.flow: Flow | None = None
        self.history = History(options.history)
        self.checkup = Checkup(self.history)
        self.past = StepRing(options.history - 1, options.keep_bytes)
        """The captured runs before the last one."""
        self._account = Account(options.overhead, options.every)
        self._copies = Copies()
        self._lending = Lending()
        self.store = TensorStore(options.keep_bytes, copies=self._copies)
        self.wanted: frozenset[str] = frozenset()
        """Modules whose tensors are kept before all others."""
        self.pace = Pace()
        self._parts = parts
        self._switches = switches
        self._options = options
        self._observed: Observed | None = None
        self.flows = Flows()
        self.use = Use()
        self._count = RunCount(self.pace)

    def apply(self, options: WatchOptions) -> None:
        """Capture with other options from the next run on.

        Raises:
            LimitError: if a limit lies outside of its range; then nothing changes.
        """
        if (options.overhead, options.every) != (self._options.overhead, self._options.every):
            self._account = Account(options.overhead, options.every)
        self.history.resize(options.history)
        self.past.resize(options.history - 1, options.keep_bytes)
        self._options = options
        self.events += 1
        self.pace.wake()

    @property
    def budget(self) -> Budget:
        """Which runs are captured."""
        return self._account.budget

    @property
    def runs_seen(self) -> int:
        """How many runs there were, captured or not."""
        return self._count.runs

    def begin(self, _module: nn.Module, path: str) -> RunObserver | None:
        """A run of the model, or of a part called by itself, begins; None if it is not captured."""
        started = time.perf_counter()
        beside = self._count.beside
        passed, seconds = self.pace.take()
        self._count.begin(passed)
        self.use.begin_run()
        is_waited_for = self.begin_run()
        if self._observed is not None:
            self._observed.hooks.stop()
        # Before the tick, which shows what it finds: the work is not that of showing.
        self._account.begin_run(self.settle())
        if self.tick is not None:
            self._account.show(self.tick)
        to_tick = time.perf_counter() - started
        self._account.rested(passed, seconds)
        model = self._parts.model()
        if model is None or not self.is_open:
            return None
        if self.is_paused:
            self.budget.run_began()
        elif self.budget.is_due(passed):
            return self._observe(model, path, beside, to_tick)
        elif self._options.stop_on_nan:
            return FiniteWatch(self.runs_seen, self.stopped)
        if not is_waited_for:
            self.pace.rest(started, *((math.inf, math.inf) if self.is_paused else self.budget.rest()))
        return None

    def _observe(self, model: nn.Module, path: str, beside: int, to_tick: float) -> RunObserver:
        """Capture the run that begins. What the tick took is paid for, but is not what a capture costs."""
        self._account.observe(to_tick)
        self.follow_changes(model)
        self.check_up(self.checkup.begin, self._parts.index)
        run = Run(self.runs_seen, path)
        run.cost_seconds = -to_tick
        self._count.observe(beside)
        run.is_training = model.training
        self.store = TensorStore(
            self._options.keep_bytes,
            share_of_outputs=SHARE_OF_OUTPUTS if self._switches.is_on("gradients", None) else 1.0,
            copies=self._copies,
            lending=self._lending,
        )
        self.store.wanted = self.past.wanted = self.wanted
        self.store.make_room = self.past.make_room
        self.store.free_bytes = self.past.make_room(0)
        plans = self._switches.plans()
        recorder = Recorder(run, self.store, plans, exact=self._options.exact, fault=self.fault)
        hooks = HookRecorder(recorder, plans, fault=self.hook_fault)
        tracer = Tracer(model, is_compiled=seam.is_compiled) if self.flows.needs_trace else None
        if self._observed is not None:
            self._observed.recorder.hooks.remove()
        self._observed = Observed(
            run, recorder, hooks, tracer, FiniteCheck(run.step, self.stopped) if self._options.stop_on_nan else None
        )
        hooks.watch_tensors(self.tensors(model))
        run.effects.off = self.hooks_off()
        self.run = run
        self._copies.begin(run)
        self.runs_captured += 1
        return self._observed

    def follow_changes(self, model: nn.Module) -> None:
        """Modules that came are watched from now on, those that went no more."""
        has_changed, carriers = self._parts.follow(model)
        if has_changed:
            self._switches.watch(self._parts.selected(self._options.only, self._options.exclude))
            self.flows.needs_trace = True
            self.structure_version += 1
        self.look(carriers)

    def adopt(self, parts: Mapping[str, nn.Module]) -> None:
        """Modules were added by the run itself: those that the options leave are captured from their first call."""
        only, exclude = self._options.only, self._options.exclude
        self._switches.add(path for path, module in parts.items() if is_selected(path, module, only, exclude))

    def settle(self) -> float:
        """The last captured run and its backward are over: what they showed and what they cost.

        Returns:
            Seconds that this took; they are part of what the run cost.
        """
        observed = self._observed
        if observed is None or observed.is_settled or not self.is_open or self._parts.model() is None:
            return 0.0
        started = time.perf_counter()
        observed.is_settled = True
        self._lending.settle()
        self.history.add(observed.run)
        self.check_up(self.checkup.end, observed.run, self._parts.index)
        self.past.add(observed.run, self.store)
        seconds = time.perf_counter() - started
        observed.run.cost_seconds += seconds
        self._account.spend(observed.run.cost_seconds)
        return seconds

    def bring_up_to_date(self) -> None:
        """Let the history and the checkup know the last run as far as it has come, unless it may be at work."""
        if self.run is not None and self.run.is_finished and not self.is_used_elsewhere:
            self.history.add(self.run)
            self.check_up(self.checkup.end, self.run, self._parts.index)

    @property
    def is_used_elsewhere(self) -> bool:
        """Whether the model may be at work in another thread; see ``Use``."""
        return self.use.is_elsewhere(is_at_work=self.budget.is_at_work)

    @property
    def overhead(self) -> Overhead:
        """What of the user's time goes into capturing now."""
        observed = self._observed
        return self._account.overhead(0.0 if observed is None or observed.is_settled else observed.run.cost_seconds)

    def end(self, observer: RunObserver, error: BaseException | None) -> None:
        """An observed run's forward is over."""
        if not isinstance(observer, Observed):
            self.budget.run_ended()
            return
        started = time.perf_counter()
        self.budget.run_ended()
        # First, whatever fails afterwards: the tracer's mode must not outlive the run.
        flow = observer.tracer.finish() if observer.tracer is not None else None
        observer.recorder.finish(error)
        if self.is_open:
            self._take_flow(observer, flow, is_whole=error is None)
        else:
            # The rest was not seen: what it fed would look loose.
            observer.run.is_cut = True
            self.problem = CLOSED_WITHIN
        observer.run.flow = self.flow
        self._count.tell(observer.run)
        self.events += 1
        observer.run.cost_seconds += time.perf_counter() - started
        self.notify()

    def _take_flow(self, observed: Observed, traced: Flow | None, *, is_whole: bool) -> None:
        if observed.tracer is not None and traced is not None and observed.tracer.problem:
            self.report(observed.tracer.problem)
        flow = self.flows.settle(observed.run, traced, is_whole=is_whole)
        if flow is not None and flow != self.flow:
            self.flow = flow
            self.structure_version += 1

    def overlap(self) -> None:
        """A run begins in another thread while one goes on; it is counted, not captured."""
        self._count.overlap(self.run)

    def beside(self, count: int) -> None:
        """So many runs go on in other threads beside the captured one."""
        self._count.go_on_beside(count, self.run)

    def explain(self, error: Exception) -> None:
        """A run raised: keep where, if nothing else tells it."""
        self.annotate(error)
        model = self._parts.model()
        if model is not None and (self.run is None or self.run.step != self.runs_seen):
            self.failure = Failure.of(error, self.runs_seen, model)
            self.events += 1
            self.notify()

    def passed(self, seconds: float) -> None:
        """A run went by uncaptured; noticing it took so much time."""
        self.budget.run_ended()
        self._account.notice(seconds)

    def recompute(self) -> RunObserver | None:
        """Modules run again within a backward pass of the last captured run."""
        observed = self._observed
        if observed is None or self.is_paused or not self.is_open:
            return None
        return Recomputation(
            observed.run, observed.recorder, observed.hooks, self._switches.plans(), exact=self._options.exact
        )

    def fault(self, error: Exception) -> None:
        """Something of ours failed: told once, and shown. The rest of the run is not observed."""
        if self._observed is not None and self._observed.tracer is not None:
            # It may be what failed.
            with contextlib.suppress(Exception):
                self._observed.tracer.finish()
        self.report(f"Capturing failed with {type(error).__name__}: {error}")

    def close(self) -> None:
        """Nothing is captured any more; hooks on the user's leaves are taken off."""
        self.is_open = False
        self.tell_nobody()
        self.pace.wake()
        if self._observed is not None:
            self._observed.recorder.hooks.remove()
            self._observed.hooks.close()
        self._copies.drop()
        self._lending.drop()
        self.events += 1
