"""Comparing: bit for bit what a program computes, and within rounding what was captured of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Either:
    """A place where more than one answer is true, such as a share of a gradient and its declared total."""

    answers: tuple[Tensor | None, ...]

    def __init__(self, *answers: Tensor | None) -> None:
        object.__setattr__(self, "answers", answers)


Expected = Tensor | Either | None
"""None: no gradient arrives there, so either nothing or zeros may be shown."""


def same_bits(one: object, other: object) -> bool:
    """True if two results cannot be told apart, containers and their order included."""
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return (
            type(one) is type(other)
            and (one.dtype, one.shape, one.layout) == (other.dtype, other.shape, other.layout)
            and torch.equal(_bits(one), _bits(other))
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_bits, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_bits(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def mismatches(captured: Sequence[Tensor | None], expected: Sequence[Expected]) -> list[str]:
    """One sentence on each entry that is not as expected."""
    if len(captured) != len(expected):
        return [f"{len(captured)} entries where {len(expected)} are expected"]
    found = ((place, _mismatch(*pair)) for place, pair in enumerate(zip(captured, expected, strict=True)))
    return [f"entry {place}: {sentence}" for place, sentence in found if sentence]


def assert_captured(captured: Sequence[Tensor | None], expected: Sequence[Expected]) -> None:
    """All entries are there, in order, with the expected shape, type and (within rounding) values."""
    found = mismatches(captured, expected)
    assert not found, "\n".join(found)


def _mismatch(captured: Tensor | None, expected: Expected) -> str:
    if isinstance(expected, Either):
        answers = [_mismatch(captured, answer) for answer in expected.answers]
        return "" if "" in answers else "; ".join(answers)
    if expected is None:
        is_nothing = captured is None or not captured.any()
        return "" if is_nothing else f"{captured} where there is no gradient"
    if captured is None:
        return f"nothing where {expected.detach()} is expected"
    got, wanted = _dense(captured), _dense(expected)
    if (got.shape, got.dtype) != (wanted.shape, wanted.dtype):
        return f"{tuple(got.shape)} {got.dtype} where {tuple(wanted.shape)} {wanted.dtype} is expected"
    is_close = torch.allclose(got, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    return "" if is_close else f"{got} where {wanted} is expected"


def _dense(tensor: Tensor) -> Tensor:
    tensor = tensor.detach()
    return tensor if tensor.layout in (torch.strided, torch.jagged) else tensor.to_dense()


def _bits(tensor: Tensor) -> Tensor:
    # Compared as bytes: -0.0 is not 0.0, and a NaN is the same as itself.
    return _dense(tensor).resolve_conj().contiguous().reshape(-1).view(torch.uint8)
