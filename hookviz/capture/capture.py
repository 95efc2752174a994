"""One recorded value: its statistics always, its tensor as long as the byte limit allows."""

from __future__ import annotations

import torch

from hookviz.capture.copies import Place
from hookviz.capture.handed_on import has_same_bits
from hookviz.capture.lent import OVERWRITTEN, Lent
from hookviz.capture.measured_rows import MeasuredRows, Numbers
from hookviz.capture.moments import SMALL_SAMPLE, Moments, stride, take_sample
from hookviz.capture.quiet import quiet
from hookviz.capture.summary import TensorSummary, summarize
from hookviz.capture.together import measure_together
from hookviz.errors import NotKeptError
from hookviz.hooks.shape_text import shape_text


class Capture:
    """A value as it was when it flowed; what happened to the tensor afterwards does not show here.

    ``summary`` has its statistics, ``tensor`` the values, where ``is_kept`` says that they were kept.
    """

    __slots__ = ("__weakref__", "_kept", "_lent", "_measured", "_moments", "_note", "_place", "_summary", "_total")

    def __init__(
        self,
        moments: Moments | None,
        kept: torch.Tensor | None,
        note: str,
        total: float | None = None,
        *,
        place: Place | None = None,
        lent: Lent | None = None,
        measured: tuple[MeasuredRows, int] | None = None,
    ) -> None:
        """Hold what was measured, or (None) a copy that can be measured later.

        Args:
            moments: Its numbers.
            kept: The copy.
            note: Why it is not kept, or what is special about it.
            total: Its sum where that is known; finite, and so is each of its elements.
            place: Where the copy lies, if it shares its memory with others.
            lent: The tensor itself instead of a copy.
            measured: The numbers of it and of others, and which of them it is.
        """
        self._moments = moments
        self._total = total
        self._note = note
        self._kept = kept
        self._place = place
        self._lent = lent
        self._measured = measured
        self._summary: TensorSummary | None = None

    @property
    def note(self) -> str:
        """Why the tensor was not kept, or what is special about the value; else empty."""
        self.own()
        return self._note

    @property
    def moments(self) -> Moments:
        """The numbers of the value."""
        if self._moments is None:
            if self._measured is None:
                measure_together([self])
            if self._measured is not None:
                rows, row = self._measured
                self._moments = rows.moments(row)
        assert self._moments is not None
        return self._moments

    @property
    def numbers(self) -> Numbers:
        """Mean, std, least, greatest and norm of the value, those of ``moments``."""
        if self._measured is not None:
            rows, row = self._measured
            return rows.numbers[row]
        moments = self.moments
        return moments.mean, moments.std, moments.min, moments.max, moments.norm

    @property
    def is_measured(self) -> bool:
        """Whether its numbers are there."""
        return self._moments is not None or self._measured is not None

    @property
    def has_not_finite(self) -> bool:
        """Whether there is a NaN or an infinity in it."""
        if self.is_surely_finite:
            return False
        moments = self.moments
        return bool(moments.nans or moments.infs)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape, as ``summary.shape``, without measuring it."""
        if self._measured is not None:
            return self._measured[0].shape
        if self._moments is not None or self._kept is None:
            return self.moments.shape
        with torch._C.DisableTorchFunction():
            return tuple(self._kept.shape)

    @property
    def is_surely_finite(self) -> bool:
        """True where it is known without a further look that there is neither NaN nor infinity in it."""
        if self._measured is not None:
            rows, row = self._measured
            return rows.is_finite(row)
        return self._moments is None and self._total is not None

    def has_values_of(self, tensor: torch.Tensor) -> bool:
        """Whether the tensor was kept and this one holds the same; False also where that is not to be told cheaply."""
        kept = self._kept
        if self._lent is not None and type(tensor) is torch.Tensor:
            return self._lent.is_in(tensor)
        return (
            kept is not None
            and kept.layout is torch.strided
            and type(tensor) is torch.Tensor
            and kept.is_cpu
            and has_same_bits(kept, tensor)
        )

    @property
    def summary(self) -> TensorSummary:
        """Shape, type and statistics; the histogram is made when first asked for."""
        if self._summary is None:
            self._summary = summarize(self.moments, self.own())
        return self._summary

    def without_tensor(self, why: str) -> Capture:
        """The same without its tensor, of which a few elements stay for the histogram; itself stays as it is.

        Runs under ``store.quiet``.
        """
        if self._measured is None or not self._measured[0].has_samples:
            self._leave_sample()
        rest = Capture(self._moments, None, why, measured=self._measured)
        rest._summary = self._summary
        return rest

    def let_go(self, why: str) -> None:
        """Become what ``without_tensor`` gives; for one that nobody else holds. Runs under ``store.quiet``."""
        self._leave_sample()
        self._kept = self._place = self._lent = None
        self._note = why

    def _leave_sample(self) -> None:
        """Have some elements of the tensor beside the numbers, where they are needed and are not there yet."""
        if self._measured is None or not self._measured[0].has_samples:
            moments = self.moments
            if self._summary is None and self._kept is not None:
                take_sample(moments, self._kept)

    def shorten_sample(self) -> None:
        """Of a tensor that was not kept, have as few elements as of those that go later."""
        moments = self._moments
        if moments is not None and moments.sample is not None and len(moments.sample) > SMALL_SAMPLE:
            moments.sample = moments.sample[:: stride(len(moments.sample), SMALL_SAMPLE)].clone()

    def own(self) -> torch.Tensor | None:
        """The values, None if there are none. Of a tensor that was not copied yet, there is a copy from now on."""
        lent = self._lent
        if lent is not None:
            with quiet():
                copy = lent.copy()
            if copy is None:
                self.lose()
            else:
                # In this order: another thread may look as well.
                self._kept, self._lent = copy, None
        return self._kept

    def glimpse(self) -> torch.Tensor | None:
        """The values, None if there are none, for a look that is over at once: nothing is copied for it.

        Runs under ``quiet``.
        """
        lent = self._lent
        if lent is None:
            return self._kept
        value = lent.in_place()
        if value is None:
            self.lose()
        # Another thread may have been faster with a copy.
        return self._kept if value is None else value

    @property
    def is_overwritten(self) -> bool:
        """Whether it was not copied, and somebody wrote into the tensor since."""
        lent = self._lent
        return lent is not None and lent.is_counted_as_written()

    def lose(self) -> None:
        """Somebody wrote into the tensor, which was not copied; the next from there will be."""
        lent = self._lent
        # Another thread may have been faster with a copy.
        if lent is not None and self._kept is None:
            lent.source.is_written = True
            self._note, self._lent = OVERWRITTEN, None

    @property
    def is_lent(self) -> bool:
        """Whether it was not copied."""
        return self._lent is not None

    @property
    def has_memory(self) -> bool:
        """Whether it holds memory for its values."""
        return self._kept is not None or self._lent is not None

    @property
    def is_kept(self) -> bool:
        """True if ``tensor`` can be had."""
        return self.own() is not None

    @property
    def peek(self) -> torch.Tensor:
        """Its tensor itself, for a look that neither changes nor keeps it.

        Raises:
            NotKeptError: if there is none; see ``tensor``.
        """
        kept = self.own()
        if kept is None:
            raise self._not_kept()
        return kept

    @property
    def tensor(self) -> torch.Tensor:
        """A copy that belongs to the capture, without a graph; changing it changes nothing in the model.

        Raises:
            NotKeptError: if only the statistics were kept; the message says why and what helps.
        """
        kept = self.own()
        if kept is None:
            raise self._not_kept()
        if not self.is_measured:
            # Its owner may change it.
            measure_together([self])
        if self._place is not None:
            # Its memory goes back to those it is shared with, when they go.
            with quiet():
                kept = kept.clone()
            self._kept, self._place = kept, None
        return kept

    def __getstate__(self) -> object:
        """For a copy or a pickle: with values that nobody else writes into."""
        self.own()
        return super().__getstate__()

    def _not_kept(self) -> NotKeptError:
        note = self._note
        why = note if note.startswith("holds no values") else f"was {note or 'not kept'}"
        return NotKeptError(f"The {shape_text(self.moments.shape)} {self.moments.dtype} tensor {why}.")

    def __repr__(self) -> str:
        shape = shape_text(self.moments.shape)
        mean = self.summary.mean
        value = "" if mean is None else f" mean {mean:.3g}"
        return f"<Capture {shape} {self.moments.dtype}{value}{'' if self.is_kept else ' (statistics only)'}>"
