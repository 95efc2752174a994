"""An intervention that changed nothing says why, of the call and the tensor that it was meant for."""

from typing import Any, Literal

import pytest
import torch
from torch import nn

from hookviz.errors import InterventionError
from hookviz.hooks.interventions import Scale, Zero
from hookviz.session import watch
from hookviz.widget.hook_effects import hooks_tab
from hookviz.widget.hook_entries import hooks_to_wire
from tests.models import fc, row, wired


def twice() -> nn.Sequential:
    step = nn.Identity()
    return nn.Sequential(step, step)


def test_the_gradient_of_an_input_that_requires_none_is_not_there_to_change() -> None:
    model = nn.Sequential(fc())
    with watch(model, every=1) as session:
        hook = session.intervene("0", Zero(), on="grad_input")
        model(row()).sum().backward()

        report = session.report(hook)

    assert (report.outcome, report.note) == ("", "the input does not require grad")


def test_the_tensor_that_is_meant_counts_and_no_other() -> None:
    model = wired(lambda m, x: m.add(x, weight=m.fc(x)), add=wired(lambda m, x, weight: x + weight), fc=fc())
    with watch(model, every=1) as session:
        first = session.intervene("add", Zero(), on="grad_input", leaf="input[0]")
        second = session.intervene("add", Scale(2.0), on="grad_input", leaf="input['weight']")
        model(row()).sum().backward()

        notes = [session.report(hook).note for hook in (first, second)]

    assert notes == ["the input does not require grad", "(1, 1, 1, 1) → (2, 2, 2, 2)"]


@pytest.mark.parametrize("on", ["output", "input", "grad_output", "grad_input"])
def test_a_call_that_did_not_happen_is_the_reason(on: Any) -> None:
    model = nn.Sequential(nn.Identity())
    with watch(model, every=1) as session:
        hook = session.intervene("0", Zero(), on=on, call=3)
        model(row().requires_grad_()).sum().backward()

        report = session.report(hook)

    outcome: Literal["", "did not act"] = "" if on.startswith("grad") else "did not act"
    assert (report.outcome, report.note) == (outcome, "call 3 did not happen: 1 call in this run")


def test_what_is_told_is_of_the_call_that_was_meant() -> None:
    model = twice()
    with watch(model, every=1) as session:
        hook = session.intervene("0", Scale(2.0), call=0)
        model(torch.tensor([1.5, 0.5]))

        report = session.report(hook)

    assert (report.fired, report.outcome, report.note) == (2, "changed", "(1.5, 0.5) → (3, 1)")


def test_a_call_that_was_left_alone_says_so_in_the_inspector() -> None:
    model = twice()
    with watch(model, every=1) as session:
        session.intervene("0", Scale(2.0), call=0)
        model(torch.tensor([1.5, 0.5]))

        effects = [hooks_tab(session, session.graph(), "module:0", call)["effects"] for call in (0, 1)]

    assert [(each["outcome"], each["text"]) for (each,) in effects] == [
        ("changed", "replaced the output"),
        ("did not act", "it is for call 0 only"),
    ]


def test_without_captured_gradients_no_reason_is_invented() -> None:
    model = nn.Sequential(fc())
    model.get_parameter("0.weight").register_hook(lambda gradient: None)
    with watch(model, every=1) as session:
        hook = session.intervene("0", Zero(), on="grad_input")
        session.disable("gradients")
        model(row()).sum().backward()

        assert session.report(hook).note == (
            "no gradient was changed here; why is not known, since gradients are not captured here"
        )


def test_how_an_intervention_is_built_is_not_listed_as_its_flag() -> None:
    model = nn.Sequential(fc())
    model[0].register_forward_hook(lambda *_: None, with_kwargs=True)
    with watch(model, every=1) as session:
        session.intervene("0", Zero())

        flags = [hook["flags"] for hook in hooks_to_wire(session, session.graph())]

    assert flags == [["with_kwargs"], []]


@pytest.mark.parametrize(
    ("on", "at", "told"),
    [
        ("output", "[:, 99]", "index 99 is out of bounds for dimension 1 with size 4"),
        ("output", "[:, [0, -9]]", "index -9 is out of bounds for dimension 1 with size 4"),
        ("output", "[0, 0, 0]", "too many indices for tensor of dimension 2"),
        ("input", "[3]", "index 3 is out of bounds for dimension 0 with size 3"),
        ("grad_output", "[:, 4]", "index 4 is out of bounds for dimension 1 with size 4"),
    ],
)
def test_a_part_that_the_last_run_did_not_have_is_refused_at_once(on: Any, at: str, told: str) -> None:
    model = nn.Sequential(fc())
    with watch(model, every=1, inputs=True) as session:
        model(torch.ones(3, 4))

        with pytest.raises(InterventionError) as refused:
            session.intervene("0", Zero(), on=on, at=at)

        assert "'0': the tensor was 3×4 in the last captured run and has no part" in str(refused.value)
        assert told in str(refused.value)
        assert session.hooks == []


@pytest.mark.parametrize("on", ["output", "grad_output"])
def test_a_tensor_that_the_last_run_did_not_return_is_refused_at_once(on: Any) -> None:
    model = wired(lambda m, x: m.pair(x), pair=wired(lambda m, x: (x, x)))
    with watch(model, every=1) as session:
        model(torch.ones(1))

        with pytest.raises(
            InterventionError,
            match=r"there was no tensor output\[2\] in the last captured run; there were output\[0\], output\[1\]\.$",
        ):
            session.intervene("pair", Zero(), on=on, leaf=2)
        session.intervene("pair", Zero(), on=on, leaf=1)

        assert len(session.hooks) == 1


@pytest.mark.parametrize("at", ["[:, 3]", "[-3]", "[..., [0, 3]]", "[:, 1:99]", "[:, [1, -1]]"])
def test_a_part_that_was_there_is_taken(at: str) -> None:
    model = nn.Sequential(fc())
    with watch(model, every=1) as session:
        model(torch.ones(3, 4))

        hook = session.intervene("0", Zero(), at=at)
        model(torch.ones(3, 4))

        assert session.report(hook).outcome == "changed"


def test_a_part_is_not_refused_where_nothing_is_known() -> None:
    model = nn.Sequential(fc())
    with watch(model, every=1) as session:
        before = session.intervene("0", Zero(), at="[:, 99]")
        before.remove()
        model(torch.ones(3, 4))

        session.intervene("0", Zero(), on="input", at="[:, 99]")

        assert [hook.label for hook in session.hooks] == ["Zero() on input[:, 99]"]


def test_only_the_call_that_is_meant_has_to_have_the_part() -> None:
    step = nn.Flatten(0)
    model = wired(lambda m, x: (m.step(x), m.step(x[:1])), step=step)
    with watch(model, every=1) as session:
        model(torch.ones(3, 4))

        session.intervene("step", Zero(), at="[8]", call=0)
        with pytest.raises(InterventionError, match=r"the tensor was 4 in the last captured run and has no part \[8\]"):
            session.intervene("step", Zero(), at="[8]")

        assert len(session.hooks) == 1
