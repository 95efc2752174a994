"""One recorded value: its statistics always, its tensor as long as the byte limit allows."""

import torch

from hookviz.capture.summary import Moments, TensorSummary, summarize
from hookviz.errors import NotKeptError


class Capture:
    """A value as it was when it flowed; what happened to the tensor afterwards does not show here."""

    __slots__ = ("_kept", "_summary", "moments", "note")

    def __init__(self, moments: Moments, kept: torch.Tensor | None, note: str) -> None:
        self.moments = moments
        self.note = note
        """Why the tensor was not kept, or what is special about the value; else empty."""
        self._kept = kept
        self._summary: TensorSummary | None = None

    @property
    def summary(self) -> TensorSummary:
        """Shape, type and statistics; the histogram is made when first asked for."""
        if self._summary is None:
            self._summary = summarize(self.moments, self._kept)
        return self._summary

    @property
    def is_kept(self) -> bool:
        """True if ``tensor`` can be had."""
        return self._kept is not None

    @property
    def tensor(self) -> torch.Tensor:
        """A copy that belongs to the capture, without a graph; changing it changes nothing in the model.

        Raises:
            NotKeptError: if only the statistics were kept; the message says why and what helps.
        """
        if self._kept is None:
            shape = "×".join(map(str, self.moments.shape)) or "scalar"
            why = self.note if self.note.startswith("holds no values") else f"was {self.note or 'not kept'}"
            raise NotKeptError(f"The {shape} {self.moments.dtype} tensor {why}.")
        return self._kept

    def __repr__(self) -> str:
        shape = "×".join(map(str, self.moments.shape)) or "scalar"
        mean = self.summary.mean
        value = "" if mean is None else f" mean {mean:.3g}"
        return f"<Capture {shape} {self.moments.dtype}{value}{'' if self.is_kept else ' (statistics only)'}>"
