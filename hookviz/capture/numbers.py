"""Any tensor as a flat row of real numbers, or the reason why it has none."""

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensor

from hookviz.capture.elements import elements_of

_HALF = (torch.float16, torch.bfloat16)


def real_values(tensor: torch.Tensor) -> tuple[torch.Tensor | None, str]:
    """The elements as a 1-d float32 or float64 tensor, which may share the tensor's memory, and a note.

    None where the tensor holds no numbers (meta, fake, quantized kinds without values); the note says why.
    The order of the elements is that of memory where that avoids a copy.
    """
    if tensor.dtype in (torch.float32, torch.float64) and tensor.layout is torch.strided and not tensor.is_nested:
        if tensor.device.type == "meta" or (type(tensor) is not torch.Tensor and _is_fake(tensor)):
            return None, "holds no values: shape and dtype only (meta or fake tensor)"
        return flat(tensor), ""
    return _unusual(tensor)


def flat(tensor: torch.Tensor) -> torch.Tensor:
    """All elements as one row, in the order of memory where that avoids a copy."""
    if not tensor.is_contiguous() and is_dense(tensor):
        # A transposed or channels_last tensor: its memory, read in order, holds each element once.
        return tensor.as_strided((tensor.numel(),), (1,))
    return tensor.reshape(-1)


def zeros_in(values: torch.Tensor) -> int:
    """How many elements of a strided tensor are 0."""
    if values.is_cpu and values.dtype in (torch.float32, torch.float64):
        # NumPy compares and counts many times faster than torch.count_nonzero.
        return int(np.count_nonzero(elements_of(values.detach().resolve_neg()) == 0))
    return values.numel() - int(torch.count_nonzero(values))


def is_dense(tensor: torch.Tensor) -> bool:
    """True if the elements fill one stretch of memory without gap or overlap."""
    expected = 1
    for size, step in sorted(zip(tensor.shape, tensor.stride(), strict=True), key=lambda axis: axis[1]):
        if size == 1:
            continue
        if step != expected:
            return False
        expected *= size
    return True


def _is_fake(tensor: torch.Tensor) -> bool:
    return issubclass(type(tensor), FakeTensor)


def _unusual(tensor: torch.Tensor) -> tuple[torch.Tensor | None, str]:
    note = ""
    if tensor.device.type == "meta" or _is_fake(tensor):
        return None, "holds no values: shape and dtype only (meta or fake tensor)"
    if tensor.is_nested:
        parts = [part.reshape(-1) for part in tensor.unbind()]
        tensor, note = (torch.cat(parts) if parts else torch.empty(0)), "nested tensor: all its parts together"
    elif tensor.layout is torch.sparse_coo:
        tensor, note = tensor.coalesce().values(), "sparse tensor: statistics of the stored values"
    elif tensor.layout in (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc):
        tensor, note = tensor.values(), "sparse tensor: statistics of the stored values"
    elif tensor.layout is not torch.strided:
        tensor, note = tensor.to_dense(), f"layout {str(tensor.layout).removeprefix('torch.')}: dense copy"
    if tensor.is_quantized:
        tensor, note = tensor.dequantize(), "quantized tensor: statistics of the dequantized values"
    if tensor.dtype.is_complex:
        tensor, note = tensor.abs(), "complex tensor: statistics of the magnitudes"
    if tensor.dtype in _HALF:
        tensor = tensor.float()
    elif tensor.dtype not in (torch.float32, torch.float64):
        # float8, integers and bools: float64 holds each of their values, up to 2^53. Apple's devices lack it.
        tensor = tensor.float() if tensor.device.type == "mps" else tensor.double()
    return flat(tensor), note
