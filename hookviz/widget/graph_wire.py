"""How a laid-out graph and the lines on its cards cross to the browser."""

from typing import Literal, TypedDict

from hookviz.diagram.direction import Direction
from hookviz.widget.hook_wire import PillWire


class NodeWire(TypedDict):
    """One node of the laid-out graph; see ``graph.Node``."""

    id: str
    kind: Literal["module", "op", "input", "output", "parameter"]
    path: str
    name: str
    type_name: str
    detail: str
    group: str | None
    calls: int
    is_foldable: bool
    passes_through: bool
    in_place: bool
    repeats: int
    members: list[str]
    """Paths of the identical siblings that it stands for; empty for a node by itself and for operations."""
    is_taken_out: bool
    """It can be put back to identical siblings, by folding it."""
    pills: list[PillWire]
    """Its hooks, in the order in which they run."""


class GroupWire(TypedDict):
    """One unfolded container; see ``graph.Group``."""

    id: str
    path: str
    name: str
    type_name: str
    parent: str | None
    calls: int
    pills: list[PillWire]


class EdgeWire(TypedDict):
    """One edge; ``shape`` is empty text where nothing ran yet."""

    id: str
    source: str
    target: str
    shape: str


class GraphWire(TypedDict):
    """Trait ``graph``: what the trait ``svg`` shows."""

    title: str
    nodes: list[NodeWire]
    groups: list[GroupWire]
    edges: list[EdgeWire]
    is_traced: bool
    direction: Direction
    leads_back: bool
    """Whether there was another layout before, to which ``back`` leads."""
    depth: int
    """How many levels of containers are unfolded; as it was asked for, which may be more than there are."""
    max_depth: int
    """How many levels there are."""


class NodeDataWire(TypedDict):
    """The live lines of one card; see ``graph.NodeData``. Recordings hold them; a live view makes them of two traits.

    Trait ``numbers`` has a row for each node and then each group of ``graph``, see ``card_lines``; trait
    ``node_data`` the words.
    """

    state: Literal["idle", "captured", "off", "failed", "unobservable"]
    spark: str
    value: str
    gradient: str
    trouble: str
    note: str


class CardWordsWire(TypedDict, total=False):
    """A value of trait ``node_data``, by node or group id: those lines of a card that are no numbers."""

    value: str
    gradient: str
    trouble: str
    note: str
