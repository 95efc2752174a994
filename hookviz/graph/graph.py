"""The picture's structure, without drawing: nodes, groups and edges, each with a stable id."""

from dataclasses import dataclass
from typing import Literal

NodeKind = Literal["module", "op", "input", "output", "parameter"]
"""A folded container is a ``module`` node with ``is_foldable`` set."""

PillSide = Literal["input", "output", "gradient", "parameter"]
"""Where a hook acts: on what enters, on what leaves, on gradients, on a parameter."""

EdgeKind = Literal["flow", "order"]
"""``flow``: a tensor went this way. ``order``: only the order of registration, drawn invisibly."""


@dataclass(frozen=True, slots=True)
class Pill:
    """The mark of a hook on a card. Whether the hook is on changes often, so ``NodeData`` says it."""

    hook_ids: tuple[str, ...]
    """One hook, or several that share the last pill where a card has too many: ``+12``."""
    text: str
    side: PillSide
    title: str = ""
    """What the pointer shows over it: label, kind and source of each hook; the text where it is empty."""


@dataclass(frozen=True, slots=True)
class Node:
    """A card or an oval of the picture."""

    id: str
    """Stable between runs, e.g. ``module:layer1.conv1``, ``op:layer1:add:0``, ``input:x``, ``output``."""
    kind: NodeKind
    path: str
    """Dotted path of the module; of an operation that of the module whose forward ran it."""
    name: str
    """What is set in bold: the attribute name, the operation, the input's name."""
    type_name: str = ""
    """Class of the module, else empty."""
    detail: str = ""
    """One line of what matters, e.g. ``3→16 · 3×3 · 448 params``; no markup, may be empty."""
    group: str | None = None
    """Id of the enclosing group, None at the top."""
    calls: int = 1
    """How many calls of one run it stands for; shown as ``×n`` when above 1."""
    is_foldable: bool = False
    """It is a folded container: it can be unfolded."""
    passes_through: bool = False
    in_place: bool = False
    repeats: int = 1
    """How many identical siblings are folded into this node, which is else that of the first of them."""
    members: tuple[str, ...] = ()
    """Paths of these siblings, where they are modules."""
    is_taken_out: bool = False
    """It is shown by itself although it has identical siblings, and can be put back to them."""
    pills: tuple[Pill, ...] = ()
    """Its hooks, in the order in which they run."""
    shape: tuple[int, ...] | None = None
    """Of the first tensor that its last call gave; None before a run and where it gave none."""


@dataclass(frozen=True, slots=True)
class Group:
    """An unfolded container, drawn as a box around its nodes."""

    id: str
    """``module:`` and its path, the same id as the folded node has."""
    path: str
    name: str
    type_name: str
    parent: str | None
    calls: int = 1
    """0 for a container that is only a place for others, as ``ModuleList``."""
    detail: str = ""
    """The detail line of the folded node."""
    pills: tuple[Pill, ...] = ()
    shape: tuple[int, ...] | None = None
    """As that of the folded node."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A way that tensors take. Of several tensors between the same two nodes, the first shape stands."""

    id: str
    """``source id`` + ``->`` + ``target id``."""
    source: str
    target: str
    shape: tuple[int, ...] | None = None
    """As the tensor entered the target; after a view it is not the one with which it left the source."""
    kind: EdgeKind = "flow"


@dataclass(frozen=True, slots=True)
class Graph:
    """What can be laid out. Values are apart, in ``NodeData``: they change often, this seldom."""

    title: str
    nodes: tuple[Node, ...]
    groups: tuple[Group, ...]
    edges: tuple[Edge, ...]
    is_traced: bool
    """True if the edges come from a run, False for the containment tree before any run."""
