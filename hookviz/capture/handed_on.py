"""Which tensors that a call returns are those that came in, and whether one was written into since it was seen."""

from typing import Final

import torch

_NONE: Final[frozenset[int]] = frozenset()


def are_among(tensors: list[torch.Tensor], given: list[torch.Tensor]) -> bool:
    """Whether all that is returned was given; False if nothing is returned."""
    for tensor in tensors:
        for other in given:
            if other is tensor:
                break
        else:
            return False
    return bool(tensors)


def views_of(tensors: list[torch.Tensor], given: list[torch.Tensor]) -> frozenset[int]:
    """Which of these tensors lie in the memory of what was given. Runs under ``quiet``."""
    found = _NONE
    for place, tensor in enumerate(tensors):
        base = tensor._base if tensor._is_view() else None
        for other in given:
            if other is tensor or (base is not None and (other is base or other._base is base)):
                found |= {place}
    return found


def version_of(tensor: torch.Tensor) -> int:
    """How often a tensor was written into, as far as it counts."""
    try:
        return tensor._version
    except RuntimeError:
        # Inference tensors keep no count of their changes.
        return 0
