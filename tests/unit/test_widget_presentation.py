"""All widgets of a session show one picture: laid out once, with one selection and one folding."""

import gc
import weakref
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import HookvizError, UnknownModuleError
from hookviz.session import Session, watch
from hookviz.widget import drawing
from hookviz.widget.presentation import Presentation, presentation_of
from tests.scenes import View


@pytest.fixture
def model() -> nn.Sequential:
    inner = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3)))
    return nn.Sequential(nn.Linear(2, 3), inner)


def node_ids(presentation: Presentation) -> list[str]:
    return [node.id for node in presentation.drawing.graph.nodes if node.kind == "module"]


def test_all_widgets_of_a_session_share_one_presentation(session: Session) -> None:
    first = presentation_of(session)

    second = presentation_of(session)

    assert second is first


def test_presentation_keeps_no_session_alive_and_no_model() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model)
    references: list[weakref.ref[Any]] = [
        weakref.ref(model),
        weakref.ref(session),
        weakref.ref(presentation_of(session)),
    ]
    session.close()

    del model, session
    gc.collect()

    assert [reference() for reference in references] == [None, None, None]


def test_fold_hides_what_is_inside(session: Session) -> None:
    presentation = presentation_of(session)
    assert node_ids(presentation) == ["module:0", "module:1.0", "module:1.1.0", "module:1.1.1"]

    presentation.fold("1", is_expanded=False)

    assert node_ids(presentation) == ["module:0", "module:1"]
    assert presentation.scene.expanded == []


def test_unfolding_brings_back_what_was_unfolded_inside(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.fold("1", is_expanded=False)

    presentation.fold("1", is_expanded=True)

    assert presentation.scene.expanded == ["1", "1.1"]


def test_chosen_folding_survives_a_new_structure(model: nn.Sequential, session: Session) -> None:
    presentation = presentation_of(session)
    presentation.fold("1.1", is_expanded=False)

    model(torch.ones(1, 2))
    presentation.refresh()

    assert presentation.scene.expanded == ["1"]
    assert presentation.scene.graph["is_traced"]


def test_depth_unfolds_all_containers_down_to_it(session: Session) -> None:
    presentation = presentation_of(session)

    depths = []
    for depth in (0, 1, 2, 9, -1):
        presentation.unfold_to(depth)
        depths.append((presentation.scene.graph["depth"], presentation.scene.expanded))

    assert depths == [(0, []), (1, ["1"]), (2, ["1", "1.1"]), (9, ["1", "1.1"]), (0, [])]
    assert presentation.scene.graph["max_depth"] == 2


def test_depth_that_was_asked_for_is_told_after_a_run_too(model: nn.Sequential, session: Session) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(3)

    model(torch.ones(1, 2))
    presentation.refresh()

    assert presentation.scene.graph["depth"] == 3
    assert presentation.scene.expanded == ["1", "1.1"]


def test_folding_by_hand_ends_what_a_depth_says(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(3)

    presentation.fold("1.1", is_expanded=False)

    assert presentation.scene.graph["depth"] == 1


def test_reveal_unfolds_what_is_around_a_module_and_selects_it(session: Session) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(0)

    presentation.reveal("1.1.0")

    assert presentation.scene.selected == "module:1.1.0"
    assert presentation.scene.expanded == ["1", "1.1"]


def test_reveal_of_what_is_seen_lays_out_nothing(session: Session) -> None:
    presentation = presentation_of(session)
    before = presentation.drawing

    presentation.reveal("1.1.0")

    assert presentation.drawing is before
    assert presentation.scene.selected == "module:1.1.0"


def test_run_that_brings_too_many_nodes_folds_what_was_unfolded(
    model: nn.Sequential, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(2)
    model(torch.ones(1, 2))
    refused = iter([True])

    def draw_once(session: Session, *folding: Any, **options: Any) -> drawing.Drawing:
        if next(refused, False):
            raise HookvizError("This would draw 9,999 nodes.")
        return drawing.draw(session, *folding, **options)

    monkeypatch.setattr("hookviz.widget.layout.draw", draw_once)

    presentation.refresh()

    assert presentation.scene.graph["is_traced"]


def test_fold_of_an_unknown_path_names_the_nearest_and_changes_nothing(session: Session) -> None:
    presentation = presentation_of(session)
    before = presentation.scene

    with pytest.raises(UnknownModuleError):
        presentation.fold("1.7", is_expanded=True)

    assert presentation.scene is before


def test_picture_that_would_get_too_large_is_refused(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    presentation = presentation_of(session)
    presentation.unfold_to(0)
    monkeypatch.setattr(drawing, "MAX_NODES", 3)

    with pytest.raises(HookvizError, match=r"nodes, more than 3: unfold single containers instead"):
        presentation.unfold_to(2)

    assert presentation.scene.expanded == []


def test_selection_is_shared_by_all_views(session: Session) -> None:
    presentation, diagram, inspector = presentation_of(session), View(), View()
    presentation.add(diagram)
    presentation.add(inspector)

    presentation.select("module:0")

    assert [view.scenes[-1].selected for view in (diagram, inspector)] == ["module:0", "module:0"]
    assert len(diagram.scenes) == 2
