"""What a session records of the user's runs, and what it is told to leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hookviz.capture.history import HistoryKind, Statistic
from hookviz.capture.leaves import Nested
from hookviz.errors import NotCapturedError
from hookviz.session.accepted import require_path, require_pattern, require_switch
from hookviz.session.failure import Failure
from hookviz.session.switches import Switch
from hookviz.session.watched import Watched

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hookviz.hooks.paths import Pattern


class Recording(Watched):
    """A watched model with its runs: counts, costs, history, and the switches of what is captured."""

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
    def tick(self) -> Callable[[], None] | None:
        """Called at the outermost call of each run, in the thread that makes it; must be quick."""
        return self._capturing.tick

    @tick.setter
    def tick(self, tick: Callable[[], None] | None) -> None:
        self._capturing.tick = tick

    @property
    def overhead_now(self) -> float:
        """Share of the last 20 seconds, or of the time since the first run, that went into capturing, 0 to 1."""
        return self._capturing.share

    @property
    def kept_bytes(self) -> int:
        """Bytes of tensors that are kept now."""
        return self._capturing.store.kept_bytes

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
        self, path: str, kind: HistoryKind, statistic: Statistic
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Steps and values of one statistic over the captured runs, as two arrays of one length.

        Args:
            path: A module.
            kind: ``"output"`` or ``"grad_output"``.
            statistic: ``"mean"``, ``"std"``, ``"min"``, ``"max"`` or ``"norm"``.

        Raises:
            UnknownModuleError: if there is no module at this path; the message has the nearest.
            NotCapturedError: if nothing of this was captured.
        """
        if self._parts.model() is not None:
            # Raises where there is nothing.
            _ = self[path]
        if self.run is not None and self.run.is_finished:
            self._capturing.history.add(self.run)
        return self._capturing.history.of(self._parts.index.first_path(path), kind, statistic)

    def capture_next(self) -> None:
        """Capture the next run, although it costs more than the limit of ``overhead`` allows by now.

        In a notebook that shows the model this is so for the first run of each cell. What it costs is paid
        off by the runs after it, which are left out for longer. It changes nothing while the session is paused,
        or where ``every`` says which runs are captured.
        """
        self._capturing.budget.grant()

    def pause(self) -> None:
        """Capture nothing from the next run on; what was captured stays."""
        self._capturing.is_paused = True
        self._capturing.events += 1

    def resume(self) -> None:
        """Capture again from the next run on."""
        self._capturing.is_paused = False
        self._capturing.events += 1

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

        The widget asks for those of the selected module. Each call replaces the last one.

        Raises:
            OptionError: if one of them is no path.
        """
        for path in paths:
            require_path(path)
        self._capturing.wanted = frozenset(self._parts.index.first_path(path) for path in paths)
