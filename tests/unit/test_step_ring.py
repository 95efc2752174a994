"""Past runs stay as they are while there is room, and lose their tensors, then themselves, oldest first."""

import gc
import weakref

import pytest
import torch
from torch import nn

from hookviz.capture.capture import Capture
from hookviz.capture.run import Run
from hookviz.capture.step_ring import StepRing
from hookviz.capture.step_thinning import thinned
from hookviz.capture.store import TensorStore, quiet
from hookviz.errors import NotKeptError
from hookviz.session import watch
from tests.models import fc, row
from tests.views import at

KILOBYTE = 1024
VALUES = torch.arange(256.0)  # 1 kB


def recorded(step: int, *paths: str) -> tuple[Run, TensorStore]:
    """A run with one call for each path, each of which returned 1 kB."""
    run, store = Run(step, ""), TensorStore(2**20)
    for number, path in enumerate(paths):
        call = run.add(path, number)
        with quiet():
            call.output_captures = [store.take(VALUES, path, is_gradient=False)]
    run.settle()
    return run, store


def output_of(ring: StepRing, step: int, call: int = 0) -> Capture:
    run = ring.find(step)
    assert run is not None
    capture = run.calls[call].output_captures[0]
    assert capture is not None
    return capture


def test_runs_stay_as_they_are_while_there_is_room() -> None:
    ring = StepRing(3, keep_bytes=64 * KILOBYTE)
    runs = [recorded(step, "a") for step in (1, 2, 3)]

    for run, store in runs:
        ring.add(run, store)

    assert ring.steps == [1, 2, 3]
    assert [ring.find(step) is run for step, (run, _) in enumerate(runs, 1)] == [True, True, True]
    assert ring.kept_bytes == 3 * KILOBYTE


def test_the_oldest_run_goes_when_there_are_more_than_the_length() -> None:
    ring = StepRing(2, keep_bytes=64 * KILOBYTE)

    for step in (1, 4, 9):
        ring.add(*recorded(step, "a"))

    assert ring.steps == [4, 9]
    assert ring.find(1) is None
    assert ring.kept_bytes == 2 * KILOBYTE


def test_tensors_of_the_oldest_go_first_and_their_numbers_stay() -> None:
    ring = StepRing(10, keep_bytes=4 * KILOBYTE)  # whole steps may take 1 kB

    for step in (1, 2):
        ring.add(*recorded(step, "a"))

    assert [output_of(ring, step).is_kept for step in (1, 2)] == [False, True]
    summary = output_of(ring, 1).summary
    assert (summary.mean, summary.max) == (127.5, 255.0)
    assert summary.histogram is not None
    assert summary.histogram.sampled == 86  # every third of 256: the step has no factor in common with it
    with pytest.raises(NotKeptError, match=r"^The 256 float32 tensor was no longer kept: the oldest steps lose"):
        output_of(ring, 1).tensor  # noqa: B018  # reading is what raises


def test_tensors_of_wanted_modules_stay_longer() -> None:
    ring = StepRing(10, keep_bytes=4 * KILOBYTE)  # 2 kB with those of wanted modules
    ring.wanted = frozenset({"b"})

    for step in (1, 2, 3, 4, 5, 6):
        ring.add(*recorded(step, "a", "b"))

    assert [output_of(ring, step, call=0).is_kept for step in ring.steps] == [False] * 6
    assert [output_of(ring, step, call=1).is_kept for step in ring.steps] == [False, False, False, False, True, True]
    assert ring.kept_bytes == 2 * KILOBYTE


def test_a_step_that_is_looked_at_goes_last() -> None:
    ring = StepRing(2, keep_bytes=8 * KILOBYTE)  # 2 kB for whole steps
    ring.add(*recorded(1, "a"))
    ring.held = 1

    for step in (2, 3, 4):
        ring.add(*recorded(step, "a"))

    assert ring.steps == [1, 4]
    assert output_of(ring, 1).is_kept


def test_past_steps_make_room_for_the_newest_run() -> None:
    ring = StepRing(10, keep_bytes=64 * KILOBYTE)
    for step in (1, 2, 3):
        ring.add(*recorded(step, "a"))

    free = ring.make_room(62 * KILOBYTE)

    assert ring.kept_bytes == 2 * KILOBYTE
    assert free == 62 * KILOBYTE
    assert [output_of(ring, step).is_kept for step in ring.steps] == [False, True, True]


