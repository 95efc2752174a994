"""Copies of tensors, out of reach of whatever the user's program does, under a byte limit."""

import contextlib
import math
from collections.abc import Callable

import torch
from torch.utils._python_dispatch import _disable_current_modes

from hookviz.capture.capture import Capture
from hookviz.capture.summary import can_wait, measure

SHARE_OF_OUTPUTS = 2 / 3
"""What outputs and inputs may take of the limit while gradients, which come last, are captured too."""

LARGEST_SHARE = 1 / 4
"""A single tensor above this share of the limit is kept only where somebody asked for it."""


class _Quiet:
    """See ``quiet``. Each guard only where it has something to guard from: most calls need the first two alone."""

    __slots__ = ("_function", "_guards", "_had_grad")

    def __enter__(self) -> None:
        self._function = torch._C.DisableTorchFunction()
        self._function.__enter__()
        self._guards: contextlib.ExitStack | None = None
        self._had_grad = torch.is_grad_enabled()
        if self._had_grad:
            torch._C._set_grad_enabled(False)
        if torch._C._len_torch_dispatch_stack() or torch._C._is_any_autocast_enabled():
            self._guards = guards = contextlib.ExitStack()
            guards.enter_context(_disable_current_modes())
            for device in ("cpu", "cuda"):
                if torch.is_autocast_enabled(device):
                    guards.enter_context(torch.autocast(device, enabled=False))

    def __exit__(self, *_: object) -> None:
        if self._guards is not None:
            self._guards.close()
        if self._had_grad:
            torch._C._set_grad_enabled(True)
        self._function.__exit__(None, None, None)


def quiet() -> contextlib.AbstractContextManager[None]:
    """Our own tensor operations: unseen by the user's modes and subclasses, without graph and autocast."""
    return _Quiet()


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
        self.free_bytes = keep_bytes
        """From how many bytes on past steps have to make room."""
        self.make_room: Callable[[int], int] = lambda _kept_bytes: keep_bytes
        """Called with how many bytes are kept by now; gives the next ``free_bytes``."""
        self.wanted: frozenset[str] = frozenset()
        """Paths whose tensors are kept first: those that somebody looks at."""
        self._limits = {False: int(keep_bytes * share_of_outputs), True: keep_bytes}

    def take(self, tensor: torch.Tensor, path: str, *, is_gradient: bool) -> Capture:
        """Record a tensor as it is now.

        Costs two passes over it and, if it is kept, a copy. Runs under ``quiet``.
        """
        value = unwrapped(tensor).detach()
        size = held_bytes(value)
        why = self._why_not(size, path, is_gradient)
        kept = None if why else self._copy(value)
        if kept is not None and can_wait(kept):
            self._count(size)
            # Of a gradient, nothing is asked before the backward pass is over.
            total = None if is_gradient else float(kept.sum())
            if total is None or math.isfinite(total):
                return Capture(None, kept, "", total)
            return Capture(measure(kept, with_sample=False), kept, "")
        moments = measure(_local(value if kept is None else kept), with_sample=kept is None)
        if moments.note.startswith("holds no values"):
            return Capture(moments, None, moments.note)
        if kept is not None:
            self._count(size)
        return Capture(moments, kept, why or moments.note)

    def _count(self, size: int) -> None:
        self.kept_bytes += size
        if self.kept_bytes > self.free_bytes:
            self.free_bytes = self.make_room(self.kept_bytes)

    def _why_not(self, size: int, path: str, is_gradient: bool) -> str:
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


def held_bytes(value: torch.Tensor) -> int:
    """What a copy of this tensor takes."""
    if value.layout is torch.strided:
        return value.numel() * value.element_size()
    if value.layout is torch.sparse_coo:
        parts: tuple[torch.Tensor, ...] = (value._indices(), value._values())
    elif value.layout in (torch.sparse_csr, torch.sparse_bsr):
        parts = (value.crow_indices(), value.col_indices(), value.values())
    elif value.layout in (torch.sparse_csc, torch.sparse_bsc):
        parts = (value.ccol_indices(), value.row_indices(), value.values())
    else:
        parts = (value,)
    return sum(part.numel() * part.element_size() for part in parts)


def _local(value: torch.Tensor) -> torch.Tensor:
    """The part of a distributed tensor that lies in this process: looking must not communicate."""
    to_local = getattr(value, "to_local", None) if type(value) is not torch.Tensor else None
    return to_local() if to_local is not None else value
