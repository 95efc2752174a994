"""The history of a module crosses as numbers to draw, oldest run first."""

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


def history(session: Session, node_id: str) -> tuple[dict[str, int], dict[tuple[str, int], Any]]:
    """The marks with their first steps, and the rows of each line by what it plots and the position of its mark."""
    content, buffers = answer(presentation_of(session), {"id": 1, "command": "history", "node_id": node_id})
    reply = content["reply"]
    return dict(zip(reply["marks"], reply["first_steps"], strict=True)), {
        (line["plotted"], line["mark"]): np.frombuffer(buffer, "<f8").reshape(-1, line["count"])
        for line, buffer in zip(reply["lines"], buffers, strict=True)
    }


def test_output_has_mean_and_deviation_and_the_gradient_its_norm(model: nn.Sequential, session: Session) -> None:
    model(torch.tensor([1.0, 3.0], requires_grad=True)).mul(torch.tensor([3.0, 4.0])).sum().backward()
    model(torch.tensor([4.0, 4.0]))

    marks, lines = history(session, "module:1")

    assert marks == {"": 1}
    assert set(lines) == {("output", 0), ("gradient", 0), ("zeros", 0)}
    assert lines["output", 0][:2].tolist() == [[1.0, 2.0], [2.0, 4.0]]
    assert lines["output", 0][2].tolist() == pytest.approx([2**0.5, 0.0])
    assert lines["gradient", 0].tolist() == [[1.0], [5.0]]
    assert lines["zeros", 0].tolist() == [[1.0, 2.0], [0.0, 0.0]]


def test_each_training_has_lines_of_its_own(model: nn.Sequential, session: Session) -> None:
    session.mark("lr=0.1")
    model(torch.tensor([1.0, 3.0]))
    session.mark("lr=0.01")
    model(torch.tensor([4.0, 4.0]))

    marks, lines = history(session, "module:1")

    assert marks == {"lr=0.1": 1, "lr=0.01": 2}
    assert lines["output", 0][:2].tolist() == [[1.0], [2.0]]
    assert lines["output", 1][:2].tolist() == [[2.0], [4.0]]


def test_update_ratio_is_a_line_of_modules_with_parameters() -> None:
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    with watch(layer, every=1) as session:
        layer(torch.ones(1, 1)).backward()
        torch.optim.SGD(layer.parameters(), lr=0.5).step()

        _, lines = history(session, "module:")

    assert lines["update", 0].tolist() == [[1.0], [0.5]]


def test_value_that_is_no_number_stays_nan(model: nn.Sequential, session: Session) -> None:
    model(torch.tensor([1.0, float("nan")]))

    _, lines = history(session, "module:1")

    assert np.isnan(lines["output", 0][1]).tolist() == [True]


def test_module_without_runs_has_no_lines(session: Session) -> None:
    assert history(session, "module:0") == ({"": 1}, {})


def test_operation_has_no_history(session: Session) -> None:
    content, _ = answer(presentation_of(session), {"id": 1, "command": "history", "node_id": "op::add:0"})

    assert content["error"] == "Modules have a history of runs; 'op::add:0' is none."
