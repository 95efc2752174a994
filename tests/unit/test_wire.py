"""What Python sends has the fields that the browser's tests read: both look at ``tests/wire``."""

import json
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from torch import nn

from hookviz.capture.histogram import Histogram
from hookviz.capture.summary import TensorSummary
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.session import watch
from hookviz.widget import (
    colour_wire,
    compare_wire,
    cost_lines,
    find_wire,
    graph_wire,
    health_wire,
    history_wire,
    hook_wire,
    picture_wire,
    recording_wire,
    step_wire,
    wire,
)
from hookviz.widget.commands import COMMANDS, answer
from hookviz.widget.encoding import graph_to_wire, number_to_wire, summary_to_wire
from hookviz.widget.presentation import presentation_of

EXAMPLES = Path(__file__).parents[1] / "wire"


def example(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("graph", graph_wire.GraphWire),
        ("status", wire.StatusWire),
        ("inspection", wire.InspectionWire),
        ("picture", picture_wire.PictureWire),
        ("export", wire.ExportWire),
        ("effects", hook_wire.HooksTabWire),
        ("recording", recording_wire.RecordingWire),
        ("colours", colour_wire.ColoursWire),
        ("find", find_wire.FindWire),
        ("history", history_wire.HistoryWire),
        ("health", health_wire.HealthWire),
        ("playback", step_wire.PlaybackWire),
        ("compare", compare_wire.CompareWire),
    ],
)
def test_example_has_exactly_the_fields_of_its_type(name: str, kind: type) -> None:
    assert set(example(name)) == set(get_type_hints(kind))


def test_examples_of_lists_have_exactly_the_fields_of_their_types() -> None:
    graph, inspection, recording = example("graph"), example("inspection"), example("recording")
    recorded_calls = [call for node in recording["nodes"].values() for call in node["calls"]]
    recorded = [entry for call in recorded_calls for entries in call["entries"].values() for entry in entries]

    for items, kind in (
        (graph["nodes"], graph_wire.NodeWire),
        (graph["groups"], graph_wire.GroupWire),
        (graph["edges"], graph_wire.EdgeWire),
        (list(example("node_data").values()), graph_wire.NodeDataWire),
        (list(example("colours")["marks"].values()), colour_wire.MarkWire),
        (example("colours")["choices"], colour_wire.ColourChoiceWire),
        (inspection["costs"], cost_lines.CostLineWire),
        (example("switches"), wire.SwitchWire),
        (inspection["entries"], wire.EntryWire),
        (example("hooks"), hook_wire.HookWire),
        ([pill for node in graph["nodes"] for pill in node["pills"]], hook_wire.PillWire),
        (example("effects")["effects"], hook_wire.EffectWire),
        ([entry for effect in example("effects")["effects"] for entry in effect["entries"]], hook_wire.EffectEntryWire),
        (example("find")["hits"], find_wire.HitWire),
        (example("health")["findings"], health_wire.FindingWire),
        ([example("compare")["a"], example("compare")["b"], example("playback")["pinned"]], compare_wire.PlaceWire),
        ([example("compare")["difference"]], compare_wire.DifferenceWire),
        (recording["scenes"], recording_wire.RecordedSceneWire),
        (list(recording["nodes"].values()), recording_wire.RecordedNodeWire),
        (recorded_calls, recording_wire.RecordedCallWire),
        (recorded, recording_wire.RecordedEntryWire),
        ([entry["picture"] for entry in recorded if entry["kept"]], recording_wire.RecordedPictureWire),
    ):
        assert {frozenset(item) for item in items} == {frozenset(get_type_hints(kind))}


def test_there_is_an_example_of_every_command_and_a_way_to_answer_it() -> None:
    named = {get_args(get_type_hints(kind)["command"])[0] for kind in get_args(wire.Command)}

    assert named == set(example("commands")) == set(COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_example_of_a_command_is_well_formed(name: str) -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model)
    message = example("commands")[name]

    content, _ = answer(presentation_of(session), message)

    # The example is about another model: it is understood, and the answer tells what this one lacks.
    assert content["id"] == message["id"]
    assert "needs" not in content.get("error", "")
    assert "failed at" not in content.get("error", "")
    session.close()


def test_graph_crosses_with_the_fields_of_the_example() -> None:
    graph = Graph(
        "Net",
        (Node("module:a.b", "module", "a.b", "b", group="module:a"), Node("output", "output", "", "output")),
        (Group("module:a", "a", "a", "Sequential", None),),
        (
            Edge("module:a.b->output", "module:a.b", "output", (8, 10)),
            Edge("x->y", "x", "y", None, "order"),
        ),
        True,
    )

    sent = graph_to_wire(graph, 3)

    expected = example("graph")
    assert set(sent) == set(expected)
    assert set(sent["nodes"][0]) == set(expected["nodes"][0])
    assert set(sent["groups"][0]) == set(expected["groups"][0])
    assert sent["edges"] == [{"id": "module:a.b->output", "source": "module:a.b", "target": "output", "shape": "8×10"}]
    assert (sent["depth"], sent["max_depth"]) == (1, 3)


def test_summary_crosses_as_json() -> None:
    summary = TensorSummary(
        (2, 3), "float32", "cpu", 6, mean=float("nan"), std=None, min=float("-inf"), max=2.0, norm=float("inf"),
        zeros=4, nans=1, infs=2, histogram=Histogram(0.0, 2.0, (4, 1), 5, 6), note="", zeros_sampled=True,
    )  # fmt: skip

    sent = summary_to_wire(summary)

    assert json.loads(json.dumps(sent, allow_nan=False)) == {
        "shape": [2, 3],
        "dtype": "float32",
        "device": "cpu",
        "mean": "nan",
        "std": None,
        "min": "-inf",
        "max": 2.0,
        "norm": "inf",
        "zeros": 4,
        "nans": 1,
        "infs": 2,
        "numel": 6,
        "histogram": {"low": 0.0, "high": 2.0, "counts": [4, 1], "sampled": 5, "of": 6},
        "note": "zeros are estimated from a sample",
    }


def test_finite_numbers_stay_numbers() -> None:
    assert [number_to_wire(value) for value in (None, 0.0, -1.5)] == [None, 0.0, -1.5]


def test_whole_scene_is_json() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model)

    scene = presentation_of(session).scene

    text = json.dumps(
        [scene.graph, scene.node_data, scene.status, scene.switches, scene.hooks, scene.hook_states], allow_nan=False
    )
    assert '"Sequential"' in text
    session.close()
