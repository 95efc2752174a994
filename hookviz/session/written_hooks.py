"""The hooks that were written through one session: what runs ask of them, and their end."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookviz.errors import HookvizError
from hookviz.hooks.parking import is_there
from hookviz.hooks.run_clock import RunClock
from hookviz.hooks.written import WrittenHook

if TYPE_CHECKING:
    from torch.utils.hooks import RemovableHandle

    from hookviz.hooks.hook import Hook

FEW_HOOKS = 16
"""Among so many, removed ones are not looked for."""


class WrittenHooks:
    """Knows the hooks of one session, and takes them off the model again.

    It holds none of their functions: these go with the model.
    """

    def __init__(self) -> None:
        self.clock = RunClock()
        self._handles: list[RemovableHandle] = []
        self._hooks: list[weakref.ref[WrittenHook]] = []
        self._many = FEW_HOOKS
        """From so many handles on, those of hooks that were removed are looked for."""

    @property
    def is_empty(self) -> bool:
        """Whether none was written so far."""
        return not self._hooks

    def add(self, handle: RemovableHandle, hook: WrittenHook) -> None:
        """One was registered."""
        if len(self._handles) >= self._many:
            self._forget_removed()
            self._many = 2 * len(self._handles) + FEW_HOOKS
        self._handles.append(handle)
        self._hooks.append(weakref.ref(hook))

    def begin_run(self) -> None:
        """A run begins: interventions count its calls, and no hook has changed a value in it."""
        self.clock.tick()
        for hook in self._living():
            hook.change = ""

    def explain(self, error: Exception) -> None:
        """Add to an error of the user's run what hooks gave a value another structure or shape before it."""
        if not isinstance(error, HookvizError):
            for hook in self._living():
                hook.explain(error)

    def caution(self, hook: Hook) -> str:
        """What its author may not have meant with a written hook that PyTorch takes; else empty."""
        of_it = (each for each in self._living() if each.function is hook.function and each.path == hook.path)
        return next((each.note for each in of_it if each.kind == hook.kind), "")

    def remove(self) -> None:
        """Take them all off the model."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _forget_removed(self) -> None:
        self._handles = [handle for handle in self._handles if is_there(handle.hooks_dict_ref(), handle.id)]
        self._hooks = [reference for reference in self._hooks if reference() is not None]

    def _living(self) -> Iterator[WrittenHook]:
        # Another thread may write a hook meanwhile.
        for reference in tuple(self._hooks):
            hook = reference()
            if hook is not None:
                yield hook
