"""What hooks did in a run: each with the value before and after it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from hookviz.capture.capture import Capture
from hookviz.capture.difference import difference
from hookviz.hooks.hook import HookPlace, Placed

Outcome = Literal["observed", "changed", "raised"]
"""``observed``: what came after the hook is equal to what it was given, as where it returned None."""


@dataclass(frozen=True, slots=True)
class EffectEntry:
    """One tensor that a hook was given, or a whole value that holds none, before and after the hook."""

    label: str
    """``output``, ``output[1]``, ``grad_input[0]``."""
    before: Capture | None
    """None for what the hook added, and for values that are no tensors."""
    after: Capture | None
    """None where the hook left it as it was, or took it away."""
    before_text: str = ""
    """A value without tensors as Python writes it."""
    after_text: str = ""
    note: str = ""

    @property
    def difference(self) -> str:
        """``mean changed by +5, largest change 5``; empty where nothing changed."""
        return "" if self.before is None or self.after is None else difference(self.before, self.after)


@dataclass(frozen=True, slots=True)
class HookEffect(Placed):
    """What one hook did in one call of its module, or in backward at its parameter."""

    place: HookPlace
    call: int | None
    """Which of the module's calls of the run it belongs to, from 0; None for hooks of parameters."""
    order: int
    """Its position among all effects of the run, by when the hooks ended."""
    outcome: Outcome
    text: str
    """``returned None``, ``replaced the output``, ``edited the output in place``, ``raised ValueError: …``.

    Also ``replaced the output by an equal value`` and ``detached the output from the graph``.
    """
    entries: tuple[EffectEntry, ...] = ()

    @property
    def hook_id(self) -> str:
        """The hook's ``id``."""
        return self.place.id

    def __repr__(self) -> str:
        where = f"{self.path or 'the model'}" + ("" if self.call is None else f" #{self.call}")
        return f"<{self.kind} hook on {where}: {self.text}>"


class EffectLog:
    """The effects of one run. Of a hook that ran several times in one call, as when backward runs again, the last."""

    def __init__(self) -> None:
        self.fired: Counter[str] = Counter()
        """How often each hook ran, by its id."""
        self.watched: set[str] = set()
        """Ids of the hooks that were looked at: others were put on the model later."""
        self.off: frozenset[str] = frozenset()
        """Ids of the hooks that were switched off when the run began."""
        self.raised: HookEffect | None = None
        """The first that raised."""
        self._ended = 0
        self._effects: dict[tuple[HookPlace, int | None], HookEffect] = {}

    def __iter__(self) -> Iterator[HookEffect]:
        """The effects in the order in which the hooks ran."""
        return iter(sorted(self._effects.values(), key=lambda effect: effect.order))

    def add(self, effect: HookEffect) -> None:
        """A hook has run."""
        self._ended += 1
        self.fired[effect.hook_id] += 1
        self._effects[effect.place, effect.call] = effect
        if effect.outcome == "raised" and self.raised is None:
            self.raised = effect

    def next_order(self) -> int:
        """The position of the next effect."""
        return self._ended

    def __bool__(self) -> bool:
        return bool(self._effects)

    def with_captures(self, change: Callable[[Capture], Capture]) -> EffectLog:
        """A copy of the log in which each value was replaced."""

        def changed(entry: EffectEntry) -> EffectEntry:
            before, after = entry.before, entry.after
            return replace(
                entry,
                before=None if before is None else change(before),
                after=None if after is None else change(after),
            )

        other = copy.copy(self)
        other._effects = {
            place: replace(effect, entries=tuple(map(changed, effect.entries)))
            for place, effect in self._effects.items()
        }
        return other

    def captures(self) -> Iterator[Capture]:
        """All values in it."""
        for effect in self._effects.values():
            for entry in effect.entries:
                yield from (capture for capture in (entry.before, entry.after) if capture is not None)
