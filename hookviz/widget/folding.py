"""How a picture is unfolded and which way it runs, as somebody chose it, and the way back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from hookviz.diagram.direction import Direction

MOST_STEPS: Final = 100
"""So many steps lead back."""


@dataclass(frozen=True, slots=True)
class Folding:
    """What somebody chose of a layout; None where nobody did."""

    expanded: frozenset[str] | None = None
    """Containers that are unfolded, also inside folded ones, and modules taken out of a row of identical ones."""
    depth: int | None = None
    """Down to which depth all are unfolded; None since single containers were."""
    folds_alike: bool | None = None
    """Whether identical siblings are folded into one node."""
    direction: Direction | None = None

    @property
    def is_natural(self) -> bool:
        """Whether nobody chose how far it is unfolded."""
        return self.expanded is None and self.depth is None

    def unfolded_at(self, paths: Collection[str], *, folds_alike: bool) -> Folding:
        """The same with just these unfolded."""
        return replace(self, expanded=frozenset(paths), depth=None, folds_alike=folds_alike)

    def unfolded_to(self, depth: int) -> Folding:
        """The same with all unfolded down to a depth."""
        return replace(self, expanded=None, depth=depth, folds_alike=None)

    def running(self, direction: Direction) -> Folding:
        """The same in this direction."""
        return replace(self, direction=direction)


@dataclass(slots=True)
class Trail:
    """The folding that is shown, and those before it."""

    now: Folding = Folding()
    _past: list[Folding] = field(default_factory=list)

    @property
    def leads_back(self) -> bool:
        """Whether there was another one before."""
        return bool(self._past)

    @property
    def is_long(self) -> bool:
        """Whether the one before had another one before it."""
        return len(self._past) > 1

    def go(self, folding: Folding) -> None:
        """Show another one from now on."""
        if folding != self.now:
            self._past.append(self.now)
            del self._past[:-MOST_STEPS]
            self.now = folding

    def before(self) -> Folding | None:
        """The one before the one that is shown."""
        return self._past[-1] if self._past else None

    def go_back(self) -> None:
        """Show the one before."""
        if self._past:
            self.now = self._past.pop()

    def begin_anew(self) -> None:
        """Forget what was chosen, but for the direction."""
        self.now = Folding(direction=self.now.direction)
        self._past.clear()
