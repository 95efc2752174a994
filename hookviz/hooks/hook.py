"""One hook on a model, whoever put it there: what it is, where it came from, and its switch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

HookKind = Literal[
    "forward_pre",
    "forward",
    "backward_pre",
    "backward",
    "tensor",
    "post_accumulate_grad",
    "grad_accumulator",
    "state_dict_pre",
    "state_dict",
    "load_state_dict_pre",
    "load_state_dict_post",
    "parametrization",
    "patched_forward",
    "global_forward_pre",
    "global_forward",
    "global_backward_pre",
    "global_backward",
    "global_register_parameter",
    "global_register_buffer",
    "global_register_module",
]
"""``backward`` and ``backward_pre`` are PyTorch's full backward hooks, ``backward`` with the flag
``legacy`` the old ones. ``grad_accumulator`` hangs on the autograd node that adds to ``.grad``."""

HookOwner = Literal["hookviz", "user", "other"]
"""``hookviz``: written through the session. ``user``: its code is in the notebook or in ``__main__``.
``other``: a library's."""

HookFlag = Literal["with_kwargs", "always_call", "legacy", "pre"]


@dataclass(frozen=True, slots=True)
class HookPlace:
    """Where a hook hangs: its kind, the path of its module or parameter, and its key there.

    Keys are what ``RemovableHandle.id`` holds; copies of a module share them, so the path belongs to it.
    The path of a global hook is ``"global"``, that of a written hook on a loose tensor ``"tensor"``.
    """

    kind: HookKind
    path: str
    key: int | str

    @property
    def id(self) -> str:
        """One text for it, to name the hook between Python and the browser."""
        return f"{self.kind}:{self.key}:{self.path}"


class Placed:
    """What belongs to one place where a hook hangs."""

    __slots__ = ()

    place: HookPlace

    @property
    def kind(self) -> HookKind:
        """What kind of hook it is."""
        return self.place.kind

    @property
    def path(self) -> str:
        """Path of its module or parameter; ``"global"`` for a hook on all modules."""
        return self.place.path


class Switchboard(Protocol):
    """Who switches hooks; see ``switches.HookSwitches``."""

    def is_on(self, hook: Hook, /) -> bool:
        """Whether the hook runs, or will from the next run on."""

    def is_gone(self, hook: Hook, /) -> bool:
        """Whether the hook was removed."""

    def is_pending(self, hook: Hook, /) -> bool:
        """Whether a change waits for the end of the run that goes on now."""

    def turn(self, hook: Hook, /, *, on: bool) -> None:
        """Switch it: at once between two runs, else when the present one is over."""

    def remove(self, hook: Hook, /) -> None:
        """Take a hook that was written through the session off for good."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Hook(Placed):
    """A hook on the model. ``session.hooks`` lists them; the same hook is the same object each time."""

    place: HookPlace
    function: Callable[..., Any]
    """The callable that was registered, whether the hook is on or off."""
    label: str
    """Its qualified name, such as ``SpectralNorm.__call__`` or ``clip.<locals>.hook``."""
    source: str
    """``file.py:12``, ``In [3]:7`` for a notebook's cell, empty where it has no Python source."""
    owner: HookOwner
    flags: frozenset[HookFlag]
    order: int
    """Its place among the hooks of this kind at this path when first seen, from 0: the order in which they run."""
    protected: str
    """Why it cannot be switched off, else empty."""
    board: Switchboard

    @property
    def id(self) -> str:
        """One text that names it."""
        return self.place.id

    @property
    def enabled(self) -> bool:
        """Whether it runs, or will from the next run on."""
        return self.board.is_on(self)

    @property
    def is_gone(self) -> bool:
        """Whether it was removed, or the part of the model that it was on is gone."""
        return self.board.is_gone(self)

    @property
    def is_pending(self) -> bool:
        """Whether its switch takes effect only when the run that goes on now is over."""
        return self.board.is_pending(self)

    def disable(self) -> None:
        """Let it not run any more, from the next run of the model on; its place, flags and handle stay valid.

        Raises:
            ProtectedHookError: if the model would break without it; ``protected`` says why.
            HookGoneError: if its owner removed it.
            ClosedSessionError: if the session was closed, which put all hooks on.
        """
        self.board.turn(self, on=False)

    def enable(self) -> None:
        """Let it run again, in its old place with its old flags, from the next run of the model on.

        Raises:
            HookGoneError: if its owner removed it.
        """
        self.board.turn(self, on=True)

    def remove(self) -> None:
        """Take it off for good; only for hooks that were written through the session.

        Raises:
            ProtectedHookError: if it is somebody else's: its owner holds the handle.
        """
        self.board.remove(self)

    def __repr__(self) -> str:
        state = "removed" if self.is_gone else "on" if self.enabled else "off"
        return f"<{self.kind} hook {self.label} on {self.path or 'the model'}: {state}, {self.owner}>"
