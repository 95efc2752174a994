"""The callable that PyTorch is given for a hook written through the session: the user's own, checked."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable
from typing import Any

import torch

from hookviz.errors import HookContractError
from hookviz.hooks.contract import WritableKind, describe, objection, returns
from hookviz.hooks.paths import quoted


class WrittenHook:
    """Calls the user's function and explains PyTorch's contract where what it returned breaks it.

    What the function raises passes through. Pickled, copied or saved with the model, it is the user's
    function alone, so that the file loads where hookviz is not installed.
    """

    __slots__ = (
        "__weakref__",
        "_first",
        "change",
        "function",
        "kind",
        "label",
        "note",
        "path",
        "source",
        "with_kwargs",
    )

    def __init__(
        self,
        function: Callable[..., Any],
        kind: WritableKind,
        path: str,
        label: str,
        source: str = "",
        *,
        with_kwargs: bool = False,
    ) -> None:
        self.function = function
        self.kind = kind
        self.path = path
        self.label = label
        self.source = source
        """Where it comes from, as ``Hook.source`` says it."""
        self.with_kwargs = with_kwargs
        self.note = ""
        """What PyTorch takes but its author may not have meant, one line; else empty."""
        self.change = ""
        """How the value that it put in place differs in structure, ``Tensor 2×3 → Tensor 2×4``; else empty."""
        self._first: weakref.ref[torch.Tensor] | None = None

    def __call__(self, *given: Any) -> Any:
        """What the user's function returns.

        Raises:
            HookContractError: if PyTorch does not take it.
        """
        __tracebackhide__ = True
        returned = self.function(*given)
        if not (torch.compiler.is_compiling() or torch._C._get_tracing_state() is not None):
            self._check(given, returned)
        return returned

    def _check(self, given: tuple[Any, ...], returned: object) -> None:
        self.change = ""
        if returned is None:
            return
        wrong = objection(self.kind, given, returned, with_kwargs=self.with_kwargs)
        if wrong:
            raise HookContractError(
                f"The {self.kind} hook {self.label} on {quoted(self.path)} returned {describe(returned)}. "
                f"{returns(self.kind, with_kwargs=self.with_kwargs)}. {wrong}"
            )
        if self.kind == "forward":
            self._note_old_result(given[-1], returned)
            self._note_change(given[-1], returned)
        elif self.kind == "forward_pre" and not self.with_kwargs:
            self._note_change(given[1], returned if isinstance(returned, tuple) else (returned,))

    def _note_change(self, before: object, after: object) -> None:
        if after is not before:
            was, now = describe(before), describe(after)
            self.change = f"{was} → {now}" if was != now else ""

    def _note_old_result(self, output: object, returned: object) -> None:
        if returned is output:
            if self._first is None and isinstance(output, torch.Tensor):
                self._first = weakref.ref(output)
        elif self._first is not None and self._first() is returned:
            self.note = (
                "it returned the output of an earlier call, which took the place of this one "
                "(setdefault returns what was there before): assign with d[key] = output and return nothing"
            )

    def explain(self, error: Exception) -> None:
        """Add a note to an error of the run, if this hook changed the structure of a value in it."""
        if self.change:
            error.add_note(
                f"The {self.kind} hook {self.label} on {quoted(self.path)} changed what it was given: "
                f"{self.change}. {returns(self.kind)}; what comes after has to take it."
            )

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """Where ``inspect`` finds signature and source."""
        return self.function

    @property
    def __torch_unserializable__(self) -> bool:
        """Set by ``torch.utils.hooks.unserializable_hook``; absent where the function does not have it."""
        return bool(self.function.__torch_unserializable__)  # type: ignore[attr-defined]  # AttributeError is the answer

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WrittenHook):
            return self.function == other.function
        return bool(self.function == other)

    def __hash__(self) -> int:
        return hash(self.function)

    # getitem((f,), 0) is f: a way to spell "the function itself" that needs no code of ours to load.
    def __reduce__(self) -> tuple[Any, ...]:
        return operator.getitem, ((self.function,), 0)

    def __repr__(self) -> str:
        return f"<written {self.kind} hook {self.label}>"
