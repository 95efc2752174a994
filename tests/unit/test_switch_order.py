"""A hook that is on again runs where it ran before."""

import itertools
from collections.abc import Callable

import pytest
from torch import nn
from torch.utils.hooks import RemovableHandle

from hookviz.session import watch
from tests.hooked import Calls, batch, model_of, of

REGISTER: dict[str, Callable[[nn.Module], Callable[..., RemovableHandle]]] = {
    "forward": lambda module: module.register_forward_hook,
    "backward": lambda module: module.register_full_backward_hook,
}


@pytest.mark.parametrize("kind", ["forward", "backward"])
def test_a_hook_comes_back_between_its_old_neighbours(kind: str) -> None:
    calls = Calls()
    model = model_of()
    register = REGISTER[kind](model[0])
    hooks = {name: calls.hook(name) for name in "abcdz"}
    for name in "abc":
        register(hooks[name])
    hook = of(watch(model), hooks["b"])

    hook.disable()
    register(hooks["d"])
    register(hooks["z"], prepend=True)
    hook.enable()

    model(batch()).sum().backward()
    assert calls == ["z", "a", "b", "c", "d"]


@pytest.mark.parametrize("kind", ["forward", "backward"])
def test_a_hook_comes_back_in_its_place_when_its_neighbours_are_gone(kind: str) -> None:
    calls = Calls()
    model = model_of()
    register = REGISTER[kind](model[0])
    hooks = {name: calls.hook(name) for name in "abcd"}
    handles = {name: register(hooks[name]) for name in "abc"}
    hook = of(watch(model), hooks["b"])

    hook.disable()
    handles["a"].remove()
    handles["c"].remove()
    register(hooks["d"])
    hook.enable()

    model(batch()).sum().backward()
    assert calls == ["b", "d"]


@pytest.mark.parametrize("order", list(itertools.permutations("bcd")))
def test_several_hooks_come_back_in_whatever_order_they_are_switched(order: tuple[str, ...]) -> None:
    calls = Calls()
    model = model_of()
    hooks = {name: calls.hook(name) for name in "abcde"}
    for name in "abcde":
        model[0].register_full_backward_hook(hooks[name])
    session = watch(model)
    listed = {name: of(session, hooks[name]) for name in "bcd"}

    for name in "cbd":
        listed[name].disable()
    assert [hook.function for hook in session.hooks] == [hooks[name] for name in "abcde"]
    for name in order:
        listed[name].enable()

    model(batch()).sum().backward()
    assert calls == ["a", "b", "c", "d", "e"]
