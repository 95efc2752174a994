"""What a page without a kernel is given: the answers that a session would give, in few bytes."""

import base64
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.errors import HookvizError
from hookviz.session import Session, watch
from hookviz.widget import recording as recording_file
from hookviz.widget.drawing import draw
from hookviz.widget.folding import Folding
from hookviz.widget.inspection import inspect
from hookviz.widget.recorded_picture import recorded_picture
from hookviz.widget.recording import record
from tests.models import fc, row, wired


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(fc(), nn.Sequential(nn.ReLU(), nn.Sequential(fc())))


@pytest.fixture
def session(model: nn.Sequential) -> Iterator[Session]:
    with watch(model, every=1) as session:
        model(row()).sum().backward()
        yield session


def numbers(picture: Any) -> list[float]:
    halves = np.frombuffer(base64.b64decode(picture["values"]), "<f2").astype(float)
    shown: list[float] = (halves * picture["scale"]).tolist()
    return shown


def test_there_is_a_layout_for_each_level_and_the_one_asked_for_opens(session: Session) -> None:
    found = record(session, depth=1)

    assert [scene["expanded"] for scene in found["scenes"]] == [[], ["1"], ["1", "1.1"]]
    assert [scene["graph"]["depth"] for scene in found["scenes"]] == [0, 1, 2]
    assert found["opening"] == 1


def test_a_layout_between_two_levels_opens_as_it_is_seen(session: Session) -> None:
    seen = draw(session, Folding(expanded=frozenset(["1"])))

    found = record(session, opening=seen, selected="module:1")

    assert found["scenes"][found["opening"]]["svg"] == seen.svg
    assert found["selected"] == "module:1"
    assert len(found["scenes"]) == 3


def test_layouts_too_large_to_read_are_left_out(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_file, "MOST_NODES", 4)

    found = record(session, depth=0)

    # One more level is five nodes: input, layer, activation, container and output.
    assert [len(scene["graph"]["nodes"]) for scene in found["scenes"]] == [4]
    # So that nobody is offered another one.
    assert found["scenes"][0]["graph"]["max_depth"] == 0


def test_every_node_of_every_layout_can_be_looked_into(session: Session) -> None:
    found = record(session)

    drawn = {item["id"] for scene in found["scenes"] for item in (*scene["graph"]["nodes"], *scene["graph"]["groups"])}
    assert set(found["nodes"]) == drawn
    assert {"module:0", "module:1", "module:1.1.0"} < drawn


@pytest.mark.parametrize("tab", ["output", "grad_output", "input"])
def test_a_node_has_the_statistics_that_the_session_shows(session: Session, tab: Any) -> None:
    shown = inspect(session, session.full_graph(), "module:1.1.0", 0, tab)

    node = record(session)["nodes"]["module:1.1.0"]

    call = node["calls"][0]
    assert [entry["summary"] for entry in call["entries"][tab]] == [entry["summary"] for entry in shown["entries"]]
    assert (node["tabs"], call["notes"]) == (shown["tabs"], shown["notes"])


def test_parameters_are_recorded_once_whatever_the_calls(session: Session, model: nn.Sequential) -> None:
    node = record(session)["nodes"]["module:0"]

    assert [entry["label"] for entry in node["parameters"]] == ["weight", "weight.grad", "bias", "bias.grad"]
    assert node["parameters"][0]["picture"] is not None
    weight = model.get_parameter("0.weight").flatten().tolist()
    assert numbers(node["parameters"][0]["picture"]) == pytest.approx(weight, rel=1e-3, abs=1e-4)


def test_of_many_calls_the_last_are_recorded_and_it_is_said() -> None:
    model = wired(lambda self, x: [self.layer(x + i) for i in range(6)][-1], layer=nn.ReLU())
    session = watch(model, every=1)
    model(torch.zeros(1))

    node = record(session)["nodes"]["module:layer"]

    assert (node["calls_seen"], len(node["calls"])) == (6, 4)
    assert [numbers(call["entries"]["output"][0]["picture"]) for call in node["calls"]] == [[2.0], [3.0], [4.0], [5.0]]
    assert "the recording has the last 4 of 6 calls" in node["calls"][0]["notes"]


def test_a_module_that_was_not_called_says_so() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    node = record(session)["nodes"]["module:0"]

    assert (node["calls_seen"], len(node["calls"])) == (0, 1)
    assert node["calls"][0]["notes"] == ["no run was captured yet: run the model"]
    assert [entry["kept"] for entry in node["parameters"]] == [True, False, True, False]


def test_pictures_beyond_the_limit_are_left_out_with_the_reason(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Room for one picture of four numbers: eight bytes are twelve letters.
    monkeypatch.setattr(recording_file, "PICTURE_BYTES", 12)

    nodes = record(session)["nodes"]

    entries = [
        entry for node in nodes.values() for call in node["calls"] for entry in call["entries"].get("output", [])
    ]
    assert sum(entry["picture"] is not None for entry in entries) == 1
    left_out = [entry for entry in entries if entry["picture"] is None]
    assert {(entry["kept"], entry["note"]) for entry in left_out} == {(False, recording_file.TOO_MUCH)}
    assert all(entry["summary"] is not None for entry in left_out)


def test_hooks_can_be_read_but_not_switched_or_removed(session: Session, model: nn.Sequential) -> None:
    session.hook("0", "forward", lambda _module, _args, output: output + 1)
    model(row())

    found = record(session)

    assert [(hook["protected"], hook["removable"]) for hook in found["hooks"]] == [
        ("this is a recording, without the model", False)
    ]
    effects = found["nodes"]["module:0"]["calls"][0]["hooks"]
    assert [effect["outcome"] for effect in effects["effects"]] == ["changed"]
    # No form for what nothing could answer.
    assert effects["targets"] == []
    assert found["status"]["state"] == "recorded"


def test_a_picture_is_at_most_64_by_64() -> None:
    picture = recorded_picture(torch.arange(3 * 100 * 200.0).reshape(3, 100, 200))

    assert (picture["rows"], picture["columns"]) == (50, 50)
    assert (picture["row_step"], picture["column_step"], picture["shape"]) == (2, 4, [3, 100, 200])
    assert numbers(picture)[:3] == pytest.approx([0.0, 4.0, 8.0], abs=0.02)
    assert picture["is_rounded"]


def test_a_grid_is_recorded_as_the_first_12_tiles_of_at_most_12_by_12() -> None:
    picture = recorded_picture(torch.rand(2, 100, 56, 56), ["sample", "channel", "y", "x"])

    assert (picture["form"], picture["tile_axis"], picture["tiles"]) == ("grid", 1, 12)
    assert (picture["rows"], picture["columns"], picture["row_step"]) == (12, 12, 5)
    assert picture["axis_names"] == ["sample", "channel", "y", "x"]
    assert len(numbers(picture)) == 12 * 12 * 12


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_a_picture_keeps_three_digits_at_any_scale(size: float) -> None:
    picture = recorded_picture(torch.tensor([1.0, -2.5, 0.125]).double() * size)

    assert numbers(picture) == pytest.approx([size, -2.5 * size, 0.125 * size], rel=1e-3)


def test_a_picture_keeps_nan_and_infinity() -> None:
    picture = recorded_picture(torch.tensor([torch.nan, torch.inf, -torch.inf, 3.0]))

    assert str(numbers(picture)) == "[nan, inf, -inf, 3.0]"


def test_a_tensor_without_a_slice_has_no_picture() -> None:
    with pytest.raises(HookvizError, match="no elements"):
        recorded_picture(torch.empty(0, 3))
