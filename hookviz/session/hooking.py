"""The hooks of a watched model as its session lists them: the same hook is the same object each time."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import torch

from hookviz.errors import HookGoneError
from hookviz.hooks.discovery import (
    LOOSE,
    FoundHook,
    discover,
    discover_on,
    named_tensors,
)
from hookviz.hooks.hook import Hook, HookPlace
from hookviz.hooks.listing import hooked_tensors, listed_keys
from hookviz.hooks.origin import origin_of
from hookviz.hooks.paths import each_module
from hookviz.hooks.switches import HookSwitches

if TYPE_CHECKING:
    from torch import nn


class Hooking:
    """Finds the hooks of one model and keeps their switches.

    It holds none of them and not the model: each module's seam leads to it, and the session outlives
    a model that is dropped.
    """

    def __init__(self) -> None:
        self.board = HookSwitches()
        self._known: weakref.WeakValueDictionary[HookPlace, Hook] = weakref.WeakValueDictionary()
        self._loose: list[weakref.ref[torch.Tensor]] = []
        self.listed_version = 0
        """Grows when ``look`` finds that hooks came or went."""
        self._seen: object = None
        self._are_on_tensors = False

    def hooks(self, model: nn.Module) -> list[Hook]:
        """All hooks of the model, in the order of ``discovery.discover``."""
        self.board.settle()
        return [self._hook(found) for found in discover(model, self._loose_tensors())]

    def hook_at(self, carrier: nn.Module | torch.Tensor, place: HookPlace) -> Hook:
        """The hook at a place on this module or tensor, such as one that was just registered.

        Raises:
            HookGoneError: if there is none.
        """
        for found in discover_on(place.path, carrier):
            if found.place == place:
                return self._hook(found)
        raise HookGoneError(
            f"There is no {place.kind} hook with the key {place.key} on {place.path!r}: it was removed, or the part of "
            "the model that it was on is gone. session.hooks lists what is there."
        )

    def add_tensor(self, tensor: torch.Tensor) -> None:
        """List the hooks of a tensor that is no parameter of the model, too, for as long as it lives."""
        self._loose = [*(reference for reference in self._loose if reference() is not None), weakref.ref(tensor)]

    def version(self, model: nn.Module) -> int:
        """Grows when hooks came or went or were switched; takes a fraction of a listing's time."""
        self.board.settle()
        self.look(each_module(model))
        return self.listed_version + self.board.changes

    def tensors(self, model: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
        """Path and tensor of those whose hooks are listed; of the model's, none where ``look`` found no hook."""
        if self._are_on_tensors:
            yield from named_tensors(model)
        for tensor in self._loose_tensors():
            yield LOOSE, tensor

    def look(self, modules: Sequence[nn.Module]) -> None:
        """See whether hooks came or went: on these modules of the model, as no other may have any."""
        hooked = hooked_tensors(modules) if modules else []
        self._are_on_tensors = bool(hooked)
        seen = listed_keys(modules, [*hooked, *self._loose_tensors()] if self._loose else hooked)
        if seen != self._seen:
            self._seen = seen
            self.listed_version += 1

    def begin_run(self) -> None:
        """A run begins: switches that were moved during the last one act now."""
        self.board.begin_run()

    def close(self) -> None:
        """Everything is on again."""
        self.board.close()

    def _loose_tensors(self) -> Iterator[torch.Tensor]:
        for reference in self._loose:
            tensor = reference()
            if tensor is not None:
                yield tensor

    def _hook(self, found: FoundHook) -> Hook:
        known = self._known.get(found.place)
        if known is not None and known.function is found.function:
            # The module may be another one by now, at the same path with the same hook.
            self.board.know(known, found.entry)
            return known
        origin = origin_of(found.function)
        written = found.written
        hook = Hook(
            found.place,
            found.function,
            origin.label if written is None else written.label,
            origin.source if written is None else written.source,
            origin.owner if written is None else "hookviz",
            found.flags,
            found.order,
            found.protected,
            self.board,
        )
        self._known[found.place] = hook
        self.board.know(hook, found.entry)
        return hook