def test_statistics_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookviz.capture.step_ring.STATISTICS_BYTES", 25_000)  # five calls of 5,500 are too many
    ring = StepRing(10, keep_bytes=64 * KILOBYTE)

    for step in (1, 2, 3):
        ring.add(*recorded(step, "a", "b"))

    assert ring.steps == [2, 3]


def test_what_somebody_holds_of_a_past_run_stays_whole() -> None:
    run, _ = recorded(1, "a")
    mine = run.calls[0].output_captures[0]
    assert mine is not None

    copied, left_bytes = thinned(run, frozenset())

    assert left_bytes == 0
    assert run.calls[0].output_captures[0] is mine
    assert mine.tensor.tolist() == VALUES.tolist()
    assert not output_in(copied).is_kept


def output_in(run: Run) -> Capture:
    capture = run.calls[0].output_captures[0]
    assert capture is not None
    return capture


def test_a_value_that_two_calls_share_is_shared_afterwards() -> None:
    run, _ = recorded(1, "a")
    run.add("", 7).output_captures = run.calls[0].output_captures

    copied, _ = thinned(run, frozenset())

    inner, outer = (call.output_captures[0] for call in copied.calls)
    assert inner is outer
    assert copied.of_module(7) == [copied.calls[1]]


def test_a_gradient_that_comes_late_is_seen_and_counted() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1)
    first = model(row())
    model(row())
    before = session.kept_bytes

    first.sum().backward()

    late = session._capturing.past.find(1)
    assert late is not None
    assert [gradient is not None for call in late.calls for gradient in call.output_gradients()] == [True] * 3
    assert session.kept_bytes > before


def test_captured_steps_together_stay_below_the_limit() -> None:
    model = nn.Sequential(*(fc() for _ in range(8)))
    session = watch(model, every=1, keep_bytes=4 * KILOBYTE)
    seen = []

    for _ in range(40):
        model(torch.ones(16, 4)).sum().backward()
        seen.append(session.kept_bytes)

    assert max(seen) <= 4 * KILOBYTE
    assert at(session, "0").output.is_kept
    assert len(session._capturing.past.steps) == 39


def test_a_run_that_is_forgotten_is_freed_at_once() -> None:
    ring = StepRing(1, keep_bytes=64 * KILOBYTE)
    run, store = recorded(1, "a")
    gone = weakref.ref(run)
    ring.add(run, store)
    del run, store
    gc.disable()

    try:
        ring.add(*recorded(2, "a"))

        assert gone() is None
    finally:
        gc.enable()


def test_a_run_that_nobody_holds_is_thinned_in_place() -> None:
    ring = StepRing(10, keep_bytes=4 * KILOBYTE)  # 1 kB for whole steps
    run, store = recorded(1, "a")
    call = id(run.calls[0])
    ring.add(run, store)
    del run, store

    ring.add(*recorded(2, "a"))

    thin = ring.find(1)
    assert thin is not None
    assert id(thin.calls[0]) == call
    assert not output_in(thin).is_kept


def test_a_run_or_a_call_that_somebody_holds_keeps_its_tensors() -> None:
    ring = StepRing(10, keep_bytes=4 * KILOBYTE)
    held, store = recorded(1, "a")
    ring.add(held, store)
    other, store = recorded(2, "a")
    call = other.calls[0]
    ring.add(other, store)
    del other

    ring.add(*recorded(3, "a"))

    assert output_in(held).is_kept
    assert [None if each is None else each.is_kept for each in call.output_captures] == [True]
    assert [output_of(ring, step).is_kept for step in ring.steps] == [False, False, True]


def test_memory_of_a_thinned_run_is_used_again() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1, keep_bytes=2 * KILOBYTE)

    for _ in range(60):
        model(row()).sum().backward()

    assert len(session._capturing.past.steps) == 59
    assert len(session._capturing._copies._taken) < 20


def test_of_tensors_that_were_not_kept_past_steps_have_few_elements() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1, keep_bytes=1)
    for _ in range(3):
        model(torch.ones(4_096, 4)).sum().backward()

    newest, past = session.run, session._capturing.past.find(2)
    assert newest is not None
    assert past is not None
    assert samples(newest) == {3277}  # every fifth of 16,384
    assert samples(past) == {127}  # every 26th of these
    assert at(session, "0").output.summary.zeros is not None


def samples(run: Run) -> set[int]:
    """How many elements there are of each output."""
    found = [capture.moments.sample for call in run.calls for capture in call.output_captures if capture is not None]
    return {len(sample) for sample in found if sample is not None}
