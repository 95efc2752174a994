"""A switch that is moved while the model is at work waits for the next run."""

import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from hookviz.hooks.hook import Hook
from hookviz.session import watch
from tests.hooked import Calls, batch, model_of, of


def elsewhere(action: Callable[[], None]) -> None:
    """Act in another thread and wait for it."""
    thread = threading.Thread(target=action)
    thread.start()
    thread.join()


class Switching(nn.Module):
    """Does something in the middle of its forward."""

    def __init__(self) -> None:
        super().__init__()
        self.act: Callable[[], None] = lambda: None

    def forward(self, x: Tensor) -> Tensor:
        self.act()
        return x


def switching_and_hooked() -> tuple[nn.Sequential, Switching, Callable[..., Any], Calls]:
    """A model that acts in its first layer, the hook on its second, and where that is written down."""
    calls, switching = Calls(), Switching()
    model = model_of(switching, nn.Tanh())
    look = calls.hook("look")
    model[1].register_forward_hook(look)
    return model, switching, look, calls


def test_a_switch_in_the_middle_of_a_run_acts_from_the_next_one() -> None:
    model, switching, look, calls = switching_and_hooked()
    session = watch(model)
    hook = of(session, look)
    switching.act = hook.disable

    model(batch())
    assert (calls, hook.enabled, hook.is_pending) == (["look"], False, True)

    switching.act = lambda: None
    model(batch())
    assert (calls, hook.enabled, hook.is_pending) == (["look"], False, False)


def test_a_switch_from_another_thread_waits_for_the_run() -> None:
    model, switching, look, calls = switching_and_hooked()
    hook = of(watch(model), look)
    switching.act = lambda: elsewhere(hook.disable)

    model(batch())

    assert (calls, hook.is_pending) == (["look"], True)


def test_a_switch_from_another_thread_acts_at_once_between_runs() -> None:
    calls = Calls()
    model = model_of()
    look = calls.hook("look")
    model[0].register_forward_hook(look)
    hook = of(watch(model), look)

    elsewhere(hook.disable)

    assert not hook.is_pending
    model(batch())
    assert calls == []


def hooked_parameters(model: nn.Sequential, act: Callable[[], None], calls: Calls) -> Callable[..., None]:
    """A hook on the first layer's weight that runs after one on the second layer's, which acts."""
    look = calls.hook("look")
    model.get_parameter("1.weight").register_post_accumulate_grad_hook(lambda _: act())
    model.get_parameter("0.weight").register_hook(look)
    return look


def test_a_switch_in_the_middle_of_a_backward_pass_acts_from_the_next_run() -> None:
    calls = Calls()
    model = model_of(nn.Linear(3, 3), nn.Linear(3, 3))
    listed: list[Hook] = []

    def switch() -> None:
        listed[0].disable()

    look = hooked_parameters(model, switch, calls)
    listed.append(of(watch(model), look))

    model(batch()).sum().backward()
    assert (calls, listed[0].is_pending) == (["look"], True)

    model(batch()).sum().backward()
    assert calls == ["look"]


def test_a_switch_from_another_thread_waits_for_the_backward_pass() -> None:
    calls = Calls()
    model = model_of(nn.Linear(3, 3), nn.Linear(3, 3))
    listed: list[Hook] = []
    look = hooked_parameters(model, lambda: elsewhere(listed[0].disable), calls)
    listed.append(of(watch(model), look))

    model(batch()).sum().backward()

    assert (calls, listed[0].is_pending) == (["look"], True)


def test_reading_the_list_between_runs_makes_the_changes_that_wait() -> None:
    model, switching, look, _ = switching_and_hooked()
    session = watch(model)
    hook = of(session, look)
    switching.act = hook.disable
    model(batch())

    (listed,) = session.hooks

    assert listed is hook
    assert not hook.is_pending
    assert not hook.enabled


def test_a_switch_that_is_moved_back_within_the_run_changes_nothing() -> None:
    model, switching, look, _ = switching_and_hooked()
    hook = of(watch(model), look)

    def off_and_on() -> None:
        hook.disable()
        hook.enable()

    switching.act = off_and_on
    model(batch())

    assert (hook.enabled, hook.is_pending) == (True, False)


def test_a_waiting_switch_acts_although_capturing_is_paused() -> None:
    model, switching, look, calls = switching_and_hooked()
    session = watch(model)
    session.pause()
    switching.act = of(session, look).disable

    model(batch())
    model(batch())

    assert calls == ["look"]


def test_hooks_are_switched_from_another_thread_while_the_model_trains() -> None:
    calls = Calls()
    model = model_of()
    hooks = [calls.hook(str(number)) for number in range(5)]
    for function in hooks:
        model[0].register_forward_hook(function)
        model[0].register_full_backward_hook(function)
    session = watch(model)
    listed = session.hooks
    is_over = threading.Event()
    errors: list[BaseException] = []

    def switch() -> None:
        try:
            for number in range(400):
                hook = listed[number % len(listed)]
                hook.disable()
                hook.enable()
        except BaseException as error:  # noqa: BLE001  # told to the test
            errors.append(error)
        is_over.set()

    thread = threading.Thread(target=switch)
    thread.start()
    while not is_over.is_set():
        model(torch.ones(1, 3, requires_grad=True)).sum().backward()
    thread.join()
    session.close()

    assert errors == []
    assert list(model[0]._forward_hooks.values()) == hooks
    assert list(model[0]._backward_hooks.values()) == hooks
