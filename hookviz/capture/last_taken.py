"""The tensor that was recorded last: what hands it on needs no second copy of it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from hookviz.capture.handed_on import version_of

if TYPE_CHECKING:
    import torch

    from hookviz.capture.capture import Capture


class LastTaken:
    """Knows it weakly."""

    __slots__ = ("_capture", "_version", "is_returned", "tensor")

    def __init__(self) -> None:
        self.tensor: Callable[[], torch.Tensor | None] = _nothing
        """Gives it, if it is still there."""
        self._version = 0
        self._capture: Capture | None = None
        self.is_returned = False
        """Whether it is what the last call that returned gave back, and nothing was recorded since."""

    def capture_of(self, tensor: torch.Tensor, *, is_untouched: bool) -> Capture | None:
        """Its capture, if it is this tensor and holds the same as it did then. Runs under ``quiet``.

        Not every change of a tensor is counted in its version (its ``data``, NumPy), so the values are compared,
        unless ``is_untouched`` says that nobody had a chance to write into it since.
        """
        capture = self._capture
        if capture is None or self.tensor() is not tensor or not capture.has_memory:
            return None
        if version_of(tensor) != self._version or not (is_untouched or capture.has_values_of(tensor)):
            return None
        return capture

    def note(self, tensor: torch.Tensor, capture: Capture) -> None:
        """This one was recorded now."""
        self.tensor, self._version, self._capture = weakref.ref(tensor), version_of(tensor), capture


def _nothing() -> None:
    """No tensor was recorded yet."""
