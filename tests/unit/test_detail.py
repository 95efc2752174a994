"""The second line of a card: what its module is made with, and how many parameters it has."""

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

from hookviz.graph.counts import short_count
from hookviz.graph.detail import module_detail, parameter_detail


@pytest.mark.parametrize(
    ("module", "detail"),
    [
        (nn.Conv2d(3, 16, 3), "3→16 · 3×3 · 448 params"),
        (nn.Conv2d(16, 16, (3, 5), stride=2, groups=4), "16→16 · 3×5 · stride 2 · 4 groups · 976 params"),
        (nn.ConvTranspose1d(2, 3, 4, stride=1), "2→3 · 4 · 27 params"),
        (nn.Linear(16, 10), "16→10 · 170 params"),
        (nn.Embedding(1000, 64), "1000×64 · 64.0k params"),
        (nn.BatchNorm2d(16), "16 · 32 params"),
        (nn.InstanceNorm1d(8), "8"),
        (nn.LayerNorm((4, 8)), "4×8 · 64 params"),
        (nn.GroupNorm(2, 8), "8 · 2 groups · 16 params"),
        (nn.Dropout(0.1), "p=0.1"),
        (nn.LSTM(10, 20, num_layers=2, bidirectional=True), "10→20 · 2 layers · bidirectional · 15.0k params"),
        (nn.GRUCell(3, 4), "3→4 · 108 params"),
        (nn.MultiheadAttention(256, 8), "256 · 8 heads · 263k params"),
        (nn.MaxPool2d(2), "2×2"),
        (nn.AdaptiveAvgPool2d((1, 1)), "→1×1"),
        (nn.ReLU(), ""),
        (nn.ReLU(inplace=True), ""),
        (nn.Flatten(), ""),
        (nn.Flatten(0, 1), "axes 0 to 1"),
        (nn.GELU(), ""),
        (nn.Softmax(dim=-1), "dim=-1"),
        (nn.Identity(), ""),
        (nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), "12 params"),
        (nn.LazyLinear(3), "0→3 · params at first run"),
    ],
)
def test_the_line_says_what_matters(module: nn.Module, detail: str) -> None:
    assert module_detail(module) == detail


def test_a_shared_parameter_counts_once() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model[1].weight = model[0].weight

    assert module_detail(model) == "8 params"


@pytest.mark.parametrize("text", ["x" * 10_000, "line\n" * 20])
def test_a_long_description_is_left_out(text: str) -> None:
    class Wordy(nn.Module):
        def extra_repr(self) -> str:
            return text

    assert module_detail(Wordy()) == ""


def test_a_description_of_many_lines_becomes_one() -> None:
    class Lines(nn.Module):
        def extra_repr(self) -> str:
            return "a=1,\n  b=2"

    assert module_detail(Lines()) == "a=1, b=2"


def test_a_description_that_raises_or_lies_is_left_out() -> None:
    class Raises(nn.Module):
        def extra_repr(self) -> Any:
            raise RuntimeError("no")

    class Half(nn.Linear):
        def __init__(self) -> None:
            nn.Module.__init__(self)

        def extra_repr(self) -> Any:
            return f"{self.in_features}"

    assert module_detail(Raises()) == ""
    assert module_detail(Half()) == ""


def test_a_parametrization_is_not_run() -> None:
    class Counting(nn.Module):
        calls = 0

        def forward(self, weight: torch.Tensor) -> torch.Tensor:
            Counting.calls += 1
            return weight

    class Asking(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))

        def extra_repr(self) -> str:
            return f"mean={self.weight.mean():.1f}"

    model = Asking()
    parametrize.register_parametrization(model, "weight", Counting())
    before = Counting.calls

    assert module_detail(model) == "3 params"
    assert Counting.calls == before
    assert module_detail(parametrizations.weight_norm(nn.Linear(4, 2))) == "4→2 · 12 params"


def test_a_parameter_shows_its_shape() -> None:
    model = nn.BatchNorm1d(3)

    assert parameter_detail(model, "weight") == "3"
    assert parameter_detail(model, "running_mean") == "3"
    assert parameter_detail(nn.LazyLinear(3), "weight") == ""
    assert parameter_detail(model, "unknown") == ""


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (448, "448"),
        (9_999, "9,999"),
        (10_000, "10.0k"),
        (999_949, "1.0M"),
        (7_123_456, "7.1M"),
        (124_400_000, "124M"),
        (6_740_000_000, "6.7B"),
        (1_500_000_000_000, "1.5T"),
    ],
)
def test_counts_are_short(number: int, text: str) -> None:
    assert short_count(number) == text
