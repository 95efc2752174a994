"""Who looks at the runs of a model: what the probe tells, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from torch import nn

from hookviz.hooks.watched_hooks import WatchedHooks


class RunObserver(Protocol):
    """Sees each call of a watched module in one run; must neither change nor keep what it is given."""

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A call begins, with what the caller passed."""

    def watch_hooks(self, module: nn.Module, path: str) -> WatchedHooks | None:
        """The call that began goes on; whose hooks are led past somebody is said by what this returns."""

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> None:
        """What forward receives after the module's own pre-hooks; not called where there are none."""

    def leave(
        self,
        module: nn.Module,
        path: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        output: object,
        /,
        *,
        seconds: float | None = None,
    ) -> None:
        """It returned, with what the caller passed and what the caller gets, after all hooks.

        It took ``seconds``, without what observing the calls within it took; None if nobody knows.
        """

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        """It raised."""

    def spent(self, seconds: float) -> None:
        """So much of the run's time went into observing it."""


class RunListener(Protocol):
    """Decides which runs are observed."""

    def begin(self, module: nn.Module, path: str, /) -> RunObserver | None:
        """A run begins; None leaves it unobserved."""

    def adopt(self, parts: Mapping[str, nn.Module], /) -> None:
        """Modules were added to the model, at these paths, while an observed run is on."""

    def recompute(self) -> RunObserver | None:
        """Modules run again within a backward pass, as activation checkpointing does."""

    def end(self, observer: RunObserver, error: BaseException | None) -> None:
        """An observed run is over."""

    def passed(self, seconds: float) -> None:
        """An unobserved run is over; noticing it took so much time."""

    def overlap(self) -> None:
        """A run begins in one thread while another one goes on in another: it is not observed."""

    def beside(self, count: int, /) -> None:
        """So many unobserved runs go on in other threads as the observed one begins."""

    def explain(self, error: Exception, /) -> None:
        """A run raised; a note may be added to the error."""

    def fault(self, error: Exception) -> None:
        """A fault of ours; the run goes on unobserved."""
