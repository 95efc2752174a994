"""The elements of a tensor as NumPy reads them, without a trace on the tensor."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from hookviz.capture.transforms import unwrapped

_TYPES: Final = {
    torch.float32: np.dtype(np.float32).str,
    torch.float64: np.dtype(np.float64).str,
    torch.uint8: np.dtype(np.uint8).str,
}


class _Memory:
    """What NumPy asks for where an array lies; holds the tensor as long as the array is there."""

    __slots__ = ("__array_interface__", "_tensor")

    def __init__(self, tensor: torch.Tensor) -> None:
        self._tensor = tensor
        self.__array_interface__ = {
            "data": (tensor.data_ptr(), True),
            "shape": tuple(tensor.shape),
            "strides": tuple(step * tensor.itemsize for step in tensor.stride()),
            "typestr": _TYPES[tensor.dtype],
            "version": 3,
        }


def elements_of(tensor: torch.Tensor) -> NDArray[Any]:
    """A read-only array over the memory of a strided, detached tensor of the CPU: float32, float64 or uint8.

    ``Tensor.numpy`` gives the same, and marks the memory as one that can be resized no more
    (``torch/csrc/utils/tensor_numpy.cpp``): that of the user's tensors must stay as it is.
    """
    # Within ``vmap``, ``grad`` and ``jvp``, what an operation makes of a plain tensor is none.
    tensor = unwrapped(tensor)
    if not tensor.numel():
        return np.empty(tuple(tensor.shape), dtype=_TYPES[tensor.dtype])
    return np.asarray(_Memory(tensor))
