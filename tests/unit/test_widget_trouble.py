"""The status line says what is wrong, since which step, and where it can be seen."""

import math

import pytest
import torch
from torch import nn

from hookviz.graph.node_data import NodeData
from hookviz.session import Session, watch
from hookviz.widget.status import status_of
from tests.models import wired
from tests.spoiler import Spoiler, spoil


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 2), nn.Sequential(Spoiler(), nn.Identity()))


class Fails(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError("no more\nand a second line")


class Interrupted(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise KeyboardInterrupt


def test_nan_is_told_with_the_step_in_which_it_first_came(model: nn.Sequential, session: Session) -> None:
    for value in (1.0, math.nan, 1.0, math.nan, math.nan):
        spoil(model, value)
        model(torch.ones(1, 2))

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {"node_id": "module:1.0", "path": "1.0", "text": "NaN made in 1.0, step 4", "is_fault": True}


def test_an_infinity_before_it_is_no_nan() -> None:
    model = nn.Sequential(Spoiler())
    with watch(model, every=1) as session:
        for value in (1.0, math.inf, math.nan, math.nan):
            spoil(model, value)
            model(torch.ones(1, 2))

        trouble = status_of(session, session.graph())["trouble"]

    assert trouble is not None
    assert trouble["text"] == "NaN made in 0, step 3"


def test_infinity_is_told_as_such(model: nn.Sequential, session: Session) -> None:
    spoil(model, math.inf)
    model(torch.ones(1, 2))

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble is not None
    assert trouble["text"] in ("Inf made in 1.0, step 1", "NaN made in 1.0, step 1")


def test_operation_that_made_a_nan_is_what_the_trouble_leads_to() -> None:
    model = wired(lambda m, x: m.b(m.a(x) * math.nan), a=nn.Linear(2, 2), b=nn.Linear(2, 2))
    with watch(model, every=1) as session:
        model(torch.ones(1, 2))

        trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {
        "node_id": "op::mul:0",
        "path": "b",
        "text": "NaN made by mul before b, step 1",
        "is_fault": True,
    }


def test_gradient_that_is_not_finite_is_a_trouble_if_all_values_are(model: nn.Sequential, session: Session) -> None:
    (model(torch.ones(1, 2)) * math.nan).sum().backward()

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble is not None
    assert trouble["text"] == "NaN gradient came in at the model's output: its loss made it, step 1"


def test_a_hook_that_raised_is_named() -> None:
    def clip(*_: object) -> None:
        raise ValueError("no")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    model[0].register_forward_hook(clip)
    with watch(model) as session:
        with pytest.raises(ValueError, match="no"):
            model(torch.ones(1))

        trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {
        "node_id": "module:0",
        "path": "0",
        "text": "hook clip on 0 raised ValueError: no",
        "is_fault": True,
    }


def test_a_hook_that_raised_in_a_run_that_was_not_captured_is_named() -> None:
    def clip(*_: object) -> None:
        raise ValueError("no")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    with watch(model, every=100) as session:
        model(torch.ones(1))
        model[0].register_forward_hook(clip)
        with pytest.raises(ValueError, match="no"):
            model(torch.ones(1))

        graph = session.graph()
        trouble = status_of(session, graph)["trouble"]
        data = session.node_data(graph)

    assert trouble == {
        "node_id": "module:0",
        "path": "0",
        "text": "hook clip on 0 raised ValueError: no",
        "is_fault": True,
    }
    assert (data["module:0"].state, data["module:0"].trouble) == ("failed", "hook clip raised ValueError: no")


def test_forward_that_raised_is_told_where_it_can_be_seen() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(Fails()))
    with watch(model, every=1) as session:
        with pytest.raises(ValueError, match="no more"):
            model(torch.ones(1, 2))

        trouble = status_of(session, session.graph(expanded=[]))["trouble"]

    assert trouble is not None
    assert trouble["node_id"] == "module:1"
    assert trouble["path"] == "1.0"
    assert trouble["text"].startswith("raised in 1.0: ")
    assert "no more" in trouble["text"]
    assert "second line" not in trouble["text"]


def test_raise_in_a_run_that_was_not_captured_is_told_with_its_step() -> None:
    inner = nn.Sequential(nn.Linear(2, 2))
    model = nn.Sequential(nn.Linear(2, 2), inner)
    with watch(model, every=100) as session:
        model(torch.ones(1, 2))
        inner.append(Fails())
        with pytest.raises(ValueError, match="no more"):
            model(torch.ones(1, 2))

        graph = session.graph(expanded=[])
        trouble = status_of(session, graph)["trouble"]
        data = session.node_data(graph)

    assert trouble == {
        "node_id": "module:1", "path": "1.1",
        "text": "raised in 1.1: ValueError: no more, step 2 (not captured)", "is_fault": True,
    }  # fmt: skip
    assert data["module:1"].state == "failed"
    assert data["module:1"].trouble == "raised in 1.1: ValueError: no more"
    assert data["module:0"].state == "captured"


def test_an_interrupt_is_no_fault() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(Interrupted()))
    with watch(model, every=1) as session:
        with pytest.raises(KeyboardInterrupt):
            model(torch.ones(1, 2))

        trouble = status_of(session, session.graph())["trouble"]
        data = session.node_data(session.graph())

    assert trouble == {"node_id": "module:1.0", "path": "1.0", "text": "interrupted in 1.0", "is_fault": False}
    assert data["module:1.0"] == NodeData(note="interrupted here")
    assert data["module:1"] == NodeData(note="interrupted in 1.0")


def test_the_next_captured_run_replaces_a_raise_that_was_not_captured() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with watch(model, every=2) as session:
        model(torch.ones(1, 2))
        with pytest.raises(RuntimeError, match="shapes"):
            model(torch.ones(1, 3))
        model(torch.ones(1, 2))

        assert session.failure is None
        assert status_of(session, session.graph())["trouble"] is None
