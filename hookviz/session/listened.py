"""What others want to be told while a model is captured, and how faults of ours are told."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence

import torch
from torch import nn

from hookviz.capture.first_line import sentence
from hookviz.errors import NotFiniteError
from hookviz.hooks.discovery import named_tensors
from hookviz.session.failure import Failure


class Listened:
    """Has a place for each of those who listen; in it stands one who does nothing, until somebody comes."""

    def __init__(self) -> None:
        self.problem = ""
        self.events = 0
        """Counts what changed in the captured values, but for gradients, which their run counts."""
        self.tick: Callable[[], float | None] | None = None
        """Called before a run's outermost call; gives the seconds of it that have a pace of their own."""
        self.begin_run: Callable[[], bool] = _nobody_waits
        """Called before a run's outermost call, captured or not, also of a session that is paused.

        Returns whether it has to be called before the next one, too; else runs may pass by without it for
        a while, until ``pace.wake``.
        """
        self.annotate: Callable[[Exception], None] = _nobody_explains
        """Called with what the user's run raised, captured or not; may add a note to it."""
        self.failure: Failure | None = None
        """The last run that raised and was not captured."""
        self.look: Callable[[Sequence[nn.Module]], None] = _nobody_looks
        """Called with the modules of the model that may have hooks, when it is read again."""
        self.tensors: Callable[[nn.Module], Iterable[tuple[str, torch.Tensor]]] = named_tensors
        """Path and tensor of all whose hooks are of interest in a run."""
        self.hooks_off: Callable[[], frozenset[str]] = frozenset
        """Ids of the hooks that are switched off."""
        self.notify: Callable[[], None] = _nobody
        """Called after each captured run's forward."""
        self._has_warned = False

    def hook_fault(self, error: Exception) -> None:
        """Something of ours failed beside a hook; what else is captured goes on."""
        self.report(f"Watching hooks failed with {type(error).__name__}: {error}")

    def check_up(self, look: Callable[..., None], *arguments: object) -> None:
        """Look for what is wrong with the model; a fault of ours in that is told, and ends here."""
        try:
            look(*arguments)
        except Exception as error:  # noqa: BLE001  # a fault of ours must not reach the user's run
            self.report(f"Looking for what is wrong failed with {type(error).__name__}: {error}")

    def report(self, text: str) -> None:
        """Say in the picture what failed, and warn the first time."""
        self.problem = text
        self.events += 1
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"hookviz: {sentence(text)} The model's run is not affected.", stacklevel=2)

    def stopped(self, error: NotFiniteError) -> None:
        """A backward pass is about to end with this."""
        where = error.value.removeprefix("grad_")
        self.failure = Failure(error.step, error.path, f"{type(error).__name__}: NaN in the gradient of its {where}")
        self.events += 1
        self.notify()

    def tell_nobody(self) -> None:
        """Nobody wants to know any more of runs that begin or end."""
        self.tick = None
        self.begin_run, self.notify = _nobody_waits, _nobody


def _nobody() -> None:
    """Nobody wants to know."""


def _nobody_waits() -> bool:
    """Nobody has to know of each run."""
    return False


def _nobody_explains(_error: Exception) -> None:
    """Nobody knows more of an error."""


def _nobody_looks(_modules: Sequence[nn.Module]) -> None:
    """Nobody looks for more than modules."""
