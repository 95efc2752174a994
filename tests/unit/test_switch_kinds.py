"""Hooks of each kind are as good as absent while they are off."""

import pytest
import torch
from torch import Tensor, nn
from torch.autograd.graph import get_gradient_edge
from torch.nn.modules import module as torch_module
from torch.nn.utils import parametrizations

from hookviz.session import watch
from tests.hooked import Calls, batch, model_of, of


def test_a_state_dict_hook_is_switched_while_the_table_is_walked() -> None:
    calls = Calls()
    model = model_of()
    second = calls.hook("second")

    def first(*_: object) -> None:
        listed.disable()

    model[0].register_state_dict_pre_hook(first)
    model[0].register_state_dict_pre_hook(second)
    listed = of(watch(model), second)

    model.state_dict()

    assert calls == []


def test_a_parameters_hook_is_off_for_the_backward_of_a_forward_that_is_over() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model.get_parameter("0.weight").register_hook(look)
    hook = of(watch(model), look)
    loss = model(batch()).sum()

    hook.disable()
    loss.backward()
    assert calls == []

    hook.enable()
    model(batch()).sum().backward()
    assert calls == ["look"]


def test_hooks_around_the_accumulation_of_a_gradient_go_off_and_on() -> None:
    calls = Calls()
    model = model_of()
    weight = model.get_parameter("0.weight")
    node = get_gradient_edge(weight).node
    hooks = [calls.hook(name) for name in ("before", "accumulated", "after")]
    handles = [
        node.register_prehook(hooks[0]),
        weight.register_post_accumulate_grad_hook(hooks[1]),
        node.register_hook(hooks[2]),
    ]
    session = watch(model)
    listed = [of(session, hook) for hook in hooks]
    assert [f"{hook.kind} {hook.path} {sorted(hook.flags)}" for hook in listed] == [
        "grad_accumulator 0.weight ['pre']",
        "post_accumulate_grad 0.weight []",
        "grad_accumulator 0.weight []",
    ]

    for hook in listed:
        hook.disable()
    model(batch()).sum().backward()
    assert calls == []

    for hook in listed:
        hook.enable()
    model(batch()).sum().backward()
    assert calls == ["before", "accumulated", "after"]

    calls.clear()
    for handle in handles:
        handle.remove()
    model(batch()).sum().backward()
    assert calls == []


def test_a_full_backward_hook_is_off_from_the_next_forward_on() -> None:
    """PyTorch copies these hooks into the graph when forward runs."""
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model[1].register_full_backward_hook(look)
    hook = of(watch(model), look)
    loss = model(batch()).sum()

    hook.disable()

    loss.backward()
    assert calls == ["look"]
    model(batch()).sum().backward()
    assert calls == ["look"]


def test_a_full_backward_hook_that_is_off_does_not_wrap_the_inputs() -> None:
    """With it the model raises, since ReLU edits a view in place."""
    calls = Calls()
    model = model_of(nn.Linear(3, 3), nn.ReLU(inplace=True))
    look = calls.hook("look")
    model[0].register_full_backward_hook(look)
    with pytest.raises(RuntimeError, match="is a view and is being modified inplace"):
        model(batch())

    of(watch(model), look).disable()

    model(batch()).sum().backward()
    assert calls == []


def test_hooks_on_all_modules_go_off_and_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # PyTorch keeps this flag after the last of the hooks is gone.
    monkeypatch.setattr(torch_module, "_global_is_full_backward_hook", None)
    calls = Calls()
    model = model_of(nn.Linear(3, 3))
    forward, backward = calls.hook("forward"), calls.hook("backward")
    with (
        torch_module.register_module_forward_hook(forward),
        torch_module.register_module_full_backward_hook(backward),
        watch(model) as session,
    ):
        for hook in session.hooks:
            hook.disable()
        model(batch()).sum().backward()
        assert [hook.path for hook in session.hooks] == ["global", "global"]
        assert calls == []

        session.close()
        model(batch()).sum().backward()
        assert calls == ["forward", "forward", "backward", "backward"]


def test_a_parametrization_that_is_off_gives_the_original_and_rests() -> None:
    model = model_of(parametrizations.spectral_norm(nn.Linear(3, 3)))
    original = model.get_parameter("0.parametrizations.weight.original")
    state = model.get_buffer("0.parametrizations.weight.0._u")
    before = state.clone()
    x = batch()
    session = watch(model)
    (hook,) = session.hooks

    hook.disable()

    assert (hook.kind, hook.path) == ("parametrization", "0.weight")
    assert torch.equal(model(x), nn.functional.linear(x, original, model.get_parameter("0.bias")))
    assert torch.equal(state, before)
    hook.enable()
    assert not torch.equal(model(x), nn.functional.linear(x, original, model.get_parameter("0.bias")))
    assert "forward" not in vars(model.get_submodule("0.parametrizations.weight.0"))


def test_a_replaced_forward_goes_off_and_on() -> None:
    model = model_of(nn.Identity())

    def doubled(x: Tensor) -> Tensor:
        return x * 2

    model[0].forward = doubled
    hook = of(watch(model), doubled)
    assert (hook.kind, hook.path) == ("patched_forward", "0")

    hook.disable()
    off = model(batch())
    hook.enable()

    assert torch.equal(off, batch())
    assert torch.equal(model(batch()), batch() * 2)
    assert vars(model[0])["forward"] is doubled
