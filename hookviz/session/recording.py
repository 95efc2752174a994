"""What a session records of the user's runs, and what it is told to leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hookviz.capture.history import HistoryKind, Statistic
from hookviz.capture.leaves import Nested
from hookviz.errors import NotCapturedError
from hookviz.session.accepted import require, require_path, require_pattern, require_switch
from hookviz.session.failure import Failure
from hookviz.session.switches import Switch
from hookviz.session.watched import Watched

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hookviz.hooks.paths import Pattern


class Recording(Watched):
    """A watched model with its runs: counts, costs, history, and the switches of what is captured."""

    _kept_first: frozenset[str] = frozenset()
    _looked_into: frozenset[str] = frozenset()

    @property
    def runs_seen(self) -> int:
        """How often the model, or a part of it by itself, was called since it is watched."""
        return self._capturing.runs_seen

    @property
    def runs_captured(self) -> int:
        """How many of these runs were captured."""
        return self._capturing.runs_captured

    @property
    def failure(self) -> Failure | None:
        """The last run that raised, if it came after the one that is shown and was not captured."""
        failure, run = self._capturing.failure, self._capturing.run
        return failure if failure is not None and (run is None or failure.step > run.step) else None

    @property
    def problem(self) -> str:
        """What a fault of ours switched off, else empty."""
        return self._capturing.problem

    @property
    def structure_version(self) -> int:
        """Grows when the picture needs a new layout."""
        return self._capturing.structure_version

    @property
    def data_version(self) -> int:
        """Grows when captured values change."""
        run = self._capturing.run
        return self._capturing.events + (run.revision if run is not None else 0)

    @property
    def tick(self) -> Callable[[], float | None] | None:
        """Called at the outermost call of a run, in the thread that makes it; must be quick.

        Runs that follow each other within 20 ms may come without it. Captures make up for the time it takes,
        but for the seconds that it returns, which are only counted in ``overhead_now``.
        """
        return self._capturing.tick

    @tick.setter
    def tick(self, tick: Callable[[], float | None] | None) -> None:
        self._capturing.tick = tick
        self._capturing.pace.wake()

    @property
    def overhead_now(self) -> float:
        """Share of the last 20 seconds, or of the time since the first run, that went into this session, 0 to 1.

        That is capturing, looking for what is wrong, and showing live values.
        """
        return self._capturing.share

    @property
    def kept_bytes(self) -> int:
        """Bytes of tensors that are kept now, those of past steps among them."""
        return self._capturing.store.kept_bytes + self._capturing.past.kept_bytes

    @property
    def is_paused(self) -> bool:
        """True between ``pause`` and ``resume``."""
        return self._capturing.is_paused

    def outputs(self) -> dict[str, Nested]:
        """What the last call of each module returned, as ``session[path].output``, by path.

        In the order in which the modules were first called. Those that were not called in the last captured
        run, as a ``ModuleList``, are left out, and those of which nothing was captured.

        Raises:
            NotCapturedError: if no run was captured; the message says why.
        """
        reasons = self._reasons()
        if self.run is None:
            raise NotCapturedError(f"There are no outputs of {self.name}: {reasons.of_no_call('')}")
        last = {call.path: call for call in self.run.calls}
        return {path: call.output for path, call in last.items() if not reasons.of_no_value(call, "output")}

    def history(
        self, path: str, kind: HistoryKind, statistic: Statistic, *, mark: str | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Steps and values of one statistic over the captured runs, as two arrays of one length.

        Args:
            path: A module.
            kind: ``"output"``, ``"grad_output"`` or ``"parameters"``.
            statistic: ``"mean"``, ``"std"``, ``"min"``, ``"max"`` or ``"norm"``; of outputs ``"zeros"`` as well,
                the share of values that are 0; of parameters ``"update_ratio"``: how far one step of training moved
                the module's own parameters, all of them together, over their norm before it, by a sample of 256
                elements of each. It is the step between a captured run and the next run, captured or not, so it is
                never the sum of several; where no parameter of the model moved there is none. Zeros are counted;
                of a tensor that was not kept, or has more than four million elements, in a sample. Neither is
                looked at in every captured run: they may take a fiftieth of the time.
            mark: The training, by the name that ``mark`` gave it; by default the last one, so that after
                ``mark("b")`` only the runs since then are given. What came before the first mark is ``""``.

        Raises:
            UnknownModuleError: if there is no module at this path; the message has the nearest.
            NotCapturedError: if nothing of this was captured.
            UnknownMarkError: if there is no such mark.
        """
        if self._parts.model() is not None:
            # Raises where there is nothing.
            _ = self[path]
        self._capturing.bring_up_to_date()
        return self._capturing.history.of(self._parts.index.first_path(path), kind, statistic, mark)

    def mark(self, name: str) -> None:
        """Keep the history of the next runs apart from those before, under a name such as ``"lr=0.1"``.

        Say it before each training that is to be compared: the inspector draws their lines over each other, each
        from its own first run, and ``history(..., mark=name)`` gives the numbers of one; without a name,
        ``history`` and ``health`` go back no further than to the last mark. The same name again
        replaces what it stood for. The newest eight are kept.

        Raises:
            OptionError: if the name is no text, or empty.
        """
        given: object = name
        require('A mark is a text, such as "lr=0.1"', name, is_accepted=isinstance(given, str) and given != "")
        self._capturing.bring_up_to_date()
        self._capturing.history.mark(name, self.runs_seen + 1)
        self._capturing.checkup.begin_training()
        self._capturing.events += 1

    @property
    def marks(self) -> dict[str, int]:
        """The trainings that are kept apart, oldest first, each with its first step.

        What came before the first mark is ``""``.
        """
        return self._capturing.history.marks

    def capture_next(self) -> None:
        """Capture the next run, although it costs more than the limit of ``overhead`` allows by now.

        In a notebook that shows the model this is so for the first run of each cell. What it costs is paid
        off by the runs after it, which are left out for longer. It changes nothing while the session is paused,
        or where ``every`` says which runs are captured.
        """
        self._capturing.budget.grant()
        self._capturing.pace.wake()

    def pause(self) -> None:
        """Capture nothing from the next run on; what was captured stays."""
        self._capturing.is_paused = True
        self._capturing.events += 1
        self._capturing.pace.wake()

    def resume(self) -> None:
        """Capture again from the next run on."""
        self._capturing.is_paused = False
        self._capturing.events += 1
        self._capturing.pace.wake()

    def enable(self, what: Switch, path: Pattern | None = None) -> None:
        """Capture ``"outputs"``, ``"gradients"`` or ``"inputs"`` again, from the next run on.

        Args:
            what: The kind of capture.
            path: A module's path or a pattern; None means all modules.

        Raises:
            PatternError: if the path or pattern matches no module.
            OptionError: if there is no such kind of capture.
        """
        self._switch(what, path, enabled=True)

    def disable(self, what: Switch, path: Pattern | None = None) -> None:
        """Stop capturing one kind, from the next run on; see ``enable``."""
        self._switch(what, path, enabled=False)

    def _switch(self, what: Switch, path: Pattern | None, *, enabled: bool) -> None:
        self._require_open()
        require_switch(what)
        if path is not None:
            require_pattern(path)
        self._switches.set(what, None if path is None else self._parts.index.matching(path), enabled=enabled)
        if path is None:
            # So that the options, which watch() changes in part, are always what holds.
            self.options = self.options.changed(
                inputs=enabled if what == "inputs" else None, gradients=enabled if what == "gradients" else None
            )
        self._capturing.events += 1

    def is_enabled(self, what: Switch, path: str | None = None) -> bool:
        """Whether one kind is captured: in general, or of one module.

        Raises:
            OptionError: if there is no such kind of capture.
        """
        require_switch(what)
        if path is not None:
            require_path(path)
        return self._switches.is_on(what, None if path is None else self._parts.index.first_path(path))

    def off_paths(self, what: Switch) -> tuple[str, ...]:
        """The modules for which this kind was switched off by themselves.

        Raises:
            OptionError: if there is no such kind of capture.
        """
        require_switch(what)
        return self._switches.off_paths(what)

    def keep_first(self, *paths: str) -> None:
        """From the next run on, keep the tensors of these modules before all others, up to the byte limit.

        In past steps, too, they are let go last. Each call replaces the last one. The selected module of a widget
        has the same right without being asked for here.

        Raises:
            OptionError: if one of them is no path.
            UnknownModuleError: if there is no module at one of them; the last call then stays in force.
        """
        for path in paths:
            require_path(path)
        self._follow_changes()
        for path in paths:
            if self._parts.index.find(path) is None:
                raise self._parts.index.unknown(path, self.model)
        self._kept_first = frozenset(self._parts.index.first_path(path) for path in paths)
        self._capturing.wanted = self._kept_first | self._looked_into

    @property
    def kept_first(self) -> tuple[str, ...]:
        """The modules of ``keep_first`` that the model still has, sorted."""
        return tuple(sorted(path for path in self._kept_first if self._parts.index.find(path) is not None))

    def look_into(self, *paths: str) -> None:
        """Keep the tensors of these modules, too, for as long as somebody looks at them; for widgets."""
        self._looked_into = frozenset(self._parts.index.first_path(path) for path in paths)
        self._capturing.wanted = self._kept_first | self._looked_into
