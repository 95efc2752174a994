"""The history of a module crosses as numbers to draw, oldest run first."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.commands import answer
from hookviz.widget.presentation import presentation_of


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Identity(), nn.Hardtanh(-10.0, 10.0))


@pytest.fixture
def session(model: nn.Sequential) -> Iterator[Session]:
    with watch(model, every=1) as session:
        yield session


def history(session: Session, node_id: str) -> tuple[Any, Any, Any]:
    content, buffers = answer(presentation_of(session), {"id": 1, "command": "history", "node_id": node_id})
    reply = content["reply"]
    outputs, gradients = (np.frombuffer(buffer, "<f8") for buffer in buffers)
    return reply, outputs.reshape(3, reply["outputs"]), gradients.reshape(2, reply["gradients"])


def test_output_has_mean_and_deviation_and_the_gradient_its_norm(model: nn.Sequential, session: Session) -> None:
    model(torch.tensor([1.0, 3.0], requires_grad=True)).mul(torch.tensor([3.0, 4.0])).sum().backward()
    model(torch.tensor([4.0, 4.0]))

    reply, outputs, gradients = history(session, "module:1")

    assert reply == {"node_id": "module:1", "outputs": 2, "gradients": 1}
    assert outputs[:2].tolist() == [[1.0, 2.0], [2.0, 4.0]]
    assert outputs[2].tolist() == pytest.approx([2**0.5, 0.0])
    assert gradients.tolist() == [[1.0], [5.0]]


def test_value_that_is_no_number_stays_nan(model: nn.Sequential, session: Session) -> None:
    model(torch.tensor([1.0, float("nan")]))

    _, outputs, _ = history(session, "module:1")

    assert np.isnan(outputs[1]).tolist() == [True]


def test_module_without_runs_has_an_empty_history(session: Session) -> None:
    reply, _, _ = history(session, "module:0")

    assert (reply["outputs"], reply["gradients"]) == (0, 0)


def test_operation_has_no_history(session: Session) -> None:
    content, _ = answer(presentation_of(session), {"id": 1, "command": "history", "node_id": "op::add:0"})

    assert content["error"] == "Modules have a history of runs; 'op::add:0' is none."
