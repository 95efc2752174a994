"""While a cell runs, a layout is made beside it: the cell goes on, and the newest layout is shown when it is there."""

import gc
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget import drawing, shown
from hookviz.widget.commands import answer
from hookviz.widget.presentation import Presentation, presentation_of
from hookviz.widget.scene import Scene
from hookviz.widget.updates import Updates
from tests.models import fc, row
from tests.slow_engine import SlowEngine, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the slow engine is a shell script")


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Sequential(fc(), nn.ReLU()), nn.Sequential(fc(), nn.Tanh()))


@pytest.fixture
def session(model: nn.Sequential) -> Iterator[Session]:
    with watch(model, every=1) as session:
        yield session


@pytest.fixture
def presentation(session: Session, model: nn.Sequential) -> Presentation:
    model(row())
    return presentation_of(session)


@pytest.fixture
def engine(presentation: Presentation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlowEngine:
    """What lays out all but the first picture."""
    monkeypatch.setattr(shown, "GRACE_SECONDS", 0.0)
    return SlowEngine(tmp_path, monkeypatch)


def fold(presentation: Presentation, path: str) -> None:
    """A click that is answered between two runs of the model."""
    with presentation.beside_a_cell():
        presentation.fold(path, is_expanded=False)


def take(presentation: Presentation) -> None:
    """Wait for what is under way, as the ticks of a cell would."""
    wait_until(lambda: presentation.take_layout(wait=False) > 0)


def layout_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "hookviz layout"]


def test_values_go_on_in_the_old_picture_until_the_new_one_is_there(
    model: nn.Sequential, presentation: Presentation, engine: SlowEngine
) -> None:
    before = presentation.drawing
    fold(presentation, "0")

    model(row())
    presentation.refresh(wait=False)

    assert presentation.drawing is before
    assert presentation.scene.status["step"] == 2
    assert presentation.scene.expanded == ["0", "1"]
    engine.go()
    take(presentation)
    assert presentation.scene.expanded == ["1"]


def test_ticks_of_a_cell_begin_a_layout_and_show_it(
    model: nn.Sequential, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "GRACE_SECONDS", 0.0)
    presentation, view = presentation_of(session), View()
    presentation.add(view)
    engine = SlowEngine(tmp_path, monkeypatch)
    updates = Updates(presentation)

    wait_until(lambda: model(row()) is not None and bool(engine.processes))

    assert not view.is_traced
    engine.go()
    wait_until(lambda: model(row()) is not None and view.is_traced)
    assert updates.seconds > 0
    assert len(engine.processes) == 1


def test_newest_of_two_layouts_has_both_changes_and_the_older_is_ended(
    presentation: Presentation, engine: SlowEngine
) -> None:
    fold(presentation, "0")
    engine.wait_for(1)

    fold(presentation, "1")
    engine.wait_for(2)
    wait_until(lambda: len(engine.running) == 1)

    assert engine.running == engine.processes[1:]
    engine.go()
    take(presentation)
    assert presentation.scene.expanded == []
    assert presentation.layout_under_way is None


def test_way_back_leads_through_a_layout_that_was_never_shown(presentation: Presentation, engine: SlowEngine) -> None:
    fold(presentation, "0")
    fold(presentation, "1")
    engine.go()
    take(presentation)

    presentation.go_back()
    assert presentation.scene.expanded == ["1"]
    presentation.go_back()

    assert presentation.scene.expanded == ["0", "1"]
    assert not presentation.scene.graph["leads_back"]


def test_module_is_selected_once_the_layout_that_reveals_it_is_there(
    presentation: Presentation, engine: SlowEngine
) -> None:
    engine.go()
    presentation.fold("0", is_expanded=False)
    with presentation.beside_a_cell():
        presentation.reveal("0.1")
    before = presentation.scene.selected

    take(presentation)

    assert (before, presentation.scene.selected) == ("", "module:0.1")


def test_end_of_the_cell_waits_for_the_layout(presentation: Presentation, engine: SlowEngine) -> None:
    fold(presentation, "0")
    assert presentation.is_stale
    engine.go()

    presentation.refresh()

    assert presentation.scene.expanded == ["1"]
    assert not presentation.is_stale
    assert len(engine.processes) == 1


def test_session_that_closes_leaves_no_layout_behind(
    session: Session, presentation: Presentation, engine: SlowEngine
) -> None:
    fold(presentation, "0")
    engine.wait_for(1)

    session.close()

    assert engine.running == []
    assert layout_threads() == []


def test_picture_of_a_closed_session_is_laid_out_with_its_next_refresh(
    session: Session, presentation: Presentation, engine: SlowEngine
) -> None:
    fold(presentation, "0")
    session.close()
    engine.go()

    presentation.refresh()

    assert presentation.scene.expanded == ["1"]


def test_presentation_that_is_dropped_leaves_no_layout_behind(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    presentation = presentation_of(session)
    monkeypatch.setattr(shown, "GRACE_SECONDS", 0.0)
    engine = SlowEngine(tmp_path, monkeypatch)
    fold(presentation, "0")
    engine.wait_for(1)

    del presentation
    gc.collect()

    assert engine.running == []
    assert layout_threads() == []


def test_fault_of_a_layout_is_told_and_the_picture_stays(
    presentation: Presentation, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_clicked = threading.Event()

    def fail(*_: object, **__: object) -> NoReturn:
        is_clicked.wait()
        raise RuntimeError("lamp burnt out")

    before, told = presentation.drawing, list[str]()
    with monkeypatch.context() as patched:
        patched.setattr(drawing, "to_dot", fail)
        patched.setattr(shown, "GRACE_SECONDS", 0.0)
        fold(presentation, "0")
        presentation.tell_when_drawn(told.append)
        is_clicked.set()
        with pytest.raises(RuntimeError, match="lamp burnt out"):
            take(presentation)

    assert presentation.drawing is before
    assert told == ["RuntimeError: lamp burnt out"]
    presentation.fold("1", is_expanded=False)
    assert presentation.scene.expanded == ["0"]


def test_other_clicks_are_answered_while_a_layout_is_under_way(presentation: Presentation, engine: SlowEngine) -> None:
    fold(presentation, "0")

    with presentation.beside_a_cell():
        reply, _ = answer(
            presentation, {"id": 1, "command": "inspect", "node_id": "module:1.0", "call": 0, "tab": "output"}
        )

    assert reply["reply"]["tabs"]
    assert presentation.layout_under_way is not None
    engine.go()
    take(presentation)


def test_click_from_another_thread_waits_and_the_cell_does_not(
    model: nn.Sequential, presentation: Presentation, engine: SlowEngine
) -> None:
    thread = threading.Thread(target=lambda: presentation.fold("0", is_expanded=False))
    thread.start()
    engine.wait_for(1)

    model(row())

    assert presentation.refresh(wait=False)
    assert presentation.scene.status["step"] == 2
    engine.go()
    thread.join()
    assert presentation.scene.expanded == ["1"]


class View:
    """Keeps whether it was shown a traced picture."""

    is_traced = False

    def show(self, scene: Scene) -> None:
        self.is_traced = scene.graph["is_traced"]
