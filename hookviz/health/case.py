"""What is known of a model when somebody asks what is wrong with it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.history import History
from hookviz.capture.run import Run
from hookviz.health.checkup import CallKey, Checkup
from hookviz.hooks.paths import ModuleIndex


@dataclass(frozen=True, slots=True)
class Case:
    """The last captured run of a model, and what is remembered of those before."""

    run: Run
    history: History
    checkup: Checkup
    index: ModuleIndex
    name: str
    """How the whole model is called."""
    _returned: dict[CallKey, ModuleCall] = field(init=False, repr=False, compare=False)
    _times_called: Counter[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A model of thousands of modules is asked for each of its calls several times.
        returned: dict[CallKey, ModuleCall] = {}
        for call in self.run.calls:
            if call.returned >= 0:
                returned.setdefault((call.path, call.index), call)
        object.__setattr__(self, "_returned", returned)
        object.__setattr__(self, "_times_called", Counter(call.path for call in self.run.calls))

    @property
    def since(self) -> int:
        """The first step that counts: as far back as the history reaches, and not before the last mark."""
        return self.history.oldest_step

    def called(self, path: str) -> str:
        """A module in a sentence, with its class: in an ``nn.Sequential`` a path is only a number."""
        class_name = self._class_name(path)
        return f"{path} ({class_name})" if path and class_name else path or self.name

    def call(self, key: CallKey) -> ModuleCall | None:
        """A call of the last run by its path and index, if it returned."""
        return self._returned.get(key)

    def place(self, key: CallKey) -> str:
        """A call in a sentence; which one it is, where the module was called several times."""
        path, index = key
        if self._times_called[path] < 2:
            return self.called(path)
        class_name = self._class_name(path)
        if path and class_name:
            return f"{path} ({class_name}, call {index + 1})"
        return f"{path or self.name} (call {index + 1})"

    def _class_name(self, path: str) -> str:
        """Empty where there is no module, as of a parameter."""
        module = self.index.find(path)
        return "" if module is None else type(module).__name__


def number_text(number: float) -> str:
    """Three digits, as on the cards."""
    return f"{number:.3g}"


def first_output(call: ModuleCall | None) -> Capture | None:
    """The first tensor that a call returned."""
    return None if call is None else next(iter(call.output_captures), None)


def spread_of(capture: Capture | None) -> float | None:
    """The standard deviation of a tensor of floating point numbers; None where it has none that is finite."""
    if capture is None or not capture.moments.dtype.startswith(("float", "bfloat")):
        return None
    std = capture.moments.std
    return std if std is not None and math.isfinite(std) else None


def listed(names: list[str], most: int = 3) -> str:
    """``a, b and c``; of more than ``most`` the first ones and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
