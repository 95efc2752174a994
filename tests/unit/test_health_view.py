"""The widgets show what looks wrong; while a cell runs they look seldom, and at its end once more."""

import math

import pytest
import torch
from torch import nn

from hookviz.health.patience import JUDGED
from hookviz.session import watch
from hookviz.widget import health_view
from hookviz.widget.health_view import INTERVAL_SECONDS, NOTHING, HealthView
from hookviz.widget.presentation import presentation_of
from hookviz.widget.scene import Scene
from hookviz.widget.updates import Updates
from tests.models import fc, row


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(health_view, "time", clock)
    return clock


class Shown:
    """A view that nobody looks at."""

    def show(self, scene: Scene) -> None:
        self.scene = scene


def spoilt() -> nn.Sequential:
    """A model whose first layer gives NaN."""
    model = nn.Sequential(fc(), fc())
    with torch.no_grad():
        model[0].bias.fill_(math.nan)  # type: ignore[operator]  # nn.Sequential does not tell the class
    return model


def test_scene_has_the_findings_and_the_way_of_the_nan() -> None:
    model = spoilt()
    session = watch(model)
    presentation = presentation_of(session)
    before = presentation.scene.health

    model(row())
    presentation.refresh()

    assert before == NOTHING
    assert presentation.scene.health == {
        "findings": [
            {
                "node_id": "module:0",
                "path": "0",
                "module": "0",
                "symptom": "NaN",
                "step": 1,
                "sentence": "NaN in the parameter 0.bias, step 1: 4 NaN of 4 values.",
                "is_alarm": True,
            }
        ],
        "way_nodes": ["module:0", "module:1", "output"],
        "way_edges": ["module:0->module:1", "module:1->output"],
        "note": JUDGED,
    }


def test_where_nothing_was_found_it_is_told_when_it_is_judged_but_not_of_a_run_that_raised() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    presentation = presentation_of(session)

    model(row())
    presentation.refresh()
    of_a_run = presentation.scene.health
    with pytest.raises(RuntimeError):
        model(torch.ones(1, 5))
    presentation.refresh()

    assert of_a_run == {**NOTHING, "note": JUDGED}
    assert presentation.scene.health == NOTHING


def test_while_a_cell_runs_it_is_looked_at_seldom_and_at_its_end_in_any_case(clock: Clock) -> None:
    model = spoilt()
    session = watch(model, every=1)
    view, graph = HealthView(), session.graph()
    view.look(session, graph, is_live=True)

    model(row())
    view.look(session, session.graph(), is_live=True)

    assert (view.wire, view.is_behind) == (NOTHING, True)
    view.look(session, session.graph(), is_live=False)
    assert view.wire["findings"]
    assert not view.is_behind


def test_after_a_while_a_running_cell_is_looked_at_again(clock: Clock) -> None:
    model = spoilt()
    session = watch(model, every=1)
    view = HealthView()
    view.look(session, session.graph(), is_live=True)
    model(row())

    clock.now += INTERVAL_SECONDS
    view.look(session, session.graph(), is_live=True)

    assert view.wire["findings"]


def test_at_the_end_of_a_cell_the_picture_catches_up(clock: Clock) -> None:
    model = spoilt()
    session = watch(model, every=1)
    presentation = presentation_of(session)
    view = Shown()
    presentation.add(view)
    updates = Updates(presentation)
    model(row())
    presentation.refresh(wait=False)
    assert (presentation.is_stale, presentation.is_behind) == (False, True)

    updates.flush()

    assert view.scene.health["findings"]
    assert not presentation.is_behind


def test_held_step_shows_the_way_of_its_own_nan_and_no_findings_of_the_newest() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1)
    model(row())
    with torch.no_grad():
        model[0].bias.fill_(math.nan)  # type: ignore[operator]  # nn.Sequential does not tell the class
    model(row())
    with torch.no_grad():
        model[0].bias.fill_(0.5)  # type: ignore[operator]  # as above
        model[1].bias.fill_(math.nan)  # type: ignore[operator]  # as above
    model(row())
    presentation = presentation_of(session)
    newest = presentation.scene.health

    presentation.hold(1)
    of_sound_step = presentation.scene.health
    presentation.hold(2)
    of_step_with_nan = presentation.scene.health
    presentation.hold(None)

    assert newest["way_nodes"] == ["module:1", "output"]
    assert len(newest["findings"]) > 0
    assert of_sound_step == NOTHING
    assert of_step_with_nan["findings"] == []
    assert of_step_with_nan["way_nodes"] == ["module:0", "module:1", "output"]
    assert presentation.scene.health == newest
