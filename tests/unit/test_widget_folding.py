"""How a picture is unfolded and turned, one step after the other, and the way back."""

from collections.abc import Iterator

import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.folding import Folding, Trail
from hookviz.widget.presentation import Presentation, presentation_of
from tests.models import fc


def block() -> nn.Module:
    return nn.Sequential(fc(), nn.ReLU())


@pytest.fixture
def model() -> nn.Module:
    return nn.Sequential(*(block() for _ in range(6)), nn.Sequential(block(), fc()))


@pytest.fixture
def session(model: nn.Module) -> Iterator[Session]:
    with watch(model) as session:
        yield session


@pytest.fixture
def presentation(session: Session) -> Presentation:
    presentation = presentation_of(session)
    presentation.unfold_to(0)
    return presentation


def names(presentation: Presentation) -> list[str]:
    return [node["name"] for node in presentation.scene.graph["nodes"]]


def test_unfolding_a_row_takes_out_its_first_and_folding_puts_it_back(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.fold("0", is_expanded=False)
    assert names(presentation)[0] == "0 … 5"

    presentation.fold("0", is_expanded=True)
    assert names(presentation)[:3] == ["0", "1", "1 … 5"]
    presentation.fold("1", is_expanded=True)
    assert names(presentation)[:5] == ["0", "1", "0", "1", "2 … 5"]

    presentation.fold("0", is_expanded=False)
    presentation.fold("1", is_expanded=False)
    assert names(presentation)[0] == "0 … 5"


def test_reveal_takes_the_module_out_of_its_row(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.fold("0", is_expanded=False)

    presentation.reveal("4.1")

    assert names(presentation)[:4] == ["0 … 3", "0", "1", "5"]
    assert presentation.scene.selected == "module:4.1"


def test_layers_that_were_taken_out_are_among_the_expanded() -> None:
    model = nn.Sequential(*(fc() for _ in range(9)))

    with watch(model) as layers:
        presentation = presentation_of(layers)

        presentation.reveal("4")

        assert names(presentation) == ["0 … 3", "4", "5 … 8"]
        assert presentation.scene.expanded == ["4"]


def test_a_depth_shows_each_sibling_and_folding_by_hand_leaves_them(presentation: Presentation) -> None:
    assert names(presentation) == ["0", "1", "2", "3", "4", "5", "6"]

    presentation.fold("6", is_expanded=True)

    assert names(presentation) == ["0", "1", "2", "3", "4", "5", "0", "1"]


def test_back_leads_through_all_steps_to_the_first_layout(presentation: Presentation) -> None:
    first = presentation.scene.graph
    presentation.fold("6", is_expanded=True)
    presentation.turn("LR")
    assert presentation.scene.graph["leads_back"]

    presentation.go_back()
    assert (presentation.scene.graph["direction"], presentation.scene.expanded) == ("TB", ["6"])
    presentation.go_back()

    assert presentation.scene.graph == first


def test_back_at_the_beginning_changes_nothing(session: Session) -> None:
    presentation = presentation_of(session)
    before = presentation.scene

    presentation.go_back()

    assert not before.graph["leads_back"]
    assert presentation.scene is before


def test_the_way_back_is_there_after_a_run_that_changed_the_structure(
    model: nn.Module, presentation: Presentation
) -> None:
    model(torch.ones(1, 4))

    presentation.refresh()

    assert presentation.scene.graph["is_traced"]
    assert presentation.scene.graph["leads_back"]


def test_a_direction_stays_through_folding_and_runs(model: nn.Module, presentation: Presentation) -> None:
    presentation.turn("LR")

    presentation.fold("6", is_expanded=True)
    model(torch.ones(1, 4))
    presentation.refresh()

    assert presentation.scene.graph["direction"] == "LR"


def test_a_trail_keeps_a_hundred_steps() -> None:
    trail = Trail()
    for depth in range(150):
        trail.go(Folding(depth=depth))

    for _ in range(99):
        trail.go_back()

    assert trail.now == Folding(depth=50)
    trail.go_back()
    assert trail.now == Folding(depth=49)
    assert not trail.leads_back


def test_the_same_folding_twice_is_one_step() -> None:
    trail = Trail()
    trail.go(Folding(depth=1))
    trail.go(Folding(depth=1))

    trail.go_back()

    assert trail.now == Folding()
