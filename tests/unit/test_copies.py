"""The memory of copies is used again as soon as nobody can see what was in it, and never before."""

from __future__ import annotations

import torch
from torch import nn

import hookviz
from hookviz.capture.copies import Copies
from hookviz.capture.run import Run
from tests.views import at


def address(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def test_the_memory_of_a_run_that_is_gone_is_used_again() -> None:
    copies, run = Copies(), Run(1, "")
    copies.begin(run)
    first, _ = copies.take(torch.arange(6.0).view(2, 3))
    memory = address(first)
    del first, run

    following = Run(2, "")
    copies.begin(following)
    second, _ = copies.take(torch.ones(2, 3))

    assert address(second) == memory
    assert torch.equal(second, torch.ones(2, 3))


def test_the_memory_of_a_run_that_is_held_stays_as_it_is() -> None:
    copies, run = Copies(), Run(1, "")
    copies.begin(run)
    first, _ = copies.take(torch.arange(6.0))

    following = Run(2, "")
    copies.begin(following)
    second, _ = copies.take(torch.ones(6))

    assert address(second) != address(first)
    assert first.tolist() == [0, 1, 2, 3, 4, 5]


def test_what_was_taken_out_of_a_run_stays_as_it_is_when_the_run_goes() -> None:
    for take in (
        lambda copy: copy,
        lambda copy: copy[1:],
        torch.Tensor.numpy,
        torch.Tensor.untyped_storage,
        lambda copy: copy.detach() * torch.ones(6, requires_grad=True),
    ):
        copies, run = Copies(), Run(1, "")
        copies.begin(run)
        copy, _ = copies.take(torch.arange(6.0))
        memory = address(copy)
        taken = take(copy)
        del copy, run

        following = Run(2, "")
        copies.begin(following)
        second, _ = copies.take(torch.ones(6))

        assert address(second) != memory
        del taken


def test_small_tensors_of_one_kind_lie_side_by_side_from_the_second_run_on() -> None:
    copies, runs, places = Copies(), [], []
    for step in (1, 2):
        runs.append(Run(step, ""))
        copies.begin(runs[-1])
        places.append([copies.take(torch.full((4,), float(number)))[1] for number in range(3)])

    assert places[0] == [None, None, None]
    assert [place.row for place in places[1] if place is not None] == [0, 1, 2]


def test_a_copy_made_in_inference_mode_can_be_written_over_outside_of_it() -> None:
    copies, run = Copies(), Run(1, "")
    with torch.inference_mode():
        copies.begin(run)
        copy, _ = copies.take(torch.ones(3))
        del copy, run

    following = Run(2, "")
    copies.begin(following)
    copy, _ = copies.take(torch.zeros(3))

    assert copy.tolist() == [0, 0, 0]


def test_a_captured_tensor_that_was_looked_at_has_memory_of_its_own() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4))
    with hookviz.watch(model, every=1) as session:
        for _ in range(3):
            model(torch.ones(2, 4))

        output = at(session, "1").output.tensor

    assert output.untyped_storage().nbytes() == 2 * 4 * 4
    assert torch.equal(output, model[:2](torch.ones(2, 4)).detach())


def test_values_of_each_run_are_its_own_while_memory_goes_round() -> None:
    model = nn.Sequential(nn.Identity(), nn.Identity(), nn.Identity())
    means = []
    with hookviz.watch(model, every=1, history=5) as session:
        for step in range(40):
            model(torch.full((2, 4), float(step)) + 0)
            means.append(at(session, "1").output.summary.mean)

    assert means == [float(step) for step in range(40)]


def test_memory_that_waits_goes_where_the_limit_is_near_and_when_the_session_is_closed() -> None:
    copies, run = Copies(), Run(1, "")
    copies.begin(run)
    copies.take(torch.ones(100))
    del run
    following = Run(2, "")

    copies.begin(following)

    assert copies.idle_bytes == 400
    copies.drop()
    assert copies.idle_bytes == 0
