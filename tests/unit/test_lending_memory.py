"""What may not be lent is copied, and what is lent holds no memory longer than a copy would."""

import gc
import weakref
from collections.abc import Callable

import pytest
import torch
from torch import nn

import hookviz
from tests.large import ROWS, Large, batch, is_lent, of, recorded
from tests.models import wired


def test_what_the_outermost_call_returns_is_copied() -> None:
    model = nn.Linear(8, 32)
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            model(batch(seed))

        assert not is_lent(recorded(session, ""))


def test_a_parameter_that_a_module_returns_is_copied() -> None:
    weight = nn.Parameter(torch.ones(ROWS, 32))
    model = Large(wired(lambda _self, _x: weight))
    with hookviz.watch(model, every=1) as session:
        for _ in range(3):
            model(batch())

        assert not is_lent(recorded(session, "first"))


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_a_graph_values_are_those_of_their_run(mode: Callable[[], torch.no_grad]) -> None:
    model = Large()
    kept: list[torch.Tensor] = []
    model.between = kept.append
    with hookviz.watch(model, every=1) as session:
        model(batch())
        with mode():
            model(batch(1))
        expected = kept[-1].clone()
        capture = recorded(session, "first")
        was_lent = is_lent(capture)
        with mode():
            kept[-1].zero_()

        assert was_lent is (mode is torch.no_grad)
        assert capture.is_kept is not was_lent
        if not was_lent:
            assert torch.equal(capture.tensor, expected)


def test_a_part_of_a_larger_tensor_is_copied() -> None:
    long = nn.Linear(8, 32)
    model = Large(wired(lambda self, x: self.long(x.repeat(10, 1))[ROWS : 2 * ROWS], long=long))
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            model(batch(seed))
        part = recorded(session, "first")

        assert is_lent(recorded(session, "first.long"))
        assert not is_lent(part)
        assert part.tensor.untyped_storage().nbytes() == ROWS * 32 * 4


@pytest.mark.parametrize(
    "foreign",
    [
        torch.Tensor.share_memory_,
        lambda y: torch.from_numpy(y.numpy().copy()),
    ],
    ids=["shared memory", "NumPy"],
)
def test_what_lies_in_memory_of_others_is_copied(foreign: Callable[[torch.Tensor], torch.Tensor]) -> None:
    linear = nn.Linear(8, 32)
    model = Large(wired(lambda self, x: foreign(self.linear(x).detach()), linear=linear))
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            model(batch(seed))

        output = recorded(session, "first")
        assert not is_lent(output)
        assert torch.equal(output.tensor, of(linear, batch(2)))


def test_past_steps_let_their_tensors_go_except_those_that_are_kept_first() -> None:
    model = Large()
    size = ROWS * 32 * 4
    kept_bytes = []
    with hookviz.watch(model, every=1, keep_bytes=16 * size) as session:
        session.keep_first("first")
        for seed in range(1, 13):
            model(batch(seed)).backward()
            kept_bytes.append(session.kept_bytes)

        assert all(0 < kept <= 16 * size for kept in kept_bytes)
        kept = [
            tuple(session.at_step(step)[path].output.is_kept for path in ("first", "second")) for step in session.steps
        ]
        assert kept[-1] == (True, True)
        assert (True, False) in kept
        assert kept[0] == (False, False)
        for step, (is_kept, _) in zip(session.steps, kept, strict=True):
            if is_kept:
                assert torch.equal(session.at_step(step)["first"].output.tensor, of(model.first, batch(step)))


def test_a_capture_that_somebody_holds_stays_when_its_step_goes() -> None:
    model = Large()
    with hookviz.watch(model, every=1, history=2) as session:
        for seed in (1, 2):
            model(batch(seed))
        held = recorded(session, "first")
        for seed in range(3, 9):
            model(batch(seed))

        assert 2 not in session.steps
        assert torch.equal(held.tensor, of(model.first, batch(2)))


def test_memory_goes_with_its_run_and_with_the_session() -> None:
    model = Large()
    memory: list[weakref.ref[torch.UntypedStorage]] = []
    model.between = lambda y: memory.append(weakref.ref(y.untyped_storage()))
    session = hookviz.watch(model, every=1, history=2)
    for seed in range(6):
        model(batch(seed))

    session.close()
    del session, model
    gc.collect()

    assert [reference() for reference in memory] == [None] * 6
