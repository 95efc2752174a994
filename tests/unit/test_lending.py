"""Large tensors are copied until it is known that nobody writes into them, and again from where somebody did."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture.capture import Capture
from hookviz.capture.lent import OVERWRITTEN
from hookviz.errors import NotKeptError
from hookviz.session import Session
from tests.large import ROWS, Large, batch, is_lent, nothing, of, recorded
from tests.models import wired
from tests.views import at


def test_the_first_run_is_copied_and_later_ones_are_lent() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        lent = []
        for seed in range(3):
            model(batch(seed))
            lent.append((is_lent(recorded(session, "first")), is_lent(recorded(session, "second"))))

    assert lent == [(False, False), (True, True), (True, True)]


def test_small_tensors_are_always_copied() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        for _ in range(3):
            model(batch()[:2_048])  # 2,048 rows of 32 are 65,536 elements

        assert not is_lent(recorded(session, "first"))


def test_whoever_looks_gets_a_copy_that_stays_as_it_is() -> None:
    model = Large()
    kept: list[torch.Tensor] = []
    model.between = kept.append
    with hookviz.watch(model, every=1) as session:
        for seed in range(2):
            model(batch(seed))
        expected = kept[-1].clone()

        output = at(session, "first").output.tensor
        kept[-1].data.zero_()

        assert torch.equal(output, expected)
        assert torch.equal(at(session, "first").output.tensor, expected)
        assert at(session, "first").output.summary.zeros == 0


def test_what_an_inplace_relu_writes_into_has_its_values_in_each_run() -> None:
    model = nn.Sequential(nn.Sequential(nn.BatchNorm1d(32), nn.ReLU(inplace=True)), nn.Linear(32, 1))
    with hookviz.watch(model, every=1) as session:
        for seed in range(5):
            x = torch.randn(ROWS, 32, generator=torch.Generator().manual_seed(seed))
            model(x).sum().backward()

            expected = (x - x.mean(0)) / torch.sqrt(x.var(0, unbiased=False) + 1e-5)
            torch.testing.assert_close(at(session, "0.0").output.tensor, expected)
            torch.testing.assert_close(at(session, "0.1").output.tensor, expected.relu())


def test_values_are_lost_in_the_run_alone_in_which_somebody_first_writes_into_them() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        for seed in range(1, 7):
            model.between = (lambda y: y.mul_(2)) if seed >= 5 else nothing
            model(batch(seed))
        fifth, sixth = session.at_step(5), session.at_step(6)

        expected = of(model.first, batch(5))
        lost = fifth["first"].output
        assert not lost.is_kept
        assert lost.summary.mean == pytest.approx(expected.mean().item(), abs=1e-6)
        assert lost.summary.max == expected.max().item()
        assert lost.note == (
            "not kept: its memory was written into, or given back, after it was recorded, which had not happened "
            "there before; the next captured run keeps it"
        )
        with pytest.raises(NotKeptError, match="tensor was not kept: its memory was written into, or"):
            _ = lost.tensor
        assert torch.equal(fifth["second"].output.tensor, of(model.second, expected * 2))
        assert torch.equal(sixth["first"].output.tensor, of(model.first, batch(6)))
        assert [session.at_step(step)["first"].output.is_kept for step in range(1, 7)] == [
            True, True, True, True, False, True,
        ]  # fmt: skip


WRITES: dict[str, Callable[[torch.Tensor], Any]] = {
    "counted": lambda y: y.mul_(2),
    "through data": lambda y: y.data.mul_(2),
    "through numpy": lambda y: y.detach().numpy().__imul__(2),
    "into a view": lambda y: y.view(-1)[40:50].copy_(torch.ones(10)),
    "of many tensors": lambda y: torch._foreach_mul_([y], 2.0),
    "in another order": lambda y: y.data.copy_(y.data.flip(0)),
    "into the memory": lambda y: y.untyped_storage().copy_(torch.zeros(ROWS * 32).untyped_storage()),
    "of two rows": lambda y: y.data.index_copy_(0, torch.tensor([7, 8]), y.data[[8, 7]]),
    "of one element": lambda y: y.data[500:501, 7].mul_(1 + 1e-5),
    "in inference mode": lambda y: torch.inference_mode()(y.mul_)(2),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_what_was_written_never_shows_and_is_copied_from_then_on(write: Callable[[torch.Tensor], Any]) -> None:
    model = Large()
    model.requires_grad_(requires_grad=False)
    with hookviz.watch(model, every=1) as session:
        model(batch(1))
        model.between = write
        model(batch(2))
        lost = recorded(session, "first")
        assert is_lent(lost)

        assert not lost.is_kept
        assert lost.note == OVERWRITTEN
        assert lost.summary.mean == pytest.approx(of(model.first, batch(2)).mean().item(), abs=1e-6)
        for seed in (3, 4):
            model(batch(seed))
            assert torch.equal(at(session, "first").output.tensor, of(model.first, batch(seed)))


def of_second_run(model: Large, session: Session) -> tuple[torch.Tensor, Capture]:
    """What ``first`` returned in the second run, and what was recorded of it."""
    kept: list[torch.Tensor] = []
    model.between = kept.append
    for seed in (1, 2):
        model(batch(seed))
    return kept[-1], recorded(session, "first")


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_look_before_somebody_writes_keeps_the_values(write: Callable[[torch.Tensor], Any]) -> None:
    model = Large()
    model.requires_grad_(requires_grad=False)
    with hookviz.watch(model, every=1) as session:
        output, capture = of_second_run(model, session)

        assert capture.is_kept
        write(output)

        assert torch.equal(capture.tensor, of(model.first, batch(2)))
        assert capture.note == ""


def test_memory_that_was_given_back_does_not_show() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        output, capture = of_second_run(model, session)
        output.untyped_storage().resize_(0)

        assert capture.note == OVERWRITTEN
        assert not capture.is_kept
        assert capture.summary.mean == pytest.approx(of(model.first, batch(2)).mean().item(), abs=1e-6)


def test_a_buffer_that_each_run_fills_anew_keeps_the_values_of_each() -> None:
    buffer = torch.zeros(ROWS, 32)
    linear = nn.Linear(8, 32).requires_grad_(requires_grad=False)
    model = Large(wired(lambda _self, x: buffer.copy_(linear(x))))
    with hookviz.watch(model, every=1) as session:
        for seed in range(1, 6):
            model(batch(seed))

        for step in range(1, 6):
            assert torch.equal(session.at_step(step)["first"].output.tensor, of(linear, batch(step)))


def test_a_tensor_that_is_not_finite_keeps_its_values() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        model(batch())
        for wrong, is_nan in ((torch.nan, True), (torch.inf, False)):
            x = batch()
            x[0, 0] = wrong
            model(x)
            output = recorded(session, "first")
            # Beside a NaN, no sum would tell what is written.
            assert not is_lent(output)
            assert torch.equal(output.tensor.isnan()[0], torch.full((32,), is_nan))
            assert torch.equal(output.tensor[1:], of(model.first, x)[1:])
            assert (output.summary.nans, output.summary.infs) == ((32, 0) if is_nan else (0, 32))


def test_another_number_of_threads_loses_nothing() -> None:
    model = Large(nn.Linear(8, 512))
    model.second = nn.Linear(512, 1)
    threads = torch.get_num_threads()
    try:
        with hookviz.watch(model, every=1) as session:
            for then, now in ((1, 2), (2, 1)):
                torch.set_num_threads(then)
                model(batch(1))
                model(batch(2))
                torch.set_num_threads(now)

                assert torch.equal(recorded(session, "first").tensor, of(model.first, batch(2)))
                assert torch.get_num_threads() == now
    finally:
        torch.set_num_threads(threads)
