"""Named changes of a value on its way through a model: what each makes of it.

Every one gives a new tensor of the same shape and dtype on the same device and leaves the old one as it
was. The new one hangs on the graph of the old one, so that what comes before still gets gradients, zero
where nothing of the old value is left.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import torch

from hookviz.errors import InterventionError
from hookviz.hooks.constant import Kept, Number, alike, constant, fitting, shown
from hookviz.hooks.contract import describe

_LARGEST_SEED: Final = 2**63
# The golden ratio in 64 bits, which spreads the numbers of calls over the seeds (Knuth, TAOCP 3, 6.4).
_SPREAD: Final = 0x9E3779B97F4A7C15


class Intervention(ABC):
    """What is made of a value; ``session.intervene`` puts it to work."""

    __slots__ = ()

    @property
    def shape(self) -> torch.Size | None:
        """The shape of the tensor that it works with; None if it works with none."""
        return None

    @abstractmethod
    def on(self, value: torch.Tensor, call: int, /) -> torch.Tensor:
        """What takes the place of a value.

        Args:
            value: A tensor, or the part of it that is meant.
            call: How often the module had been called before in the same run.

        Raises:
            InterventionError: if it does not fit.
        """


@dataclass(frozen=True, slots=True)
class Zero(Intervention):
    """Zeros in the place of the value: the ablation of what a module contributes."""

    def on(self, value: torch.Tensor, _call: int, /) -> torch.Tensor:
        """Zeros."""
        return value.masked_fill(_everywhere(value), 0)


@dataclass(frozen=True, slots=True, eq=False)
class Scale(Intervention):
    """The value times a factor: a number, or a tensor that fits its shape.

    Raises:
        InterventionError: if the factor is neither.
    """

    factor: Number | torch.Tensor

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", constant("Scale", "factor", self.factor))

    @property
    def shape(self) -> torch.Size | None:
        """The shape of the factor, None for a number."""
        return self.factor.shape if isinstance(self.factor, torch.Tensor) else None

    def on(self, value: torch.Tensor, _call: int, /) -> torch.Tensor:
        """The value times the factor."""
        return alike(self, value * fitting(self, self.factor, value), value)

    def __repr__(self) -> str:
        return f"Scale({shown(self.factor)})"


@dataclass(frozen=True, slots=True, eq=False)
class Add(Intervention):
    """The value plus another: a number, a tensor that fits its shape, or a capture; the steering of a model.

    A leaf tensor that requires grad gets its gradient and can be trained.

    Raises:
        InterventionError: if it is nothing of these.
        NotKeptError: if the tensor of the capture was not kept.
    """

    value: Number | torch.Tensor | Kept

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", constant("Add", "value", self.value))

    @property
    def shape(self) -> torch.Size | None:
        """The shape of the value, None for a number."""
        return self.value.shape if isinstance(self.value, torch.Tensor) else None

    def on(self, value: torch.Tensor, _call: int, /) -> torch.Tensor:
        """The sum."""
        return alike(self, value + fitting(self, self.value, value), value)

    def __repr__(self) -> str:
        return f"Add({shown(self.value)})"


@dataclass(frozen=True, slots=True)
class Clamp(Intervention):
    """The value held between two limits, of which one may be left out.

    Raises:
        InterventionError: if a limit is no number, none is given, or ``low`` is above ``high``.
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        for name, limit in (("low", self.low), ("high", self.high)):
            if limit is not None:
                _require_number("Clamp", name, limit)
        if self.low is None and self.high is None:
            raise InterventionError("Clamp needs a limit: Clamp(-1, 1), Clamp(low=0) or Clamp(high=6).")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise InterventionError(f"Clamp goes from low to high; got low={self.low} and high={self.high}.")

    def on(self, value: torch.Tensor, _call: int, /) -> torch.Tensor:
        """The value within the limits."""
        return alike(self, torch.clamp(value, self.low, self.high), value)

    def __repr__(self) -> str:
        if self.low is None:
            return f"Clamp(high={self.high:g})"
        return f"Clamp(low={self.low:g})" if self.high is None else f"Clamp({self.low:g}, {self.high:g})"


@dataclass(frozen=True, slots=True)
class Noise(Intervention):
    """The value plus normal noise, the same in each run; every call within a run has its own.

    It comes from a generator of its own, so the model's random numbers stay what they are.

    Raises:
        InterventionError: if ``std`` is negative or no number, or ``seed`` is no whole number.
    """

    std: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        _require_number("Noise", "std", self.std)
        if self.std < 0:
            raise InterventionError(f"std is a standard deviation, 0 or more; got {self.std}.")
        seed: object = self.seed
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise InterventionError(f"seed is a whole number; got {describe(seed)}.")

    def on(self, value: torch.Tensor, call: int, /) -> torch.Tensor:
        """The noisy value."""
        # Drawn on the CPU, so that it is the same on every device.
        generator = torch.Generator().manual_seed((self.seed + call * _SPREAD) % _LARGEST_SEED)
        kind = torch.complex64 if value.dtype.is_complex else torch.float32
        noise = torch.randn(value.shape, generator=generator, dtype=kind, device="cpu")
        return alike(self, value + noise.to(value.device) * self.std, value)

    def __repr__(self) -> str:
        return f"Noise({self.std:g}, seed={self.seed})"


@dataclass(frozen=True, slots=True, eq=False)
class Replace(Intervention):
    """Another value in its place: a number, a tensor, or what was captured in an earlier run.

    ``Replace(session["block"].output)`` after one run puts that run's value into the next ones:
    activation patching. It is taken now; what becomes of the given tensor later does not matter, unless
    it is a leaf that requires grad.

    Raises:
        InterventionError: if it is nothing of these.
        NotKeptError: if the tensor of the capture was not kept.
    """

    value: Number | torch.Tensor | Kept

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", constant("Replace", "value", self.value, may_be_nan=True))

    @property
    def shape(self) -> torch.Size | None:
        """The shape of the value, None for a number."""
        return self.value.shape if isinstance(self.value, torch.Tensor) else None

    def on(self, value: torch.Tensor, _call: int, /) -> torch.Tensor:
        """The other value."""
        other = fitting(self, self.value, value)
        if not isinstance(other, torch.Tensor):
            other = torch.full((), other, device=value.device)
        return torch.where(_everywhere(value), alike(self, other, value), value)

    def __repr__(self) -> str:
        return f"Replace({shown(self.value)})"


def _everywhere(value: torch.Tensor) -> torch.Tensor:
    return torch.ones((), dtype=torch.bool, device=value.device)


def _require_number(owner: str, name: str, given: object) -> None:
    if not isinstance(given, (int, float)) or isinstance(given, bool) or math.isnan(given):
        raise InterventionError(f"{name} of {owner} is a number; got {given!r:.60}.")
