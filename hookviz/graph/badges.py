"""What looks wrong in a picture, card by card, for those who draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Way:
    """Ids of what lies on the way of a NaN or an infinity, in a picture as it is folded at the moment."""

    nodes: frozenset[str] = frozenset()
    edges: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Badge:
    """What looks wrong with one card."""

    alarms: int
    """How many things; 0 where all is so on purpose, and told only so that nobody wonders."""
    words: str
    """A line for each: the symptom, and why it looks wrong."""

    @property
    def symptoms(self) -> tuple[str, ...]:
        """What looks wrong in a word or two, each once."""
        return tuple(dict.fromkeys(line.partition(":")[0] for line in self.words.splitlines()))

    @property
    def sign(self) -> str:
        """What stands on the badge."""
        return str(self.alarms) if self.alarms > 1 else "!" if self.alarms == 1 else "i"


@dataclass(frozen=True, slots=True)
class Badges:
    """What looks wrong in one picture."""

    cards: Mapping[str, Badge] = field(default_factory=dict)
    """By the id of the node or group that shows it."""
    way: Way = field(default_factory=Way)
