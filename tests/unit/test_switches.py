"""Hooks of others go off and on again, until the session is closed."""

import pytest
from torch import nn

from hookviz.errors import ClosedSessionError, HookGoneError, ProtectedHookError
from hookviz.session import Session, WatchOptions, watch
from tests.hooked import Calls, batch, model_of, of


def test_a_hook_that_is_off_does_not_run_until_it_is_on_again() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model[0].register_forward_hook(look, with_kwargs=True, always_call=True)
    hook = of(watch(model), look)

    hook.disable()
    model(batch())
    assert (calls, hook.enabled) == ([], False)

    hook.enable()
    model(batch())
    assert (calls, hook.enabled) == (["look"], True)


def test_flags_survive_and_go_with_the_hook() -> None:
    model = model_of()
    given: list[int] = []

    def count(*arguments: object) -> None:
        given.append(len(arguments))

    handle = model[0].register_forward_hook(count, with_kwargs=True, always_call=True)
    hook = of(watch(model), count)

    hook.disable()
    hook.enable()
    model(batch())
    handle.remove()

    assert given == [4]
    assert hook.flags == {"with_kwargs", "always_call"}
    assert not model[0]._forward_hooks_with_kwargs
    assert not model[0]._forward_hooks_always_called


@pytest.mark.parametrize("kind", ["forward", "full_backward"])
def test_a_hook_that_is_removed_while_off_stays_gone(kind: str) -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    handle = getattr(model[0], f"register_{kind}_hook")(look)
    session = watch(model)
    hook = of(session, look)
    hook.disable()

    handle.remove()

    with pytest.raises(HookGoneError, match="its owner removed it"):
        hook.enable()
    model(batch()).sum().backward()
    assert calls == []
    assert session.hooks == []


@pytest.mark.parametrize("kind", ["forward", "full_backward"])
def test_a_with_block_that_ends_while_its_hook_is_off_removes_it(kind: str) -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    with getattr(model[0], f"register_{kind}_hook")(look):
        session = watch(model)
        of(session, look).disable()

    session.close()

    model(batch()).sum().backward()
    assert calls == []


@pytest.mark.parametrize("kind", ["forward", "backward"])
def test_a_table_that_is_cleared_while_a_hook_is_off_has_lost_it(kind: str) -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    getattr(model[0], "register_full_backward_hook" if kind == "backward" else "register_forward_hook")(look)
    session = watch(model)
    of(session, look).disable()

    getattr(model[0], f"_{kind}_hooks").clear()
    session.close()

    model(batch()).sum().backward()
    assert calls == []


def test_a_handle_still_removes_a_hook_that_was_off() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    handle = model[0].register_full_backward_hook(look)
    hook = of(watch(model), look)
    hook.disable()
    hook.enable()

    handle.remove()

    model(batch()).sum().backward()
    assert calls == []


class KeepsItsClass:
    """A callable object, whose owner looks for it by its class."""

    name = "weight"

    def __call__(self, *_: object) -> None:
        raise AssertionError("it is off")


def test_an_owner_finds_an_object_that_is_off_by_its_class_and_attributes() -> None:
    model = model_of()
    look = KeepsItsClass()
    model[0].register_forward_pre_hook(look)

    of(watch(model), look).disable()

    (stand_in,) = model[0]._forward_pre_hooks.values()
    assert isinstance(stand_in, KeepsItsClass)
    assert stand_in.name == "weight"
    model(batch())


def test_an_owner_finds_a_function_that_is_off_by_equality() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model[0].register_forward_hook(look)

    of(watch(model), look).disable()

    assert look in list(model[0]._forward_hooks.values())


def test_closing_puts_everything_on_again() -> None:
    calls = Calls()
    model = model_of()
    for name in "ab":
        model[0].register_forward_hook(calls.hook(name))
        model[0].register_full_backward_hook(calls.hook(name.upper()))
    before = [dict(model[0]._forward_hooks), dict(model[0]._backward_hooks)]
    session = watch(model)
    hooks = session.hooks
    for hook in hooks:
        hook.disable()
    assert not model[0]._backward_hooks

    session.close()

    assert [dict(model[0]._forward_hooks), dict(model[0]._backward_hooks)] == before
    assert vars(model[0]._backward_hooks) == {}
    model(batch()).sum().backward()
    assert calls == ["a", "b", "A", "B"]
    with pytest.raises(ClosedSessionError, match="all hooks are on"):
        hooks[0].disable()


def test_a_hook_of_others_cannot_be_removed() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model[0].register_forward_hook(look)

    with pytest.raises(ProtectedHookError, match="its owner holds the handle"):
        of(watch(model), look).remove()


def test_many_hooks_are_switched_at_once_and_the_refused_ones_told() -> None:
    calls = Calls()
    model = model_of(nn.LazyLinear(3))
    look = calls.hook("look")
    model[0].register_forward_pre_hook(look)
    session = watch(model)
    listed = [hook for hook in session.hooks if hook.kind == "forward_pre"]

    refused = session.switch_hooks(listed, on=False)

    assert [hook.label for hook, _ in refused] == ["LazyModuleMixin._infer_parameters"]
    assert [hook.enabled for hook in listed] == [True, False]


def test_two_sessions_see_the_same_switches() -> None:
    calls = Calls()
    model = model_of()
    look, back = calls.hook("look"), calls.hook("back")
    model[0].register_forward_hook(look)
    model[0].register_full_backward_hook(back)
    first, second = Session(model, WatchOptions()), Session(model, WatchOptions())
    for function in (look, back):
        of(first, function).disable()

    assert [hook.enabled for hook in second.hooks] == [False, False]
    for hook in second.hooks:
        hook.enable()

    assert [hook.enabled for hook in first.hooks] == [True, True]
    for session in (first, second):
        session.close()
