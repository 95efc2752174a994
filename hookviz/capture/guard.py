"""What gradient hooks run in: their time is that of the run, and their faults go no further."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookviz.capture.gradient import GradientHooks
    from hookviz.capture.run import Run


class Guard:
    """Called with some work and its arguments.

    The autograd graph holds the hooks, and those hold this, until the user's program drops its loss. The run, with
    all the memory it has, is not held for so long.
    """

    def __init__(self, run: Run, fault: Callable[[Exception], None]) -> None:
        self._run = weakref.ref(run)
        self._fault = fault
        self.hooks: GradientHooks | None = None
        """Told when the gradient came."""

    def __call__(self, work: Callable[..., None], *arguments: Any) -> None:
        """Do the work."""
        run = self._run()
        started = time.perf_counter()
        if self.hooks is not None and run is not None:
            self.hooks.now = started - run.cost_seconds
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001  # the one place where faults of gradient hooks end
            self._fault(error)
        if run is not None:
            run.revision += 1
            run.cost_seconds += time.perf_counter() - started
