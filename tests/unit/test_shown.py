"""What is shown of a session is brought up to date, laid out only where it must be, and stays at the end."""

import gc
import threading

import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.presentation import presentation_of
from tests.scenes import View


@pytest.fixture
def model() -> nn.Sequential:
    inner = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3)))
    return nn.Sequential(nn.Linear(2, 3), inner)


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
