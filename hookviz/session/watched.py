"""The model that a session watches: its parts, what is found at a path, and the end of it."""

from __future__ import annotations

import math
import time
from typing import Self

from torch import nn

from hookviz.capture.run import Run
from hookviz.errors import ClosedSessionError, ModelGoneError
from hookviz.hooks import seam
from hookviz.hooks.probe import Probe
from hookviz.session.accepted import require, require_path
from hookviz.session.capturing import Capturing
from hookviz.session.options import WatchOptions
from hookviz.session.parts import Parts
from hookviz.session.reasons import Reasons
from hookviz.session.switches import CaptureSwitches
from hookviz.session.views import ModuleView, ParameterView

WRAPPED = "torch.compile(model) was made: calls of its result are not observable, those of the model are"

STILL_THERE = "What was captured is still in session.outputs(), history(...), health() and to_dataframe()."

NOTICE_SECONDS = 5.0
"""What cannot be observed is looked for anew after this time: often enough to be told, seldom enough to be cheap."""


class Watched:
    """One model with a call seam on each of its modules, held weakly, until ``close``."""

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        self.options = options
        self._name = type(model).__name__
        self._parts = Parts(model)
        self._switches = CaptureSwitches(
            self._parts.selected(options.only, options.exclude), inputs=options.inputs, gradients=options.gradients
        )
        self._capturing = Capturing(self._parts, self._switches, options)
        self._parts.install(Probe(self._capturing, self._capturing.pace))
        self._notice = ""
        self._looked_at = -math.inf

    def apply(self, options: WatchOptions) -> None:
        """Work with other options from the next run on; what was captured stays.

        Raises:
            PatternError: if a pattern matches no module.
            LimitError: if a limit lies outside of its range. In both cases nothing changes.
            OptionError: if these are no options.
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
        require(
            "apply takes options, such as session.options.changed(every=1), which hookviz.watch(model, every=1) makes",
            options,
            is_accepted=isinstance(options, WatchOptions),
        )
        if options == self.options:
            return
        watched = self._parts.selected(options.only, options.exclude)
        self._capturing.apply(options)
        self._switches.watch(watched)
        self._switches.set("inputs", None, enabled=options.inputs)
        self._switches.set("gradients", None, enabled=options.gradients)
        self.options = options

    @property
    def name(self) -> str:
        """How the model is called in the picture; at first by its class. May be set.

        Raises:
            OptionError: if it is set to what is no text.
        """
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        require('The name of a session is a text, such as "teacher"', name, is_accepted=isinstance(name, str))
        self._name = name

    @property
    def model(self) -> nn.Module:
        """The watched model.

        Raises:
            ModelGoneError: if its owner dropped it.
        """
        model = self._parts.model()
        if model is None:
            kept = "" if self.run is None else f" {STILL_THERE}"
            raise ModelGoneError(
                f"The watched {self.name} no longer exists: a session does not keep its model alive. "
                f"Keep a name on the model, and watch it again: hookviz.watch(model).{kept}"
            )
        return model

    def paths(self) -> list[str]:
        """The paths of all modules, as in ``model.named_modules()``; the model itself is ``""``."""
        self._follow_changes()
        return self._parts.index.paths()

    def __getitem__(self, path: str) -> ModuleView | ParameterView:
        """A module, parameter or buffer with what flowed through it.

        Raises:
            UnknownModuleError: if there is nothing at this path; the message has the nearest.
            OptionError: if it is no path.
        """
        require_path(path)
        self._follow_changes()
        module = self._parts.index.find(path)
        if module is not None:
            return ModuleView(path, module, self._reasons())
        owner, _, name = path.rpartition(".")
        parent = self._parts.index.find(owner)
        if parent is not None:
            tensor = {**parent._buffers, **parent._parameters}.get(name)
            if tensor is not None:
                return ParameterView(
                    path,
                    tensor,
                    has_backward=self.run is not None and self.run.has_gradients,
                    is_in_use=self._capturing.is_used_elsewhere,
                )
        more = [
            f"{at}.{name}" if at else name
            for at, module in self._parts.index.modules()
            for name in (*module._parameters, *module._buffers)
        ]
        raise self._parts.index.unknown(path, self.model, more)

    def _reasons(self) -> Reasons:
        return Reasons(
            self.run,
            self._parts.index,
            self._switches,
            self.options,
            is_paused=self._capturing.is_paused,
            is_compiled=self._parts.is_compiled(""),
            is_in_use=self._capturing.is_used_elsewhere,
        )

    def _follow_changes(self) -> None:
        model = self._parts.model()
        # In the middle of a run, it would meet modules that are just being added.
        if model is not None and self.is_open and not self._capturing.is_used_elsewhere:
            self._capturing.follow_changes(model)

    @property
    def run(self) -> Run | None:
        """The last captured run, None before the first. Gradients come in when backward does."""
        return self._capturing.run

    def unobservable(self) -> list[str]:
        """What of the model runs where nobody can look, in words, the whole before its parts; empty where all is seen.

        Once something was compiled in this process, this takes some 30 ms: who holds the model is searched for.
        """
        model = self._parts.model()
        if model is None:
            return []
        found = [
            f"{path or 'the model'}: compiled: not observable"
            for path, module in self._parts.index.modules()
            if seam.is_compiled(module)
        ]
        if seam.is_wrapped_by_compiler(model):
            found.insert(0, WRAPPED)
        self._notice = found[0] if found else ""
        self._looked_at = time.monotonic()
        return found

    @property
    def notice(self) -> str:
        """The first line of ``unobservable``, at most some seconds old."""
        if time.monotonic() - self._looked_at > NOTICE_SECONDS:
            self.unobservable()
        return self._notice

    @property
    def is_open(self) -> bool:
        """False after ``close``."""
        return self._capturing.is_open

    def _require_open(self) -> None:
        if not self.is_open:
            raise ClosedSessionError(
                f"The session of {self.name} is closed. Watch the model again: hookviz.watch(model)."
            )

    def close(self) -> None:
        """Take everything off the model again. What was captured can still be read; twice does nothing."""
        if not self.is_open:
            return
        self._capturing.close()
        self._parts.remove()

    def __enter__(self) -> Self:
        self._require_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
