"""Counts what is not finite in a tensor, in one pass where all is finite."""

from __future__ import annotations

import math

import torch

from hookviz.capture.transforms import unwrapped


def count_nans(tensor: torch.Tensor) -> int:
    """How many NaN a tensor holds; 0 for those that cannot be asked. Runs under ``quiet``."""
    return count_not_finite(tensor)[0]


def count_not_finite(tensor: torch.Tensor) -> tuple[int, int]:
    """How many NaN and how many infinities a tensor holds, likewise."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return 0, 0
    try:
        value = unwrapped(tensor).detach()
        total = value.sum()
        if total.is_complex():
            total = total.real + total.imag
        # The sum of finite numbers may overflow, and that of two infinities is a NaN.
        return (0, 0) if math.isfinite(float(total)) else (int(value.isnan().sum()), int(value.isinf().sum()))
    except (RuntimeError, NotImplementedError):
        return 0, 0
