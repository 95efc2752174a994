"""What a session records of the user's runs: how many, at what cost, and their history."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hookviz.capture.history import HistoryKind, Statistic
from hookviz.capture.leaves import Nested
from hookviz.errors import NotCapturedError
from hookviz.session.accepted import require
from hookviz.session.failure import Failure
from hookviz.session.switching import Switching

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Recording(Switching):
    """A watched model with its runs: counts, costs and history."""

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
    def cell_thread(self) -> int | None:
        """The thread in which a cell runs, as ``threading.get_ident`` names it; None if none is known to run.

        Another thread then reads no gradient of a parameter and judges nothing: autograd writes a ``grad``
        without Python's lock, and who reads it meanwhile may crash the process.
        """
        return self._capturing.use.cell_thread

    @cell_thread.setter
    def cell_thread(self, thread: int | None) -> None:
        self._capturing.use.cell_thread = thread

    @property
    def is_used_elsewhere(self) -> bool:
        """Whether a cell of another thread may be running the model."""
        return self._capturing.is_used_elsewhere

    @property
    def overhead_now(self) -> float:
        """Share of the last 20 seconds, or of the time since the first run, that went into this session, 0 to 1.

        That is capturing, looking for what is wrong, and showing live values.
        """
        return self._capturing.overhead.share

    @property
    def kept_bytes(self) -> int:
        """Bytes of tensors that are kept now, those of past steps among them."""
        return self._capturing.store.kept_bytes + self._capturing.past.kept_bytes

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
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
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
