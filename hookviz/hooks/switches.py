"""The switches of a model's hooks: off and on between two runs, everything on again at the end."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Literal

from hookviz.errors import ClosedSessionError, HookGoneError, HookvizError, ProtectedHookError
from hookviz.hooks.activity import is_at_work, is_at_work_elsewhere
from hookviz.hooks.entries import Entry, Identity
from hookviz.hooks.hook import Hook

Change = Literal["on", "off", "removed"]


class HookSwitches:
    """The board of one session; see ``hook.Switchboard``. It keeps neither hooks nor the model alive.

    Changes are queued and made when the model is not at work: at once, or before its next run.
    """

    def __init__(self) -> None:
        self.changes = 0
        """Counts the changes that were asked for, and those that were made."""
        self._entries: weakref.WeakKeyDictionary[Hook, Entry] = weakref.WeakKeyDictionary()
        self._waiting: dict[Identity, tuple[Entry, Change]] = {}
        self._off: dict[Identity, Entry] = {}
        """What was switched off here, in that order."""
        self._ids: dict[Identity, str] = {}
        """Of the hooks that were switched here: nobody need hold the hook itself."""
        self._lock = threading.RLock()
        self._is_open = True
        self.wake: Callable[[], None] = _nobody
        """Called when a change waits for the next run."""

    def know(self, hook: Hook, entry: Entry) -> None:
        """Tell where a hook stands."""
        self._entries[hook] = entry

    def is_on(self, hook: Hook) -> bool:
        """Whether the hook runs, or will from the next run on."""
        entry = self._entries[hook]
        _, change = self._waiting.get(entry.identity, (entry, ""))
        return change == "on" if change else entry.is_on()

    def is_gone(self, hook: Hook) -> bool:
        """Whether the hook was removed, or will be before the next run."""
        entry = self._entries[hook]
        _, change = self._waiting.get(entry.identity, (entry, ""))
        return change == "removed" or entry.function() is not hook.function

    def is_pending(self, hook: Hook) -> bool:
        """Whether a change waits for the end of the run that goes on now."""
        return self._entries[hook].identity in self._waiting

    def turn(self, hook: Hook, *, on: bool) -> None:
        """Switch it: at once between two runs, else before the next one.

        Raises:
            ProtectedHookError: if the model would break without it.
            HookGoneError: if its owner removed it.
            ClosedSessionError: if the session was closed, which put all hooks on.
        """
        self._ask(hook, "on" if on else "off")
        self.settle()

    def start(self, hook: Hook) -> None:
        """A hook that was just registered: if another thread is in a run, it waits for the next one."""
        if is_at_work_elsewhere():
            with self._lock:
                entry = self._entries[hook]
                entry.turn(on=False)
                self._ids[entry.identity] = hook.id
                self._off[entry.identity] = entry
                self._waiting[entry.identity] = (entry, "on")
                self.changes += 1
                self.wake()

    @property
    def is_settled(self) -> bool:
        """Whether no change waits."""
        return not self._waiting

    def ids_off(self) -> frozenset[str]:
        """Ids of the hooks that are switched off now, whatever waits for the next run."""
        if not self._off:
            return frozenset()
        with self._lock:
            return frozenset(self._ids[identity] for identity in self._off)

    @property
    def is_all_on(self) -> bool:
        """Whether nothing is off, and no change waits."""
        return not self._off and not self._waiting

    def turn_all(self, hooks: Iterable[Hook], *, on: bool) -> list[tuple[Hook, HookvizError]]:
        """Switch many at once; those that could not be switched are given back, each with its error."""
        refused: list[tuple[Hook, HookvizError]] = []
        for hook in hooks:
            try:
                self._ask(hook, "on" if on else "off")
            except HookvizError as error:
                refused.append((hook, error))
        self.settle()
        return refused

    def remove(self, hook: Hook) -> None:
        """Take a hook that was written through the session off for good.

        Raises:
            ProtectedHookError: if it is somebody else's.
            HookGoneError: if it was removed already.
            ClosedSessionError: if the session was closed, which removed it.
        """
        if hook.owner != "hookviz":
            raise ProtectedHookError(
                f"{hook.label} on {_where(hook)} was not written through the session: its owner holds the handle "
                "that removes it. hook.disable() keeps it from running."
            )
        self._ask(hook, "removed")
        self.settle()

    def _ask(self, hook: Hook, change: Change) -> None:
        if not self._is_open:
            raise ClosedSessionError(
                f"{hook.label} on {_where(hook)} cannot be switched: the session is closed, and all hooks are on. "
                "Watch the model again: hookviz.watch(model)."
            )
        if change == "off" and hook.protected:
            raise ProtectedHookError(f"{hook.label} on {_where(hook)} stays on: {hook.protected}.")
        entry = self._entries[hook]
        with self._lock:
            self._ids[entry.identity] = hook.id
            if self.is_gone(hook):
                raise HookGoneError(
                    f"{hook.label} on {_where(hook)} is not there any more: its owner removed it, or the part of the "
                    "model that it was on is gone. session.hooks lists what is there."
                )
            if change != "removed" and (change == "on") is entry.is_on():
                # As it is already: what waited is taken back.
                self._waiting.pop(entry.identity, None)
            else:
                self._waiting[entry.identity] = (entry, change)
                self.wake()
            self.changes += 1

    def settle(self) -> None:
        """Make the changes that wait, unless the model is at work."""
        if self._waiting:
            with self._lock:
                if not is_at_work():
                    self._make_changes()

    def begin_run(self) -> None:
        """Make the changes that wait before the outermost call of a run, unless another thread is in one."""
        if self._waiting:
            with self._lock:
                if not is_at_work_elsewhere():
                    self._make_changes()

    def _make_changes(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for identity, (entry, change) in waiting.items():
            if change == "removed":
                entry.remove()
            elif entry.function() is not None:
                entry.turn(on=change == "on")
            if change == "off":
                self._off[identity] = entry
            else:
                self._off.pop(identity, None)
            self.changes += 1

    def close(self) -> None:
        """Put everything on again, in reverse order, whether the model is at work or not."""
        with self._lock:
            self._is_open = False
            self._waiting.clear()
            for entry in reversed(self._off.values()):
                entry.turn(on=True)
            self._off.clear()
            self.changes += 1


def _nobody() -> None:
    """Nobody waits for a change."""


def _where(hook: Hook) -> str:
    return repr(hook.path) if hook.path else "the model"
