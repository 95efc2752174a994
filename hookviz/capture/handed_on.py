"""Which tensors that a call returns are those that came in, and whether one was written into since it was seen."""

from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn.modules import module as torch_module

from hookviz.capture.elements import elements_of
from hookviz.capture.transforms import transform, unwrapped

_NONE: Final[frozenset[int]] = frozenset()

_FROM_CHILD_TO_CHILD: Final = nn.Sequential.forward
"""Does nothing but call its children one after the other."""


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


def hands_on(module: nn.Module) -> bool:
    """Whether nobody could have written into what its last child returned, when it returns the same tensor."""
    attributes = module.__dict__
    return (
        type(module).forward is _FROM_CHILD_TO_CHILD
        and "forward" not in attributes
        and not attributes["_forward_hooks"]
        and not torch_module._global_forward_hooks
    )


def has_same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of the CPU hold the same; of such that differ in sign of zero alone, either is told."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if transform() is not None:
        # All operations there return wrapped tensors, which NumPy cannot read.
        return torch.equal(unwrapped(one), unwrapped(other))
    if not (one.is_contiguous() and other.is_contiguous()) or one.is_neg() or other.is_neg() or one.dtype.is_complex:
        return torch.equal(one, other)
    # NumPy compares whole numbers three to eight times faster than torch.equal floats.
    rows = [elements_of(tensor.detach().reshape(-1).view(torch.uint8)) for tensor in (one, other)]
    kind = np.int64 if rows[0].size % 8 == 0 else np.uint8
    return np.array_equal(rows[0].view(kind), rows[1].view(kind))
