"""A listener of the probe that writes down what it is told."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.probe import Probe
from tests.models import wired


class Notes:
    """Listener and observer in one; writes down what it is told."""

    def __init__(self, *, observes: bool = True, breaks_at: str = "") -> None:
        self.lines: list[str] = []
        self.seconds: list[tuple[str, float]] = []
        self.faults: list[Exception] = []
        self.observes = observes
        self.breaks_at = breaks_at

    def _note(self, what: str, detail: str) -> None:
        self.lines.append(f"{what} {detail}".rstrip())
        if what == self.breaks_at:
            raise OSError(f"broken {what}")

    def spent(self, seconds: float) -> None:
        self.seconds.append(("observed", seconds))

    def explain(self, error: Exception, /) -> None:
        error.add_note("explained")

    def beside(self, count: int, /) -> None:
        self._note("beside", str(count))

    def overlap(self) -> None:
        self._note("overlap", "")

    def passed(self, seconds: float) -> None:
        self.seconds.append(("unobserved", seconds))

    def begin(self, module: nn.Module, path: str, /) -> "Notes | None":
        self._note("begin", path)
        return self if self.observes else None

    def adopt(self, parts: Mapping[str, nn.Module], /) -> None:
        self._note("adopt", " ".join(parts))

    def recompute(self) -> None:
        self._note("recompute", "")

    def end(self, observer: object, error: BaseException | None) -> None:
        self._note("end", "" if error is None else type(error).__name__)

    def fault(self, error: Exception) -> None:
        self.faults.append(error)

    def enter(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._note("enter", path)

    def watch_hooks(self, module: nn.Module, path: str) -> None:
        """Of no interest here."""

    def received(self, module: nn.Module, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._note("received", f"{path} {args[0].tolist()}")

    def leave(
        self,
        module: nn.Module,
        path: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        output: object,
        *,
        seconds: float | None = None,
    ) -> None:
        self._note("leave", path)

    def fail(self, module: nn.Module, path: str, error: BaseException) -> None:
        self._note("fail", f"{path} {type(error).__name__}")


def probed(model: nn.Module, notes: Notes) -> Probe:
    probe = Probe(notes)
    probe.install(ModuleIndex(model))
    return probe


def raising(error: BaseException) -> nn.Module:
    def wiring(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        raise error

    module: nn.Module = wired(wiring)
    return module
