"""Sessions that overlap on one model, or on a part of it: each tells what is so, and nothing is mixed up."""

import pytest
import torch

import hookviz
from hookviz.session import Session, watch
from tests.cases.appearance import appearance, changes
from tests.cases.comparison import assert_captured, same_bits
from tests.cases.layered import EVERY, halve, layers, look, output_of, stand_ins, triple
from tests.hooked import of


def test_of_two_sessions_one_switches_hooks_and_the_other_closes() -> None:
    model = layers()
    model[0].register_forward_hook(halve)
    model[0].register_full_backward_hook(look)
    before = appearance(model)
    x = torch.ones(2, 3)
    on = model(x)
    first, second = Session(model, EVERY), Session(model, EVERY)
    of(first, halve).disable()
    of(first, look).disable()
    off = model(x)

    second.close()
    still_off = model(x)
    first.close()
    on_again = model(x)

    assert not same_bits(on, off)
    assert same_bits(off, still_off)
    assert same_bits(on, on_again)
    assert changes(before, appearance(model)) == []


def test_of_two_sessions_the_one_that_switched_closes_first() -> None:
    model = layers()
    model[0].register_forward_hook(halve)
    before = appearance(model)
    x = torch.ones(2, 3)
    on = model(x)
    first, second = Session(model, EVERY), Session(model, EVERY)
    of(first, halve).disable()
    model(x)

    first.close()
    y = model(x)

    assert same_bits(on, y)
    assert_captured([output_of(second, "")], [on])
    assert [effect.outcome for effect in second.effects("0")] == ["changed"]
    second.close()
    assert changes(before, appearance(model)) == []


def test_two_sessions_see_the_same_hooks_run_and_what_one_wrote() -> None:
    model = layers()
    model[0].register_forward_hook(halve)
    model.get_parameter("0.weight").register_hook(triple)
    before = appearance(model)
    first, second = Session(model, EVERY), Session(model, EVERY)
    written = first.intervene("0", hookviz.Scale(4.0))
    first.intervene("1", hookviz.Scale(2.0), "grad_output")

    hidden = model.get_submodule("0").forward(torch.ones(2, 3)) * 2
    for _ in range(3):
        model(torch.ones(2, 3)).sum().backward()

    for session in (first, second):
        assert_captured([output_of(session, "0")], [hidden])
        assert [effect.outcome for effect in session.effects("0")] == ["changed", "changed", "changed"]
        assert [effect.outcome for effect in session.effects("1")] == ["changed"]
        assert session.problem == ""
    assert sorted(hook.owner for hook in second.hooks) == ["hookviz", "hookviz", "other", "other"]
    # Of the parameter's hook, each session has one stand-in, however many runs there were.
    assert stand_ins(model.get_parameter("0.weight")) == 2
    first.close()
    assert written.id not in [hook.id for hook in second.hooks]
    second.close()
    assert changes(before, appearance(model)) == []


@pytest.mark.parametrize("closes_first", ["the whole", "the part"])
def test_a_part_that_is_watched_by_itself_is_told_of_runs_of_the_whole_and_of_its_own(closes_first: str) -> None:
    model = layers()
    before = appearance(model)
    whole, part = watch(model, every=1), watch(model[1], every=1)
    x = torch.ones(2, 3)

    model(x)
    model[1](x)
    seen = (whole.runs_seen, part.runs_seen)
    (whole if closes_first == "the whole" else part).close()
    y = model(x)

    assert seen == (2, 2)
    left, path = (part, "") if closes_first == "the whole" else (whole, "1")
    assert_captured([output_of(left, path)], [y])
    left.close()
    assert changes(before, appearance(model)) == []
