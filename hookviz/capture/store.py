"""Copies of tensors, out of reach of whatever the user's program does, under a byte limit."""

import contextlib
from collections.abc import Iterator

import torch
from torch.utils._python_dispatch import _disable_current_modes

from hookviz.capture.capture import Capture
from hookviz.capture.summary import measure

SHARE_OF_OUTPUTS = 2 / 3
"""What outputs and inputs may take of the limit while gradients, which come last, are captured too."""

LARGEST_SHARE = 1 / 4
"""A single tensor above this share of the limit is kept only where somebody asked for it."""


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Our own tensor operations: unseen by the user's modes and subclasses, without graph and autocast."""
    # Each guard only where it has something to guard from: most runs need the first one alone.
    with contextlib.ExitStack() as guards:
        guards.enter_context(torch._C.DisableTorchFunction())
        if torch._C._len_torch_dispatch_stack():
            guards.enter_context(_disable_current_modes())
        if torch.is_grad_enabled():
            guards.enter_context(torch.no_grad())
        for device in ("cpu", "cuda"):
            if torch.is_autocast_enabled(device):
                guards.enter_context(torch.autocast(device, enabled=False))
        yield


def unwrapped(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor below the wrappers of ``vmap``, ``grad`` and ``jvp``."""
    functorch = torch._C._functorch
    while functorch.is_functorch_wrapped_tensor(tensor):
        tensor = functorch.get_unwrapped(tensor)
    return tensor


class TensorStore:
    """Makes captures and keeps their tensors as long as one run's share of the limit lasts."""

    def __init__(self, keep_bytes: int, *, share_of_outputs: float = SHARE_OF_OUTPUTS) -> None:
        self.keep_bytes = keep_bytes
        self.kept_bytes = 0
        self.wanted: frozenset[str] = frozenset()
        """Paths whose tensors are kept first: those that somebody looks at."""
        self._limits = {False: int(keep_bytes * share_of_outputs), True: keep_bytes}

    def take(self, tensor: torch.Tensor, path: str, *, is_gradient: bool) -> Capture:
        """Record a tensor as it is now.

        Costs two passes over it and, if it is kept, a copy. Runs under ``quiet``.
        """
        value = unwrapped(tensor).detach()
        why = self._why_not(value, path, is_gradient)
        kept = None if why else self._copy(value)
        moments = measure(_local(value), with_sample=kept is None)
        if moments.note.startswith("holds no values"):
            return Capture(moments, None, moments.note)
        if kept is not None:
            self.kept_bytes += kept.numel() * kept.element_size()
        return Capture(moments, kept, why or moments.note)

    def _why_not(self, value: torch.Tensor, path: str, is_gradient: bool) -> str:
        size = value.numel() * value.element_size()
        if path in self.wanted and self.kept_bytes + size <= self.keep_bytes:
            return ""
        if size > self.keep_bytes * LARGEST_SHARE:
            return (
                f"not kept: {size:,} bytes are over a quarter of the limit keep_bytes={self.keep_bytes:,}; "
                "select its module in the picture or raise the limit"
            )
        if self.kept_bytes + size > self._limits[is_gradient]:
            return (
                f"not kept: over the memory limit keep_bytes={self.keep_bytes:,}; "
                "raise it, or watch fewer modules with only="
            )
        return ""

    @staticmethod
    def _copy(value: torch.Tensor) -> torch.Tensor:
        copy = value.clone()
        if copy.dtype.is_complex and copy.is_conj():
            copy = copy.resolve_conj()
        return copy

    def release(self) -> None:
        """A new run begins: what was kept belongs to the old run, which its owner lets go."""
        self.kept_bytes = 0


def _local(value: torch.Tensor) -> torch.Tensor:
    """The part of a distributed tensor that lies in this process: looking must not communicate."""
    to_local = getattr(value, "to_local", None) if type(value) is not torch.Tensor else None
    return to_local() if to_local is not None else value
