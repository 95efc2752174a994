"""What looks wrong stands in pictures that are written to files, as it does in the live one."""

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import torch
from torch import nn

import hookviz
from hookviz.diagram.badged_svg import badged_svg
from hookviz.diagram.style import PALETTE
from hookviz.errors import OptionError
from hookviz.graph.badges import Badge, Badges, Way
from hookviz.health.badges import badges_of
from hookviz.health.finding import Finding
from hookviz.magic.static import static_bundle
from hookviz.session import Session
from hookviz.widget.presentation import presentation_of

SVG = "{http://www.w3.org/2000/svg}"


class Log(nn.Module):
    """NaN of what is below zero."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.log()


def after_a_step(model: nn.Sequential) -> Session:
    """A session of a model after one step, in which a NaN came up where there is a Log."""
    session = hookviz.watch(model, every=1)
    model(torch.linspace(-1, 1, 32).view(8, 4)).sum().backward()
    return session


def badges_in(svg: str) -> dict[str, str]:
    """The sign on each card that has a badge, by node id."""
    cards = ET.fromstring(svg).iterfind(f".//{SVG}g[@data-node]")
    signs = {card.get("data-node", ""): card.findtext(f"{SVG}g[@class='hv-badge']/{SVG}text") for card in cards}
    return {node_id: sign for node_id, sign in signs.items() if sign is not None}


def red_edges_in(svg: str) -> list[tuple[str | None, str | None]]:
    edges = ET.fromstring(svg).iterfind(f".//{SVG}g[@class='hv-edge']")
    return [
        (edge.get("data-source"), edge.get("data-target"))
        for edge in edges
        if (line := edge.find(f"{SVG}path")) is not None and line.get("stroke") == PALETTE.trouble
    ]


def test_a_picture_has_a_badge_where_something_looks_wrong_and_the_way_of_the_nan() -> None:
    model = nn.Sequential(nn.Linear(4, 4), Log(), nn.Linear(4, 2))

    with after_a_step(model) as session:
        svg = session.svg()

        assert badges_in(svg)["module:1"] == "!"
        assert red_edges_in(svg) == [("module:1", "module:2"), ("module:2", "output")]
        assert "NaN: " in (ET.fromstring(svg).findtext(f".//{SVG}g[@class='hv-badge']/{SVG}title") or "")


def test_a_picture_of_a_sound_model_has_none() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))

    with after_a_step(model) as session:
        svg = session.svg()

        assert badges_in(svg) == {}
        assert red_edges_in(svg) == []


def test_a_finding_stands_on_the_container_that_its_module_is_folded_into() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), Log()), nn.Linear(4, 2))

    with after_a_step(model) as session:
        folded, unfolded = badges_in(session.svg(depth=0)), badges_in(session.svg(depth=1))

        assert "module:1" in folded
        assert "module:1.1" in unfolded


def test_a_finding_stands_on_the_row_that_its_module_is_folded_into() -> None:
    model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(70)))
    dead = Finding("30.weight", "dead units", step=1, sentence="4 of 4 units are 0.", numbers={}, module="30")

    with after_a_step(model) as session:
        (card,) = session.graph().nodes[1:-1]
        badges = badges_of([dead, dead], session.run, session.graph())

    assert "30" in card.members
    assert badges.cards == {card.id: Badge(2, "dead units: 4 of 4 units are 0.\ndead units: 4 of 4 units are 0.")}


def test_what_is_so_on_purpose_is_no_alarm() -> None:
    assert Badge(0, "frozen on purpose: ...").sign == "i"
    assert Badge(1, "NaN: ...").sign == "!"
    assert Badge(3, "NaN: ...\nNaN: ...\nNaN: ...").sign == "3"


def test_a_badge_lies_on_the_left_upper_corner_of_its_card() -> None:
    card = '<g class="hv-node hv-module" data-node="module:a"><rect class="hv-shape" x="10" y="20"/></g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{card}</svg>'

    drawn = badged_svg(svg, Badges({"module:a": Badge(0, "frozen on purpose: x"), "module:b": Badge(1, "")}))

    badge = ET.fromstring(drawn).find(f".//{SVG}g[@class='hv-badge']")
    assert badge is not None
    assert badge.get("transform") == "translate(12 21)"
    circle = badge.find(f"{SVG}circle")
    assert circle is not None
    assert circle.get("fill") == PALETTE.muted


def test_a_past_step_shows_the_way_of_its_own_nan_and_no_findings() -> None:
    model = nn.Sequential(nn.Linear(4, 4), Log())

    with after_a_step(model) as session:
        past = session.at_step(session.steps[0])
        model(torch.full((8, 4), math.nan)).sum().backward()

        svg = past.svg()

        assert badges_in(svg) == {}
        assert red_edges_in(svg) == [("module:1", "output")]


def test_files_and_notebooks_have_the_badges_of_the_live_picture(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(4, 4), Log())

    with after_a_step(model) as session:
        session.export(tmp_path / "model.svg")
        saved = static_bundle(presentation_of(session))["image/svg+xml"]

        assert badges_in((tmp_path / "model.svg").read_text(encoding="utf-8")) == badges_in(saved)
        assert "module:1" in badges_in(saved)


def test_dot_and_png_name_what_looks_wrong_in_a_line_of_the_card() -> None:
    model = nn.Sequential(nn.Linear(4, 4), Log())

    with after_a_step(model) as session:
        dot = session.dot()

        assert ">! NaN</FONT>" in dot
        assert dot.count("penwidth=2.2") == 1
        assert session.png()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_symptom_of_several_findings_is_named_once() -> None:
    badge = Badge(3, "dead units: 4 of 4.\ndead units: 2 of 4.\nfrozen: no step.")

    assert badge.symptoms == ("dead units", "frozen")


def test_badges_are_those_of_a_graph() -> None:
    model = nn.Sequential(nn.Linear(4, 4))

    with after_a_step(model) as session:
        assert session.badges(session.graph()) == Badges({}, Way())
        with pytest.raises(OptionError, match="graph"):
            session.badges("graph")  # type: ignore[arg-type]  # that is the error
