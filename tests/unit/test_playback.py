"""A widget shows a past step as it was, for as long as nobody goes on."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.commands import answer
from hookviz.widget.presentation import presentation_of
from tests.asker import Asker
from tests.models import fc, row, wired


@pytest.fixture
def model() -> nn.Module:
    return nn.Sequential(nn.LeakyReLU(0.5), fc())


def run(model: nn.Module, *factors: float) -> None:
    for factor in factors:
        model(factor * row())


def test_a_run_of_a_part_alone_is_told_with_the_last_whole_run(model: Any, ask: Asker) -> None:
    run(model, 1, 2)
    model[1](row())
    ask.presentation.refresh()
    newest = ask.presentation.scene.playback

    ask("hold", step=2)

    held = ask.presentation.scene.playback
    assert (newest["part"], newest["whole"]) == ("1", 2)
    assert (held["part"], held["whole"]) == ("", None)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_run_that_did_not_return_is_no_whole_run(model: Any, ask: Asker, error: type[BaseException]) -> None:
    def stop(*_: object) -> None:
        raise error

    run(model, 1)
    with model[1].register_forward_hook(stop), pytest.raises(error):
        model(row())
    model[1](row())
    ask.presentation.refresh()

    playback = ask.presentation.scene.playback

    assert (playback["steps"], playback["whole"]) == ([1, 2, 3], 1)


def test_where_no_whole_run_is_there_none_is_offered(model: Any, ask: Asker) -> None:
    model[0](row())
    ask.presentation.refresh()

    playback = ask.presentation.scene.playback

    assert (playback["part"], playback["whole"]) == ("0", None)


def test_at_first_the_newest_step_is_shown(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2, 3)
    ask.presentation.refresh()

    assert dict(ask.presentation.scene.playback) == {
        "steps": [1, 2, 3], "held": None, "newest": 3, "note": "",
        "part": "", "whole": None, "kept_first": [], "pinned": None,
    }  # fmt: skip
    assert ask.presentation.scene.status["step"] == 3


def test_before_the_first_run_there_is_no_step(ask: Asker) -> None:
    playback = ask.presentation.scene.playback

    assert (playback["steps"], playback["held"], playback["newest"]) == ([], None, 0)


def test_a_held_step_stays_while_the_model_runs_on(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2)

    ask("hold", step=1)
    run(model, 3)
    ask.presentation.refresh()

    scene = ask.presentation.scene
    assert (scene.playback["held"], scene.playback["newest"], scene.playback["steps"]) == (1, 3, [1, 2, 3])
    assert (scene.status["step"], scene.status["runs"]) == (1, 3)
    assert ask.presentation.node_data["module:0"].value.startswith("+1.00e+00")
    assert ask.inspect("module:0")["entries"][0]["summary"]["mean"] == 1.0
    assert ask.inspect("module:0")["step"] == 1


def test_going_on_shows_whatever_is_newest(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2)
    ask("hold", step=1)
    run(model, 3)

    ask("hold", step=None)

    assert ask.presentation.scene.playback["held"] is None
    assert ask.presentation.node_data["module:0"].value.startswith("+3.00e+00")
    assert ask.inspect("module:0")["step"] == 3


def test_python_gives_the_shown_value_of_a_held_step(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2)
    ask("hold", step=1)

    (entry,) = ask.inspect("module:0")["entries"]

    assert entry["python"] == 'session.at_step(1)["0"].output.tensor'


def test_parameters_of_a_held_step_are_said_to_be_gone(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2)
    ask("hold", step=1)

    weight, bias = ask.inspect("module:1", "parameters")["entries"]

    assert (weight["label"], weight["summary"], weight["kept"]) == ("weight", None, False)
    assert weight["note"] == (
        'what parameters were in past steps is not remembered: only session["1.weight"] has it, as it is now'
    )
    assert bias["label"] == "bias"


def test_a_step_that_is_gone_cannot_be_held(model: nn.Module, ask: Asker) -> None:
    run(model, 1)

    assert ask.refused("hold", step=7) == "There is no step 7 of Sequential: there was 1 run so far. Captured: step 1."
    assert ask.presentation.scene.playback["held"] is None


def test_in_the_place_of_a_step_that_left_the_history_the_oldest_after_it_is_held(model: nn.Module) -> None:
    with watch(model, every=1, history=3) as session:
        ask = Asker(presentation_of(session))
        run(model, 1, 2, 3)
        ask("hold", step=1)
        run(model, 4, 5, 6)
        steps = session.steps
        ask("hold", step=2)

        assert (steps, ask.presentation.scene.playback["held"]) == ([1, 5, 6], 5)


def test_steps_with_the_same_flow_share_one_layout(model: nn.Module, ask: Asker) -> None:
    run(model, 1, 2)
    ask.presentation.refresh()
    svg = ask.presentation.scene.svg

    ask("hold", step=1)
    held = ask.presentation.scene.svg
    ask("hold", step=None)

    assert held is svg
    assert ask.presentation.scene.svg is svg


def test_a_held_step_with_another_flow_is_laid_out_as_it_was() -> None:
    model = wired(lambda model, x: model.a(x) if x.sum() > 0 else model.b(x), a=fc(), b=fc())
    session = watch(model, every=1)
    ask = Asker(presentation_of(session))
    run(model, 1, -1, -1)
    ask.presentation.refresh()

    def shown() -> set[str]:
        return {node["path"] for node in ask.presentation.scene.graph["nodes"] if node["kind"] == "module"}

    assert shown() == {"b"}
    ask("hold", step=1)
    assert shown() == {"a"}
    run(model, -1, 1)
    ask.presentation.refresh()
    assert shown() == {"a"}
    ask("hold", step=2)
    assert shown() == {"b"}
    ask("hold", step=None)
    assert shown() == {"a"}


def test_what_was_wrong_in_a_held_step_is_told_and_nothing_else(model: nn.Module, ask: Asker) -> None:
    run(model, 1)
    with torch.no_grad():
        model(torch.full((1, 4), float("nan")))
    ask.presentation.refresh()
    assert ask.presentation.scene.status["trouble"] is not None

    ask("hold", step=1)

    assert ask.presentation.scene.status["trouble"] is None
    assert ask.presentation.node_data["module:0"].trouble == ""
    ask("hold", step=2)
    trouble = ask.presentation.scene.status["trouble"]
    assert trouble is not None
    assert trouble["text"].endswith("step 2")


def test_hooks_of_a_held_step_tell_what_they_did_then(model: nn.Module, session: Session, ask: Asker) -> None:
    hook = session.hook("0", "forward", lambda _module, _args, output: output * 2)
    run(model, 1)
    hook.remove()
    other = session.hook("0", "forward", lambda _module, _args, _output: None)
    run(model, 1)

    ask("hold", step=1)

    listed = ask.presentation.hooks
    assert [each["id"] for each in listed] == [other.id]
    assert listed[0]["fired"] == 0
    ask("hold", step=2)
    assert ask.presentation.hooks[0]["fired"] == 1


def test_bar_says_where_hooks_are_switched_otherwise_than_in_the_held_step(
    model: nn.Module, session: Session, ask: Asker
) -> None:
    hook = session.hook("0", "forward", lambda _module, _args, output: output * 2)
    run(model, 1, 2)
    ask("hold", step=1)
    as_then = ask.presentation.scene.playback["note"]

    hook.disable()
    ask.presentation.refresh()

    assert as_then == ""
    assert ask.presentation.scene.playback["note"] == "hooks are switched as they are now, not as in this step"


def test_a_page_that_is_saved_while_a_step_is_held_opens_with_the_newest_layout() -> None:
    model = wired(lambda model, x: model.a(x) if x.sum() > 0 else model.b(x), a=fc(), b=fc())
    ask = Asker(presentation_of(watch(model, every=1)))
    run(model, 1, -1, -1)
    ask("hold", step=1)

    content, (page,) = answer(ask.presentation, {"id": 1, "command": "export", "format": "html"})

    assert "error" not in content
    assert b"module:b" in page
    assert b"module:a" not in page


def test_a_step_can_be_held_after_the_session_is_closed(model: nn.Module, session: Session, ask: Asker) -> None:
    run(model, 1, 2)
    session.close()

    ask("hold", step=1)

    assert ask.inspect("module:0")["entries"][0]["summary"]["mean"] == 1.0
