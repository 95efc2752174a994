"""The autograd graph as a second witness: it knows where a tensor comes from that torch made out of our sight.

A custom ``autograd.Function``, an extension in C++ or a module whose inside is not traced makes tensors
that nobody saw being made. If they have a gradient function, its predecessors lead back to known tensors.
"""

import re
from collections import deque
from collections.abc import Callable

import torch
from torch.autograd.graph import Node

from hookviz.tracing.origins import Feed, Sources, shape_of

MAX_STEPS = 64
"""How many gradient functions are visited for one tensor before it is left unknown."""


class GradSteps:
    """Remembers which gradient function belongs to which node, without keeping the functions alive.

    They are known by their sequence number, which torch gives to each function that a thread makes
    in rising order: https://pytorch.org/docs/stable/notes/autograd.html
    """

    def __init__(self) -> None:
        self._feeds: dict[int, Feed] = {}
        self._first = torch._C._autograd._get_sequence_nr()

    def note(self, tensor: torch.Tensor, sources: Sources) -> None:
        """Remember the gradient function of a tensor whose sources are known."""
        function = grad_function(tensor)
        if function is not None:
            self._feeds[function._sequence_nr()] = Feed(sources, shape_of(tensor))

    def before(self, tensor: torch.Tensor, leaf_sources: Callable[[torch.Tensor], Sources | None]) -> list[Feed]:
        """The nearest known tensors before this one; none if it has no way back to any of this run.

        Args:
            tensor: What is not known by itself.
            leaf_sources: Says where a tensor comes from that has no gradient function, as a parameter.
        """
        found: list[Feed] = []
        seen: set[int] = set()
        ahead = deque([grad_function(tensor)])
        while ahead and len(seen) < MAX_STEPS:
            function = ahead.popleft()
            if function is None or id(function) in seen:
                continue
            seen.add(id(function))
            number = function._sequence_nr()
            if number in self._feeds:
                found.append(self._feeds[number])
            elif hasattr(function, "variable"):
                sources = leaf_sources(function.variable)
                found += [Feed(sources, shape_of(function.variable))] if sources else []
            elif number >= self._first:
                # What was made before this run began leads only to what fed other runs.
                ahead.extend(following for following, _ in function.next_functions)
        return found

    def clear(self) -> None:
        """Forget all."""
        self._feeds.clear()


def grad_function(tensor: torch.Tensor) -> Node | None:
    """The function that gives the gradients of what the tensor was made from."""
    try:
        return tensor.grad_fn
    except Exception:  # noqa: BLE001  # a view that was edited in a way that autograd forbids says so when asked
        return None


def function_name(tensor: torch.Tensor) -> str:
    """Name of the function that made a tensor: ``MyFunction``, ``mul``."""
    kind = type(grad_function(tensor))
    name = re.sub(r"Backward\d*$", "", kind.__name__)
    if issubclass(kind, torch.autograd.function.BackwardCFunction):
        return name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
