"""What is not finite in a run is looked for once, and anew when the run knows more."""

import gc
import weakref

import torch
from torch import nn

from hookviz.session import watch


def test_what_is_not_finite_is_looked_for_once_in_a_run() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    with watch(model, every=1) as session:
        model(torch.full((1, 2), torch.nan))

        first, second = session.troubles, session.troubles

        assert first is second
        assert first is not None
        assert first.first is not None
        assert first.first.call.path == "0"


def test_before_the_first_run_nothing_is_known() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with watch(model) as session:
        assert session.troubles is None


def test_gradients_that_arrive_are_looked_at() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    with watch(model, every=1) as session:
        output = model(torch.ones(1, 2))
        before = session.troubles

        (output.sum() * torch.nan).backward()

        after = session.troubles
        assert before is not None
        assert before.first is None
        assert after is not None
        assert after.first is not None
        assert after.first.is_gradient


def test_another_run_is_looked_at() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with watch(model, every=1) as session:
        model(torch.full((1, 2), torch.nan))
        before = session.troubles

        model(torch.ones(1, 2))

        assert before is not None
        assert before.first is not None
        assert session.troubles is not None
        assert session.troubles.first is None


def test_what_is_said_of_a_run_does_not_keep_its_tensors() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model, every=1)
    model(torch.ones(1, 2))
    troubles, run = session.troubles, weakref.ref(session.run or object)
    session.close()

    del session, model
    gc.collect()

    assert troubles is not None
    assert run() is None
