"""What a module hands on is recorded once, and what was written into since is recorded anew."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture.handed_on import has_same_bits
from hookviz.capture.last_taken import LastTaken
from hookviz.capture.store import TensorStore
from tests.models import row, wired
from tests.views import at


def kept(tensor: torch.Tensor) -> LastTaken:
    last = LastTaken()
    last.note(tensor, TensorStore(10_000).take(tensor, "a", is_gradient=False))
    return last


def test_a_tensor_that_is_as_it_was_has_its_capture_still() -> None:
    tensor = torch.arange(6.0)
    last = kept(tensor)

    assert last.capture_of(tensor, is_untouched=False) is not None
    assert last.capture_of(tensor.clone(), is_untouched=False) is None


def test_writes_that_no_version_counts_are_seen() -> None:
    tensor = torch.arange(6.0)
    last = kept(tensor)

    tensor.data[0] = 7
    assert last.capture_of(tensor, is_untouched=False) is None


def test_writes_that_a_version_counts_are_seen_also_where_nobody_had_a_chance() -> None:
    tensor = torch.arange(6.0)
    last = kept(tensor)

    tensor[0] = 7
    assert last.capture_of(tensor, is_untouched=True) is None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int8, torch.bool])
def test_tensors_are_compared_bit_for_bit(dtype: torch.dtype) -> None:
    one = torch.tensor([[1, 0, 1], [0, 1, 1]], dtype=dtype)
    other = one.clone()
    other[1, 2] = 0

    assert has_same_bits(one, one.clone())
    assert not has_same_bits(one, other)
    assert has_same_bits(one.t(), one.clone().t())
    assert not has_same_bits(one.t(), other.t())
    assert not has_same_bits(one, one[:1])


def test_a_nan_is_the_same_as_itself_and_an_empty_tensor_too() -> None:
    assert has_same_bits(torch.tensor(float("nan")), torch.tensor(float("nan")))
    assert has_same_bits(torch.empty(0, 3), torch.empty(0, 3))


def test_a_hook_on_a_sequential_that_writes_past_the_count_shows_at_the_sequential_alone() -> None:
    model = nn.Sequential(nn.Sequential(nn.Identity()))

    def write(_module: nn.Module, _args: object, output: torch.Tensor) -> None:
        output.data.mul_(2)

    model[0].register_forward_hook(write)
    with hookviz.watch(model, every=1) as session:
        model(torch.ones(2))

        assert at(session, "0.0").output.tensor.tolist() == [1.0, 1.0]
        assert at(session, "0").output.tensor.tolist() == [2.0, 2.0]
        assert at(session, "").output.tensor.tolist() == [2.0, 2.0]


def test_a_module_that_is_not_captured_may_have_written_past_the_count() -> None:
    class Doubling(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x.data.mul_(2)
            return x

    model = nn.Sequential(nn.Identity(), Doubling())
    with hookviz.watch(model, every=1, exclude=Doubling) as session:
        model(torch.ones(2) * 1)

        assert at(session, "0").output.tensor.tolist() == [1.0, 1.0]
        assert at(session, "").output.tensor.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.jacrev])
def test_what_is_handed_on_within_a_transform_of_functions_is_recorded(
    transform: Callable[..., Callable[..., object]],
) -> None:
    child = nn.Linear(4, 4)
    parent = wired(lambda self, x: self.child(x), child=child)
    model = wired(lambda self, x: self.parent(x).sum(), parent=parent)
    with hookviz.watch(model, every=1) as session:
        transform(model)(row())

        assert torch.equal(at(session, "parent").output.tensor, at(session, "parent.child").output.tensor)


def test_what_the_outermost_call_hands_on_keeps_its_values_whatever_the_caller_does_with_it() -> None:
    model = nn.Sequential(nn.Linear(8, 32), nn.Linear(32, 32))
    x = torch.ones(4_096, 8)
    with hookviz.watch(model, every=1) as session:
        for _ in range(3):
            y = model(x)

        y.detach().zero_()

        # Its last layer was large enough to be recorded without a copy, and nobody had written there before.
        for path in ("", "1"):
            assert at(session, path).output.is_kept
            assert at(session, path).output.summary.norm == pytest.approx(
                at(session, path).output.tensor.norm().item(), rel=1e-4
            )
            assert at(session, path).output.tensor.abs().sum() > 0
