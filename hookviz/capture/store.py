"""Copies of tensors, out of reach of whatever the user's program does, under a byte limit."""

from collections.abc import Callable
from math import isfinite
from typing import Final

import torch

from hookviz.capture.capture import Capture
from hookviz.capture.copies import MOST_ROW_ELEMENTS, Copies
from hookviz.capture.lending import Lending
from hookviz.capture.lent import Lent, Source
from hookviz.capture.measured_rows import measure_row
from hookviz.capture.moments import can_wait, measure
from hookviz.capture.quiet import quiet as quiet  # noqa: PLC0414  # also known from here
from hookviz.capture.transforms import is_wrapped, transform, unwrapped

SHARE_OF_OUTPUTS = 2 / 3
"""What outputs and inputs may take of the limit while gradients, which come last, are captured too."""

LARGEST_SHARE = 1 / 4
"""A single tensor above this share of the limit is kept only where somebody asked for it."""


_USUAL: Final = (torch.float32, torch.float64)
_STRIDED: Final = torch.strided


def _is_usual(value: torch.Tensor) -> bool:
    return (
        type(value) is torch.Tensor
        and value.layout is _STRIDED
        and value.dtype in _USUAL
        and value.is_cpu
        and not value.is_nested
    )


class TensorStore:
    """Makes captures and keeps their tensors as long as one run's share of the limit lasts."""

    def __init__(
        self,
        keep_bytes: int,
        *,
        share_of_outputs: float = SHARE_OF_OUTPUTS,
        copies: Copies | None = None,
        lending: Lending | None = None,
    ) -> None:
        self._copies = copies or Copies()
        self._lending = lending or Lending()
        self.keep_bytes = keep_bytes
        self.kept_bytes = 0
        self.left_out = 0
        """How many tensors were not kept, of which a larger sample is there."""
        self.free_bytes = keep_bytes
        """From how many bytes on past steps have to make room."""
        self.make_room: Callable[[int], int] = lambda _kept_bytes: keep_bytes
        """Called with how many bytes are kept by now; gives the next ``free_bytes``."""
        self.wanted: frozenset[str] = frozenset()
        """Paths whose tensors are kept first: those that somebody looks at."""
        self._largest = keep_bytes * LARGEST_SHARE
        self._limits = {False: int(keep_bytes * share_of_outputs), True: keep_bytes}

    def take(self, tensor: torch.Tensor, path: str, *, is_gradient: bool, may_be_lent: bool = False) -> Capture:
        """Record a tensor as it is now.

        Costs two passes over it and, if it is kept, a copy. Runs under ``quiet``.

        Args:
            tensor: The tensor.
            path: Of the module that it belongs to.
            is_gradient: Whether it is a gradient.
            may_be_lent: Whether a large one may do without the copy for now; see ``Lending``.
        """
        value = (unwrapped(tensor) if is_wrapped(tensor) else tensor).detach()
        if not _is_usual(value):
            return self._take_unusual(value, path, is_gradient=is_gradient)
        size = value.nbytes
        if size > self._largest or self.kept_bytes + size > self._limits[is_gradient]:
            why = self._why_not(size, path)
            if why:
                self.left_out += 1
                return Capture(measure(value, with_sample=True), None, why)
        if value.numel() > MOST_ROW_ELEMENTS:
            return self._take_large(tensor, value, path, is_gradient=is_gradient, may_be_lent=may_be_lent)
        kept, place = self._copies.take(value)
        self._count(size)
        # Of a gradient nothing is asked before the backward pass is over.
        total = None if is_gradient else float(kept.sum())
        if can_wait(kept) and (total is None or isfinite(total)):
            return Capture(None, kept, "", total, place=place)
        return Capture(measure(kept, with_sample=False), kept, "", place=place)

    def _take_large(
        self, tensor: torch.Tensor, value: torch.Tensor, path: str, *, is_gradient: bool, may_be_lent: bool
    ) -> Capture:
        """One that is measured at once, while it lies in the cache."""
        self._count(value.nbytes)
        if may_be_lent:
            source = self._lending.lender(tensor, value, path, is_gradient=is_gradient)
            lent = self._lend(value, source) if source is not None else None
            if lent is not None:
                return lent
            room = self.free_bytes - self.kept_bytes
            self._lending.copied(value, path, is_gradient=is_gradient, room=room)
        kept, place = self._copies.take(value)
        if transform() is not None:
            # All operations there return wrapped tensors, which NumPy cannot read.
            return Capture(measure(kept, with_sample=False), kept, "", place=place)
        return Capture(None, kept, "", place=place, measured=(measure_row(kept)[0], 0))

    def _lend(self, value: torch.Tensor, source: Source) -> Capture | None:
        """A capture without a copy; None where no write into it could be told later."""
        version = value._version
        rows, sums = measure_row(value)
        sample = rows.sample(0)
        # Else another thread wrote into it meanwhile, or there is a NaN, which hides what is written beside it.
        if value._version != version or sample is None or not rows.is_finite(0):
            return None
        capture = Capture(None, None, "", lent=Lent(value, source, sums, sample), measured=(rows, 0))
        self._lending.lent(capture, source)
        return capture

    def _take_unusual(self, value: torch.Tensor, path: str, *, is_gradient: bool) -> Capture:
        """A tensor of another kind than most, or on another device; measured at once."""
        size = held_bytes(value)
        is_within = size <= self._largest and self.kept_bytes + size <= self._limits[is_gradient]
        why = "" if is_within else self._why_not(size, path)
        kept = None if why else self._clone(value)
        self.left_out += kept is None
        moments = measure(_local(value if kept is None else kept), with_sample=kept is None)
        if moments.note.startswith("holds no values"):
            return Capture(moments, None, moments.note)
        if kept is not None:
            self._count(size)
        return Capture(moments, kept, why or moments.note)

    def _count(self, size: int) -> None:
        self.kept_bytes += size
        if self.kept_bytes + self._copies.idle_bytes > self.free_bytes:
            self._copies.drop()
            if self.kept_bytes > self.free_bytes:
                self.free_bytes = self.make_room(self.kept_bytes)

    def _why_not(self, size: int, path: str) -> str:
        """What is over its limit, if the module is not wanted."""
        if path in self.wanted and self.kept_bytes + size <= self.keep_bytes:
            return ""
        if size > self._largest:
            return (
                f"not kept: {size:,} bytes are over a quarter of the limit keep_bytes={self.keep_bytes:,}; "
                "select its module in the picture or raise the limit"
            )
        return (
            f"not kept: over the memory limit keep_bytes={self.keep_bytes:,}; "
            "raise it, or watch fewer modules with only="
        )

    @staticmethod
    def _clone(value: torch.Tensor) -> torch.Tensor:
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
