"""Which thread uses the model: another one must not read what autograd may be writing."""

from __future__ import annotations

import threading


class Use:
    """Knows the thread of the running cell, and the one that ran the model last.

    Autograd writes a parameter's ``grad`` without Python's lock: who reads it meanwhile may crash the process.
    """

    def __init__(self) -> None:
        self.cell_thread: int | None = None
        """The thread in which a cell runs, as ``threading.get_ident`` names it; None if none is known to run."""
        self._runner: threading.Thread | None = None

    def begin_run(self) -> None:
        """A run begins in this thread."""
        self._runner = threading.current_thread()

    def is_elsewhere(self, *, is_at_work: bool) -> bool:
        """Whether a cell of another thread may be running the model, or a thread of the user's own is.

        Args:
            is_at_work: Whether a run goes on, or ended so lately that its backward pass may go on.
        """
        if self.cell_thread not in (None, threading.get_ident()):
            return True
        runner = self._runner
        # Of the main thread it is known whether a cell runs.
        if runner is None or runner in (threading.current_thread(), threading.main_thread()):
            return False
        return is_at_work and runner.is_alive()
