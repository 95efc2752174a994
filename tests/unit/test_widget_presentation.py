"""All widgets of a session show one picture: laid out once, with one selection and one folding."""

import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import HookvizError, UnknownModuleError
from hookviz.session import Session, watch
from hookviz.widget import drawing
from hookviz.widget.presentation import Presentation, presentation_of
from hookviz.widget.scene import Scene


class View:
    """Keeps the scenes that it was shown."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def show(self, scene: Scene) -> None:
        self.scenes.append(scene)


@pytest.fixture
def model() -> nn.Sequential:
    inner = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3)))
    return nn.Sequential(nn.Linear(2, 3), inner)


@pytest.fixture
def session(model: nn.Sequential) -> Iterator[Session]:
    with watch(model, every=1) as session:
        yield session


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


def test_new_values_need_no_new_layout(model: nn.Sequential, session: Session) -> None:
    presentation, view = presentation_of(session), View()
    model(torch.ones(1, 2))
    presentation.refresh()
    presentation.add(view)

    model(torch.full((1, 2), 7.0))
    presentation.refresh()

    before, after = view.scenes[0], view.scenes[-1]
    assert after.numbers != before.numbers
    assert after.svg is before.svg
    assert after.status["step"] == 2


def test_first_run_gives_a_new_layout(model: nn.Sequential, session: Session) -> None:
    presentation, view = presentation_of(session), View()
    presentation.add(view)

    model(torch.ones(1, 2))
    presentation.refresh()

    assert [scene.graph["is_traced"] for scene in (view.scenes[0], view.scenes[-1])] == [False, True]
    assert view.scenes[-1].svg != view.scenes[0].svg


def test_without_a_new_layout_values_are_shown_in_the_old_one_and_the_picture_stays_stale(
    model: nn.Sequential, session: Session
) -> None:
    presentation = presentation_of(session)
    before = presentation.drawing
    model(torch.ones(1, 2))

    presentation.refresh(wait=False, may_draw=False)

    assert presentation.drawing is before
    assert presentation.node_data["module:0"].state == "captured"
    assert presentation.is_stale
    presentation.refresh(wait=False)
    assert presentation.drawing is not before
    assert not presentation.is_stale


def test_picture_is_stale_only_after_something_happened(model: nn.Sequential, session: Session) -> None:
    presentation = presentation_of(session)
    assert not presentation.is_stale

    model(torch.ones(1, 2))

    assert presentation.is_stale
    presentation.refresh()
    assert not presentation.is_stale


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


def test_view_that_was_removed_is_told_nothing_more(session: Session) -> None:
    presentation, view = presentation_of(session), View()
    presentation.add(view)

    presentation.remove(view)
    presentation.select("module:0")

    assert len(view.scenes) == 1


def test_last_picture_stays_when_the_session_is_closed(model: nn.Sequential, session: Session) -> None:
    presentation = presentation_of(session)
    model(torch.ones(1, 2))
    presentation.refresh()
    value = presentation.node_data["module:0"].value

    session.close()
    presentation.refresh()

    assert presentation.scene.status["state"] == "closed"
    assert presentation.node_data["module:0"].value == value != ""


def test_last_picture_stays_when_the_model_is_gone() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model, every=1)
    presentation = presentation_of(session)
    model(torch.ones(1, 2))
    presentation.refresh()
    svg = presentation.scene.svg

    del model
    gc.collect()
    presentation.refresh()

    assert presentation.scene.status["state"] == "gone"
    assert presentation.scene.svg is svg


def test_running_cell_does_not_wait_for_a_layout(session: Session) -> None:
    presentation = presentation_of(session)
    is_held, is_done = threading.Event(), threading.Event()

    def lay_out() -> None:
        with presentation._lock:
            is_held.set()
            is_done.wait(60)

    thread = threading.Thread(target=lay_out)
    thread.start()
    is_held.wait(60)

    was_done = presentation.refresh(wait=False)

    is_done.set()
    thread.join()
    assert not was_done
    assert presentation.refresh(wait=False)


def test_hook_that_is_put_on_while_a_cell_runs_is_shown_after_the_next_captured_run(
    model: nn.Sequential, session: Session
) -> None:
    presentation = presentation_of(session)
    model(torch.ones(1, 2))
    presentation.refresh(wait=False)
    before = list(presentation.hooks)

    model[0].register_forward_hook(lambda module, args, output: None)
    model(torch.ones(1, 2))
    presentation.refresh(wait=False)

    assert before == []
    assert [hook["path"] for hook in presentation.hooks] == ["0"]


def test_hooks_are_not_looked_for_in_each_update_of_a_running_cell(
    model: nn.Sequential, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    presentation = presentation_of(session)
    model(torch.ones(1, 2))
    presentation.refresh()
    monkeypatch.setattr("hookviz.widget.scene_parts.hooks_to_wire", lambda *_: pytest.fail("looked for hooks"))

    model(torch.ones(1, 2))
    presentation.refresh(wait=False)

    assert presentation.scene.status["step"] == 2
