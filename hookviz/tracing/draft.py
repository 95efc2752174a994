"""The flow of a run while it is being written down."""

from dataclasses import dataclass

from hookviz.tracing.flow import Flow, FlowEdge, FlowKind, FlowNode, FlowReturn
from hookviz.tracing.origins import Feed


@dataclass(slots=True)
class _Draft:
    kind: FlowKind
    label: str
    path: str
    parent: int | None
    call: int
    in_place: bool = False
    passes_through: bool = False
    shape: tuple[int, ...] | None = None
    is_fractional: tuple[bool, ...] = ()


class FlowDraft:
    """Collects nodes and edges; of several tensors between the same two nodes the first one counts."""

    def __init__(self) -> None:
        self._nodes: list[_Draft] = []
        self._edges: dict[tuple[int, int], tuple[int, ...]] = {}
        self._calls: dict[str, int] = {}
        self._returned: list[Feed] = []

    def __len__(self) -> int:
        return len(self._nodes)

    def call(self, kind: FlowKind, label: str, path: str, parent: int | None) -> int:
        """A new call of a module; gives its id."""
        count = self._calls[path] = self._calls.get(path, -1) + 1
        self._nodes.append(_Draft(kind, label, path, parent, count))
        return len(self._nodes) - 1

    def node(self, kind: FlowKind, label: str, path: str = "", parent: int | None = None) -> int:
        """A new node that is no module; gives its id."""
        self._nodes.append(_Draft(kind, label, path, parent, self._nodes[parent].call if parent is not None else 0))
        return len(self._nodes) - 1

    def shape_of(self, node: int) -> tuple[int, ...]:
        """What it gave, as far as that is known by now."""
        return self._nodes[node].shape or ()

    def feed(self, target: int, feeds: list[Feed]) -> None:
        """Draw edges from where these tensors came from."""
        for feed in feeds:
            for source in feed.sources:
                if source != target:
                    self._edges.setdefault((source, target), feed.shape)

    def give_back(self, target: int, feeds: list[Feed]) -> None:
        """Draw the edges of what the run returned, and remember each tensor of it."""
        self.feed(target, feeds)
        self._returned = feeds

    def describe(
        self,
        node: int,
        *,
        kind: FlowKind | None = None,
        label: str | None = None,
        in_place: bool = False,
        passes_through: bool = False,
        shape: tuple[int, ...] | None = None,
        is_fractional: tuple[bool, ...] = (),
    ) -> None:
        """Add what became known of a node later."""
        draft = self._nodes[node]
        draft.kind = kind or draft.kind
        draft.label = label or draft.label
        draft.in_place |= in_place
        draft.passes_through |= passes_through
        draft.shape = draft.shape if shape is None else shape
        draft.is_fractional = draft.is_fractional or is_fractional

    def flow(self, *, keep_unused: bool) -> Flow:
        """What was collected.

        Args:
            keep_unused: Keep operations and parameters that reached nothing. After a run that raised
                they are the way to the fault, in a complete run they are checks and logging.
        """
        is_used = [keep_unused or draft.kind not in {"op", "parameter"} for draft in self._nodes]
        # A node is made after all that feeds it, so one pass from the end sees each target before its sources.
        for source, target in sorted(self._edges, key=lambda edge: edge[1], reverse=True):
            is_used[source] |= is_used[target]
        new: dict[int, int] = {}
        for old, used in enumerate(is_used):
            if used:
                new[old] = len(new)
        return Flow(
            tuple(self._frozen(old, new) for old in new),
            tuple(
                FlowEdge(new[source], new[target], shape)
                for (source, target), shape in self._edges.items()
                if source in new and target in new
            ),
            tuple(FlowReturn(tuple(new[source] for source in feed.sources), feed.shape) for feed in self._returned),
        )

    def _frozen(self, old: int, new: dict[int, int]) -> FlowNode:
        draft = self._nodes[old]
        parent = new[draft.parent] if draft.parent is not None else None
        return FlowNode(
            new[old],
            draft.kind,
            draft.label,
            draft.path,
            parent,
            draft.call,
            draft.in_place,
            draft.passes_through,
            draft.shape,
            draft.is_fractional,
        )
