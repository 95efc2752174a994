"""The picture of a past step is as it was then, or says what is not."""

import pytest
import torch
from torch import nn

from hookviz.errors import UnknownModuleError
from hookviz.session import watch
from tests.models import fc, row, wired
from tests.trained import trained


def test_the_picture_of_a_step_shows_that_step() -> None:
    _model, session = trained(1.0, 2.0)

    texts = [session.text(step=step) for step in (1, 2)]

    assert "Wired, step 1" in texts[0]
    assert "+1.00e+00" in texts[0]
    assert "+2.00e+00" in texts[1]
    assert "+1.00e+00" in session.svg(step=1)
    assert "+2.00e+00" in session.svg()


def test_a_step_with_another_flow_is_drawn_as_it_was() -> None:
    def wiring(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = (model.first if x.sum() > 0 else model.second)(x)  # type: ignore[operator]  # modules
        return output

    model = wired(wiring, first=fc(), second=fc())
    session = watch(model, every=1)
    for sign in (1, -1, -1, 1):
        model(sign * row())

    names = [{node.path for node in session.graph(step=step).nodes if node.kind == "module"} for step in (1, 3, 4)]

    assert names == [{"first"}, {"second"}, {"first"}]
    # The first run that took the other way was not traced itself; the next one told its flow.
    assert {node.path for node in session.graph(step=2).nodes if node.kind == "module"} == {"second"}
    assert [session.at_step(step).note for step in (1, 2, 3, 4)] == [""] * 4


def test_a_step_whose_flow_is_not_known_says_that_its_picture_is_another() -> None:
    model = wired(lambda model, x: model.a(x) if x.sum() > 0 else model.b(x), a=fc(), b=fc())
    session = watch(model, every=1)
    model(row())
    model(-row())

    assert session.at_step(2).note == "who fed whom was not traced in this step: the picture is that of an earlier one"


def test_a_step_of_a_module_that_is_gone_can_still_be_drawn() -> None:
    model = wired(lambda model, x: model.many[0](x) if hasattr(model, "many") else x, many=nn.ModuleList([fc()]))
    session = watch(model, every=1)
    model(row())
    del model.many
    model(row())

    step = session.at_step(1)

    assert "many.0" in {node.path for node in step.full_graph().nodes}
    assert "0" in session.text(step=1)
    with pytest.raises(UnknownModuleError):
        step["many.0"]


def test_past_picture_shows_the_switches_of_hooks_as_they_were() -> None:
    model, session = trained()
    hook = session.hook("act", "forward", lambda _module, _args, output: output * 2)
    hook_off = session.hook("act", "forward", lambda _module, _args, output: output * 3)
    hook_off.disable()
    with torch.no_grad():
        model(torch.ones(1))
    as_it_was = session.text()
    hook.disable()
    hook_off.enable()
    later = session.hook("act", "forward", lambda _module, _args, output: output * 4)
    with torch.no_grad():
        model(torch.ones(1))

    step, newest = session.at_step(1), session.at_step(2)

    assert [each.id for each in step.hooks] == [hook.id, hook_off.id]
    assert step.hooks_off == {hook_off.id}
    assert step.text() == as_it_was.replace(session.name, f"{session.name}, step 1", 1)
    assert step.note == ""
    assert newest.hooks_off == {hook.id}
    assert newest.text() == session.text().replace(session.name, f"{session.name}, step 2", 1)
    later.disable()
    assert newest.hooks_off == {hook.id, later.id}


def test_past_step_says_that_hooks_that_ran_in_it_are_gone() -> None:
    model, session = trained()
    hook = session.hook("act", "forward", lambda _module, _args, output: output * 2)
    for _ in range(2):
        model(torch.ones(1))
    before = session.at_step(1).note

    hook.remove()

    assert before == ""
    assert session.at_step(1).note == "hooks that were removed since are not shown"
    assert session.at_step(2).note == ""
