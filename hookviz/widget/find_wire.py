"""What crosses when somebody looks for a node; ``frontend/src/find-wire.ts`` repeats these types."""

from typing import Literal, TypedDict

Matched = Literal["path", "class", "operation", "shape"]


class HitWire(TypedDict):
    """One node that was found; it may be folded away."""

    path: str
    """Of an operation the path of the module around it."""
    node_id: str
    name: str
    type_name: str
    shape: str
    """Of its output, empty text where nothing ran yet."""
    matched: Matched


class FindWire(TypedDict):
    """Reply to ``find``."""

    total: int
    """How many there are; the nearest 50 are sent."""
    hits: list[HitWire]


class FindCommand(TypedDict):
    """The nodes that a text means: a part of a path, a class, an operation, a pattern or a shape."""

    id: int
    command: Literal["find"]
    text: str
