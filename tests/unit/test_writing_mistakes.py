"""Hooks and interventions that cannot be, or that break a run, are explained."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from hookviz import Session
from hookviz.errors import ClosedSessionError, HookContractError, InterventionError, OptionError, UnknownModuleError
from hookviz.hooks.interventions import Zero
from hookviz.session import watch
from tests.hooked import double, identity
from tests.models import fc, row, wired


def test_a_wrong_return_value_is_explained_in_the_users_own_backward() -> None:
    model = nn.Sequential(fc())
    watch(model).hook("0", "backward", lambda module, grad_input, grad_output: grad_input[0], label="halve")

    with pytest.raises(HookContractError, match=r"^The backward hook halve on '0' returned Tensor 1×4\. "):
        model(row().requires_grad_()).sum().backward()


@pytest.mark.parametrize("every", [1, 1000])
def test_a_run_that_fails_later_says_which_hook_changed_a_shape(every: int) -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=every)
    model(row())
    session.hook("0", "forward", lambda module, args, output: output[:, :3], label="cut")

    with pytest.raises(RuntimeError, match="shapes cannot be multiplied") as caught:
        model(row())

    (note,) = caught.value.__notes__
    assert note == (
        "The forward hook cut on '0' changed what it was given: Tensor 1×4 → Tensor 1×3. A forward hook returns None "
        "to leave the output as it is, or the value that takes its place; what comes after has to take it."
    )


def test_an_old_output_in_the_place_of_the_new_one_is_told_in_the_report() -> None:
    model = identity()
    session = watch(model, every=1)
    seen: dict[str, torch.Tensor] = {}
    hook = session.hook("first", "forward", lambda module, args, output: seen.setdefault("first", output))
    model(row())
    before = session.report(hook).note

    model(row() * 2)

    assert "earlier call" not in before
    assert session.report(hook).note.endswith(
        "; it returned the output of an earlier call, which took the place of this one (setdefault returns what was "
        "there before): assign with d[key] = output and return nothing"
    )


def test_an_error_that_no_hook_has_to_do_with_stays_as_it_is() -> None:
    model = nn.Sequential(fc())
    watch(model).hook("0", "forward", double)

    with pytest.raises(RuntimeError, match="shapes cannot be multiplied") as caught:
        model(torch.ones(1, 3))

    assert not hasattr(caught.value, "__notes__")


def test_parameter_that_a_lazy_module_has_not_made_yet_says_so() -> None:
    model = nn.Sequential(nn.LazyLinear(3))
    session = watch(model)

    with pytest.raises(OptionError) as caught:
        session.hook("0.weight", "tensor", print)

    assert str(caught.value) == "'0.weight' is made by the first call of LazyLinear; run the model once, then hook it."


WRONG: list[tuple[Callable[[Session], Any], type[Exception], str]] = [
    (
        lambda session: session.hook("frist", "forward", double),
        UnknownModuleError,
        (
            "Wired has no module or parameter at 'frist'. Nearest: 'first', 'first.bias', 'first.weight'. "
            "All paths of modules: session.paths()."
        ),
    ),
    (
        lambda session: session.hook("first", "tensor", print),
        OptionError,
        "A tensor hook goes on a tensor; 'first' is a module, which has 'first.weight', 'first.bias'.",
    ),
    (
        lambda session: session.hook("first.weight", "forward", double),
        OptionError,
        (
            "A forward hook goes on a module; 'first.weight' is a tensor, whose hooks are of the kinds "
            '"tensor" and "post_accumulate_grad".'
        ),
    ),
    (
        lambda session: session.hook(nn.ReLU(), "forward", double),
        OptionError,
        "This ReLU is no module of Wired; session.paths() lists them.",
    ),
    (
        lambda session: session.hook(3, "forward", double),  # type: ignore[call-overload]  # that is the mistake
        OptionError,
        "A forward hook goes on a module, or its path; got int 3.",
    ),
    (
        lambda session: session.hook(torch.ones(1), "tensor", print),
        OptionError,
        (
            "The tensor does not require grad, so no gradient arrives that a tensor hook could see. "
            "Set requires_grad_(True) on it before it is used."
        ),
    ),
    (
        lambda session: session.intervene("first", Zero),  # type: ignore[arg-type]  # that is the mistake
        InterventionError,
        "Zero is a class: write Zero(...).",
    ),
    (
        lambda session: session.intervene("first", double),  # type: ignore[arg-type]  # that is the mistake
        InterventionError,
        (
            "An intervention is Zero(), Scale(...), Add(...), Clamp(...), Noise(...) or Replace(...); got function. "
            'For a function of your own: session.hook(path, "forward", function).'
        ),
    ),
    (
        lambda session: session.intervene("first", Zero(), "outputs"),  # type: ignore[arg-type]  # that is the mistake
        InterventionError,
        "on is one of 'output', 'input', 'grad_output', 'grad_input'; got 'outputs'.",
    ),
    (
        lambda session: session.intervene("first", Zero(), call=-1),
        InterventionError,
        "call is the number of a call within a run, from 0, or None for all; got -1.",
    ),
]


@pytest.mark.parametrize(("write", "error", "words"), WRONG)
def test_a_mistake_is_explained_and_registers_nothing(
    write: Callable[[Session], Any], error: type[Exception], words: str
) -> None:
    model = wired(lambda model, x: model.first(x), first=fc())
    session = watch(model)

    with pytest.raises(error, match=f"^{re.escape(words)}$"):
        write(session)

    assert session.hooks == []


def test_a_closed_session_writes_no_hooks() -> None:
    model = fc()
    session = watch(model)
    session.close()

    with pytest.raises(ClosedSessionError):
        session.hook("", "forward", double)
    with pytest.raises(ClosedSessionError):
        session.intervene("", Zero())
