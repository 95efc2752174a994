"""Looking for what is wrong takes a small share of the time, whatever the runs take."""

import pytest
import torch
from torch import nn

from hookviz.capture.history import History
from hookviz.capture.run import Run
from hookviz.health.checkup import CREDIT_SECONDS, SHARE, Checkup
from hookviz.hooks.paths import ModuleIndex
from hookviz.session import watch
from tests.large import Large, batch, is_lent, recorded

F8 = torch.zeros(2, 2).to(torch.float8_e4m3fn)


@pytest.fixture(autouse=True)
def a_busy_machine_changes_nothing() -> None:
    """Here the limit is the matter, and the time passes only when told."""


class Clock:
    """A clock that goes on by ``step`` each time that it is read."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class CountedIndex(ModuleIndex):
    """Counts how often the parameters were read."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        self.reads = 0

    def modules(self):  # type: ignore[no-untyped-def]  # as that which it counts
        self.reads += 1
        return super().modules()


def look(checkup: Checkup, index: ModuleIndex, step: int) -> None:
    """One captured run of nothing."""
    checkup.begin(index)
    checkup.end(Run(step, ""), index)


def test_a_short_training_is_looked_at_in_each_captured_run() -> None:
    model = nn.Linear(2, 2)
    index, checkup = CountedIndex(model), Checkup(History(10), clock=Clock(CREDIT_SECONDS / 1_000))

    for step in range(20):
        look(checkup, index, step)

    assert index.reads == 20


def test_over_a_long_time_looking_takes_no_more_than_its_share() -> None:
    model = nn.Linear(2, 2)
    clock = Clock(0.001)
    index, checkup = CountedIndex(model), Checkup(History(10), clock=clock)
    look(checkup, index, 0)
    cost = 0.002

    for step in range(1, 5_000):
        look(checkup, index, step)

    assert index.reads * cost < CREDIT_SECONDS + 2 * SHARE * clock.now


def test_a_new_training_is_looked_at_from_its_beginning() -> None:
    model = nn.Linear(2, 2)
    index, checkup = CountedIndex(model), Checkup(History(10), clock=Clock(CREDIT_SECONDS))
    look(checkup, index, 0)
    look(checkup, index, 1)
    assert index.reads == 1

    checkup.begin_training()
    look(checkup, index, 2)

    assert index.reads == 2


def test_without_gradients_parameters_are_not_read() -> None:
    model = nn.Linear(2, 2)
    index, checkup = CountedIndex(model), Checkup(History(10))

    with torch.no_grad():
        look(checkup, index, 0)

    assert index.reads == 0


@pytest.mark.parametrize("value", [torch.zeros(0), torch.tensor([1, 0]), torch.zeros(2, 2).to_sparse(), F8])
def test_values_of_all_kinds_are_looked_at(value: torch.Tensor) -> None:
    model = nn.Sequential(nn.ReLU() if value.dtype is torch.float32 and not value.is_sparse else nn.Identity())
    session = watch(model, every=1)

    model(value)

    assert session.health() == []
    assert session.problem == ""


def test_looking_copies_nothing() -> None:
    model, kept = rectifier()
    session = watch(model, every=1)
    for seed in range(2):
        model(batch(seed))
    capture = recorded(session, "first")
    assert is_lent(capture)

    steps, shares = session.history("first", "output", "zeros")

    assert is_lent(capture)
    assert steps.tolist() == [1, 2]
    assert shares[1] == (kept[1] == 0).double().mean().item()


def test_what_was_written_into_since_is_not_looked_at() -> None:
    model, kept = rectifier()
    session = watch(model, every=1)
    for seed in range(2):
        model(batch(seed))
    expected = (kept[1] == 0).double().mean().item()

    kept[1].data.zero_()
    _, shares = session.history("first", "output", "zeros")

    assert abs(shares[1] - expected) < 0.25
    assert not recorded(session, "first").is_kept


def rectifier() -> tuple[nn.Module, list[torch.Tensor]]:
    """A model that begins with a ReLU whose large output is recorded without a copy, and what that one returned."""
    model = Large(nn.Sequential(nn.Linear(8, 32), nn.ReLU()))
    kept: list[torch.Tensor] = []
    model.between = kept.append
    return model, kept
