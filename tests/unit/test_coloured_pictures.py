"""Pictures whose cards are coloured by a number of the last captured run."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import torch
from torch import nn

import hookviz
from hookviz.diagram.ramp import LIGHT
from hookviz.errors import OptionError
from hookviz.session import Session
from hookviz.widget.recording import record


class Half(nn.Module):
    """Zeros in half of what came in, and half of the columns."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, torch.zeros_like(x)])


@pytest.fixture
def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 4), Half(), nn.Sequential(nn.Linear(4, 100), nn.ReLU()), nn.Flatten())


def train(model: nn.Module) -> None:
    model(torch.ones(3, 2)).sum().backward()


def test_containers_have_the_sum_of_parameters_and_memory(model: nn.Sequential, session: Session) -> None:
    train(model)
    graph = session.graph(depth=0)

    parameters, memory = (session.colouring(graph, by).marks for by in ("parameters", "memory"))

    assert {node_id: mark.text for node_id, mark in parameters.items()} == {
        "module:0": "12",
        "module:1": "0",
        "module:2": "500",
        "module:3": "0",
    }
    # Two outputs of 6 by 100 numbers of 4 bytes; Flatten hands them on.
    assert (memory["module:2"].text, memory["module:3"].text) == ("4.8 kB", "0 B")


def test_containers_have_the_largest_of_what_cannot_be_added(model: nn.Sequential, session: Session) -> None:
    train(model)
    inside = session["2.0"].output.summary, session["2.1"].output.summary  # type: ignore[union-attr]  # modules

    folded = session.colouring(session.graph(depth=0), "scale").marks["module:2"]
    unfolded = session.colouring(session.graph(depth=1), "scale").marks

    largest = max(summary.norm / summary.numel**0.5 for summary in inside)
    assert float(folded.text) == pytest.approx(largest, rel=0.01)
    assert (unfolded["module:2"].text, unfolded["module:2"].place) == (folded.text, None)


def test_zeros_are_a_share_of_the_output(model: nn.Sequential, session: Session) -> None:
    train(model)

    marks = session.colouring(session.graph(depth=0), "zeros").marks

    assert (marks["module:0"].text, marks["module:1"].text) == ("0 %", "50 %")
    assert (marks["module:0"].place, marks["module:1"].place) == (0.0, 0.5)


def test_identical_siblings_in_one_card_are_added_up() -> None:
    model = nn.Sequential(*(nn.Sequential(nn.Linear(2, 2), nn.Tanh()) for _ in range(40)))
    with hookviz.watch(model) as session:
        train(model)
        graph = session.graph()
        row = next(node for node in graph.nodes if node.repeats > 1)

        mark = session.colouring(graph, "parameters").marks[row.id]

    assert mark.text == str(6 * row.repeats)


def test_before_a_run_and_in_a_traced_one_the_legend_says_why_there_are_no_times(
    model: nn.Sequential, session: Session
) -> None:
    before = session.colouring(session.graph(), "time")
    train(model)
    traced = session.colouring(session.graph(), "time")
    train(model)
    timed = session.colouring(session.graph(), "time")

    assert (before.note, before.marks) == ("run the model to see it", {})
    assert traced.note == "this run was traced, which takes time: the next captured one is timed"
    assert timed.note == ""
    assert set(timed.marks) >= {"module:0", "module:1", "module:3"}


def test_the_svg_shows_colour_number_and_legend(model: nn.Sequential, session: Session) -> None:
    train(model)

    svg = ET.fromstring(session.svg(depth=0, colour_by="parameters"))

    cards = {card.get("data-node"): card for card in svg.iter() if card.get("data-node")}
    largest = cards["module:2"]
    shape = next(part for part in largest if part.get("class") == "hv-shape")
    texts = ["".join(part.itertext()) for part in svg.iter() if part.tag.endswith("text")]
    assert shape.get("fill") == LIGHT[-1]
    assert "parameters: 500" in "".join(largest.itertext())
    assert {"parameters", "12", "500 · log scale"} <= set(texts)
    assert len({part.get("fill") for part in svg.iter() if part.get("class") == "hv-mark-box"}) == 1


def test_without_numbers_the_svg_says_why(model: nn.Sequential, session: Session) -> None:
    svg = session.svg(colour_by="gradient")

    assert "gradient norm: run the model to see it" in svg


def test_dot_and_png_have_the_colours_too(model: nn.Sequential, session: Session, tmp_path: Path) -> None:
    train(model)

    dot = session.dot(depth=0, colour_by="parameters")
    session.export(tmp_path / "model.png", depth=0, colour_by="parameters")

    assert f'fillcolor="{LIGHT[-1]}"' in dot
    assert "parameters: 500" in dot
    assert session.png(depth=0, colour_by="parameters") == (tmp_path / "model.png").read_bytes()
    assert session.png(depth=0) != session.png(depth=0, colour_by="parameters")


def test_colours_leave_the_layout_of_the_svg_as_it_is(model: nn.Sequential, session: Session) -> None:
    train(model)

    plain, coloured = (ET.fromstring(session.svg(colour_by=by)) for by in (None, "memory"))

    places = [
        [part.attrib.get(name) for part in picture.iter() if part.get("class") == "hv-shape" for name in ("x", "y")]
        for picture in (plain, coloured)
    ]
    assert places[0] == places[1]


def test_a_past_step_has_its_own_colours(model: nn.Sequential, session: Session) -> None:
    train(model)
    with torch.no_grad():
        model.get_parameter("0.weight").mul_(1000)
    train(model)

    first, second = (session.svg(colour_by="scale", step=step) for step in (1, 2))

    assert first != second
    assert session.at_step(2).svg(colour_by="scale") == second


def test_what_cannot_be_coloured_by_is_refused(session: Session) -> None:
    for draw in (session.svg, session.png, session.dot):
        with pytest.raises(OptionError, match="Nearest: 'time'"):
            draw(colour_by="times")  # type: ignore[arg-type]  # the mistake


def test_json_and_html_refuse_it_as_well(session: Session, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Nearest: 'time'"):
        session.export(tmp_path / "model.json", colour_by="times")  # type: ignore[arg-type]  # the mistake


def test_a_recording_has_all_colours_and_opens_with_the_chosen_ones(model: nn.Sequential, session: Session) -> None:
    train(model)

    recording = record(session, colour_by="memory")

    assert recording["colour_by"] == "memory"
    assert list(recording["scenes"][0]["colours"]) == [
        "", "scale", "gradient", "zeros", "time", "memory", "parameters",
    ]  # fmt: skip
    json.dumps(recording, allow_nan=False)
