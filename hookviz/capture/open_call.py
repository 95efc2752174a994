"""What is known of a call while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from hookviz.capture.call import ModuleCall
    from hookviz.capture.exact_inputs import GradientEdge
    from hookviz.capture.plan import Plan


class OpenCall:
    """A call that has not returned yet."""

    __slots__ = ("call", "cost", "edges", "plan", "sequence", "tensors", "versions")

    def __init__(self, call: ModuleCall, plan: Plan, cost: float) -> None:
        self.call = call
        self.plan = plan
        self.tensors: list[torch.Tensor] = []
        self.versions: list[int | None] = []
        self.edges: Sequence[GradientEdge | None] = ()
        self.sequence = 0
        self.cost = cost
        """What the run had cost when the call began."""
