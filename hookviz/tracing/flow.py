"""Who fed whom in one run: the record that the tracer makes and the graph is built from."""

from dataclasses import dataclass
from typing import Literal

FlowKind = Literal["input", "output", "module", "container", "op", "parameter"]
"""What a node of the flow stands for.

``module`` is a module whose inside is not shown (it has no children, or torch owns it),
``container`` one whose children were called, ``op`` a function that ran in a container's
own forward, ``parameter`` a parameter or buffer that such a function used directly.
"""


@dataclass(frozen=True, slots=True)
class FlowNode:
    """One call of a module, one functional operation, one input or the output of a run."""

    id: int
    """Position in ``Flow.nodes``; grows in the order in which things happened."""
    kind: FlowKind
    label: str
    """Class name of a module, plain name of an operation (``add``), name of an input or parameter."""
    path: str
    """Dotted path of the module or parameter; for an operation that of the module whose forward ran it."""
    parent: int | None
    """Id of the enclosing container's node, None at the top."""
    call: int = 0
    """How often this path had been called before in the same run."""
    in_place: bool = False
    """It wrote into one of its own inputs."""
    passes_through: bool = False
    """It returned the very object that it was given."""
    shape: tuple[int, ...] | None = None
    """Of the first tensor that it gave, as it left it; None if it gave none. Of the output what arrived there."""
    is_fractional: tuple[bool, ...] = ()
    """For each tensor that an operation gave whether its type of numbers has NaN and infinity; empty if not known."""


@dataclass(frozen=True, slots=True)
class FlowEdge:
    """A tensor that left one node and entered another."""

    source: int
    target: int
    shape: tuple[int, ...]
    """As it entered: a view on the way may have changed it since it left."""


@dataclass(frozen=True, slots=True)
class FlowReturn:
    """One tensor that the run returned."""

    sources: tuple[int, ...]
    """The nodes whose numbers it holds."""
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """The data flow of one run. Two runs that did the same thing have equal flows.

    An edge that enters a container's inside goes to the node inside; containers have edges of
    their own only where nothing is known of their inside.
    """

    nodes: tuple[FlowNode, ...]
    edges: tuple[FlowEdge, ...]
    returned: tuple[FlowReturn, ...] = ()
    """In their order; empty after a run that raised."""
