"""What a hook of each kind is given to look at or to change, and what its return value puts in the place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import torch

from hookviz.capture.leaves import Nested, labels, split
from hookviz.hooks.hook import HookKind

NAMES: Final[dict[HookKind, str]] = {
    "forward_pre": "arguments",
    "forward": "output",
    "backward_pre": "grad_output",
    "backward": "grad_input",
    "tensor": "gradient",
    "post_accumulate_grad": "parameter.grad",
}
"""How the value of each kind is called in a sentence."""

_WITH_KWARGS: Final = 3
"""So many things a forward_pre hook is called with if it wants keyword arguments: module, args, kwargs.

A forward hook gets the output after them.
"""


@dataclass(frozen=True, slots=True)
class HookValue:
    """A value that passes a hook: its parts by name, each split into a skeleton and its tensors."""

    skeleton: Nested
    tensors: list[torch.Tensor]
    labels: list[str]
    """One for each tensor."""

    @classmethod
    def of(cls, **parts: object) -> HookValue:
        """The value of these parts, such as ``output``, or ``args`` and ``kwargs``."""
        skeletons: list[Nested] = []
        tensors: list[torch.Tensor] = []
        names: list[str] = []
        for name, part in parts.items():
            skeleton, found = split(part)
            skeletons.append(skeleton)
            tensors += found
            names += labels(skeleton, name)
        return cls(skeletons[0] if len(skeletons) == 1 else tuple(skeletons), tensors, names)


def value_given(kind: HookKind, given: tuple[Any, ...]) -> HookValue:
    """What a hook may change, of what it was called with."""
    match kind:
        case "forward_pre":
            return HookValue.of(args=given[1], kwargs=given[2] if len(given) == _WITH_KWARGS else {})
        case "forward":
            return HookValue.of(output=given[-1])
        case "backward_pre":
            return HookValue.of(grad_output=given[1])
        case "backward":
            return HookValue.of(grad_input=given[1])
        case "tensor":
            return HookValue.of(grad=given[0])
        case _:
            with torch._C.DisableTorchFunction():
                return HookValue.of(grad=given[0].grad)


def beside(kind: HookKind, given: tuple[Any, ...]) -> HookValue | None:
    """What a hook is given only to look at, yet can write to; None for kinds that get nothing of this sort."""
    match kind:
        case "forward":
            return HookValue.of(args=given[1], kwargs=given[2] if len(given) > _WITH_KWARGS else {})
        case "backward":
            return HookValue.of(grad_output=given[2])
        case _:
            return None


def value_returned(kind: HookKind, given: tuple[Any, ...], returned: Any) -> HookValue:
    """What is there once the hook has returned; ``returned`` is not None unless the value was left as it was."""
    if returned is None or kind == "post_accumulate_grad":
        return value_given(kind, given)
    match kind:
        case "forward_pre":
            args = returned if isinstance(returned, tuple) else (returned,)
            kwargs: Any = {}
            if len(given) == _WITH_KWARGS:
                args, kwargs = returned
            return HookValue.of(args=args, kwargs=kwargs)
        case "forward":
            return HookValue.of(output=returned)
        case "backward_pre":
            return HookValue.of(grad_output=_as_tuple(returned))
        case "backward":
            return HookValue.of(grad_input=_as_tuple(returned))
        case _:
            return HookValue.of(grad=returned)


def _as_tuple(returned: Any) -> Any:
    return returned if isinstance(returned, (tuple, list)) else (returned,)
