"""The browser pins a value and sees others beside it with their difference."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.commands import answer
from hookviz.widget.presentation import Presentation, presentation_of
from tests.models import fc, row


class Asker:
    """Sends commands as the browser does."""

    def __init__(self, presentation: Presentation) -> None:
        self.presentation = presentation

    def __call__(self, command: str, node_id: str, **fields: Any) -> tuple[dict[str, Any], list[bytes]]:
        place = {"node_id": node_id, "call": 0, "tab": "output", "entry": 0}
        content, buffers = answer(self.presentation, {"id": 1, "command": command, **place, **fields})
        return content.get("reply", {"error": content.get("error")}), buffers


@pytest.fixture
def model() -> nn.Module:
    return nn.Sequential(nn.LeakyReLU(0.5), nn.ReLU())


@pytest.fixture
def session(model: nn.Module) -> Session:
    return watch(model, every=1)


@pytest.fixture
def ask(session: Session) -> Asker:
    return Asker(presentation_of(session))


def numbers(buffer: bytes, kind: str = "<f4") -> list[float]:
    found: list[float] = np.frombuffer(buffer, kind).tolist()
    return found


@pytest.mark.parametrize(
    ("other", "names"), [("module:1", ["sample", "feature"]), ("module:2", ["", ""])], ids=["same", "another"]
)
def test_axes_have_names_where_those_of_both_values_are_the_same(other: str, names: list[str]) -> None:
    model = nn.Sequential(fc(), fc(), nn.Tanh())
    ask = Asker(presentation_of(watch(model, every=1)))
    model(row())
    ask("pin", "module:0")

    reply, _ = ask("compare", other)

    assert [picture["axis_names"] for picture in reply["pictures"]] == [names] * 3


def test_two_nodes_are_seen_side_by_side(model: nn.Module, ask: Asker) -> None:
    model(torch.tensor([[-2.0, 4.0]]))
    ask("pin", "module:0")

    reply, buffers = ask("compare", "module:1")

    assert (reply["a"]["words"], reply["b"]["words"]) == ("0 · output · step 1", "1 · output · step 1")
    assert (reply["a_summary"]["mean"], reply["b_summary"]["mean"], reply["deltas"]["mean"]) == (1.5, 2.0, -0.5)
    assert reply["difference"] == {
        "numel": 2, "differing": 1, "not_finite": 0, "largest": 1.0, "index": [0, 0], "at_a": "-1", "at_b": "0",
        "mean": 0.5, "norm": 1.0, "relative": pytest.approx(1 / 17**0.5), "cosine": pytest.approx(4 / 17**0.5),
    }  # fmt: skip
    assert [(picture["rows"], picture["columns"]) for picture in reply["pictures"]] == [(1, 2)] * 3
    assert [numbers(buffers[0]), numbers(buffers[1]), numbers(buffers[2], "<f8")] == [[-1, 4], [0, 4], [-1, 0]]


def test_what_is_pinned_stays_as_it_was_while_the_model_runs_on(model: nn.Module, ask: Asker) -> None:
    model(row())
    ask("pin", "module:0")
    model(3 * row())

    reply, _ = ask("compare", "module:0")

    assert (reply["a"]["words"], reply["b"]["words"]) == ("0 · output · step 1", "0 · output · step 2")
    assert reply["deltas"]["mean"] == -2.0
    assert (reply["a"]["python"], reply["b"]["python"]) == ('session.at_step(1)["0"].output', 'session["0"].output')
    assert ask.presentation.scene.playback["pinned"] == reply["a"]


def test_a_step_is_compared_with_another_that_is_held(model: nn.Module, ask: Asker) -> None:
    for factor in (1, 2, 3):
        model(factor * row())
    ask("pin", "module:0")
    ask.presentation.hold(1)

    reply, _ = ask("compare", "module:0")

    assert (reply["a"]["step"], reply["b"]["step"], reply["deltas"]["mean"]) == (3, 1, 2.0)


def test_a_pinned_parameter_is_a_copy(session: Session) -> None:
    model = nn.Linear(2, 2)
    session = watch(model, every=1)
    ask = Asker(presentation_of(session))
    model(torch.ones(1, 2))
    ask("pin", "module:", tab="parameters")
    with torch.no_grad():
        model.weight += 1.0

    reply, _ = ask("compare", "module:", tab="parameters")

    assert reply["difference"]["largest"] == pytest.approx(1.0)
    assert reply["a"]["words"] == "Linear · weight · as after step 1"


def test_swapping_pins_what_was_shown_and_goes_to_what_was_pinned(model: nn.Module, ask: Asker) -> None:
    model(row())
    ask("pin", "module:0")
    model(2 * row())

    reply, _ = ask("swap", "module:1")

    assert (reply["node_id"], reply["step"]) == ("module:0", 1)
    pinned = ask.presentation.scene.playback["pinned"]
    assert pinned is not None
    assert pinned["words"] == "1 · output · step 2"
    assert ask.presentation.scene.playback["held"] == 1


def test_ending_unpins(model: nn.Module, ask: Asker) -> None:
    model(row())
    ask("pin", "module:0")

    ask("pin", "")

    assert ask.presentation.scene.playback["pinned"] is None
    assert ask("compare", "module:0")[0]["error"] == (
        "Nothing is pinned to compare with. Choose a value, then “Compare with…”."
    )


def test_what_cannot_be_compared_says_why(model: nn.Module, ask: Asker) -> None:
    model(row())
    ask("pin", "module:0")
    model(torch.ones(3, 4))

    reply, buffers = ask("compare", "module:0")

    assert (reply["difference"], reply["pictures"], buffers) == (None, [], [])
    assert reply["why"] == "the shapes differ, 1×4 and 3×4"
    assert ask("pin", "module:0", tab="input")[0]["error"].startswith(
        "There is nothing to compare at 0 · input[0][0] · step 2: inputs are not captured"
    )


def test_slices_of_large_tensors_are_the_same_of_both(session: Session) -> None:
    model = nn.ReLU()
    session = watch(model, every=1)
    ask = Asker(presentation_of(session))
    x = torch.zeros(2, 3, 300)
    model(x)
    ask("pin", "module:")
    x[1, 2, 297] = 5.0
    model(x)

    reply, buffers = ask("compare", "module:", index=[1, 0, 0])

    of_a, of_b, apart = reply["pictures"]
    assert of_a["index"] == of_b["index"] == apart["index"] == [1, 0, 0]
    assert (apart["rows"], apart["columns"], apart["column_step"]) == (3, 100, 3)
    assert numbers(buffers[2], "<f8")[2 * 100 + 99] == -5.0
    assert reply["difference"]["index"] == [1, 2, 297]
