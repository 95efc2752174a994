"""What of a model's runs is captured: which runs, which values, and whose tensors are kept first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookviz.session.accepted import require_path, require_pattern, require_switch
from hookviz.session.switches import Switch
from hookviz.session.watched import Watched

if TYPE_CHECKING:
    from hookviz.hooks.paths import Pattern


class Switching(Watched):
    """A watched model with the switches of what is captured."""

    _kept_first: frozenset[str] = frozenset()
    _looked_into: frozenset[str] = frozenset()

    def capture_next(self) -> None:
        """Capture the next run, although it costs more than the limit of ``overhead`` allows by now.

        In a notebook that shows the model this is so for the first run of each cell. What it costs is paid
        off by the runs after it, which are left out for longer. It changes nothing while the session is paused,
        or where ``every`` says which runs are captured.

        Raises:
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
        self._capturing.budget.grant()
        self._capturing.pace.wake()

    @property
    def is_paused(self) -> bool:
        """True between ``pause`` and ``resume``."""
        return self._capturing.is_paused

    def pause(self) -> None:
        """Capture nothing from the next run on; what was captured stays.

        Raises:
            ClosedSessionError: if the session is closed.
        """
        self._set_paused(is_paused=True)

    def resume(self) -> None:
        """Capture again from the next run on.

        Raises:
            ClosedSessionError: if the session is closed.
        """
        self._set_paused(is_paused=False)

    def _set_paused(self, *, is_paused: bool) -> None:
        self._require_open()
        self._capturing.is_paused = is_paused
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
            ClosedSessionError: if the session is closed.
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
        """Whether one kind is captured: in general, or of one module; False where there is no module at the path.

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
            ClosedSessionError: if the session is closed.
            UnknownModuleError: if there is no module at one of them; the last call then stays in force.
        """
        self._require_open()
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
