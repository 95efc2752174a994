"""Hooks written through the session are PyTorch's own, listed, switched and removed."""

import copy
import gc
import io
import re
import threading
import time
from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.hooks.interventions import Zero
from hookviz.session import watch
from tests.hooked import double, identity
from tests.models import fc, row, wired


def test_a_written_hook_is_pytorchs_own_and_in_the_list() -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    hook = session.hook("0", "forward", double)

    assert list(model[0]._forward_hooks.values()) == [double]
    assert session.hooks == [hook]
    assert (hook.kind, hook.path, hook.label, hook.owner, hook.function) == (
        "forward",
        "0",
        "double",
        "hookviz",
        double,
    )
    assert re.fullmatch(r"hooked\.py:\d+", hook.source)


def test_a_written_hook_acts_and_is_switched() -> None:
    model = identity()
    hook = watch(model).hook("first", "forward", double)
    on = model(row())[0, 0].item()

    hook.disable()
    off = model(row())[0, 0].item()
    hook.enable()

    assert (on, off, model(row())[0, 0].item()) == (2.0, 1.0, 2.0)


def test_a_removed_hook_leaves_nothing() -> None:
    model = identity()
    session = watch(model)
    hook = session.hook("first", "forward", double, with_kwargs=False)

    hook.remove()

    assert not model.first._forward_hooks
    assert session.hooks == []
    assert model(row())[0, 0].item() == 1.0


def test_hooks_that_came_and_went_leave_no_objects() -> None:
    model = identity()
    session = watch(model)

    def come_and_go() -> int:
        for _ in range(200):
            session.intervene("first", Zero()).remove()
            hook = session.hook("second", "forward", double)
            hook.disable()
            hook.remove()
        del hook
        gc.collect()
        return len(gc.get_objects())

    come_and_go()
    before = come_and_go()

    assert come_and_go() - before < 20


def test_closing_removes_what_was_written_while_another_hook_was_off() -> None:
    model = identity()
    session = watch(model)
    session.hook("first", "backward", lambda module, grad_input, grad_output: None).disable()
    session.hook("second", "forward", double)

    session.close()

    assert not model.first._backward_hooks


def test_closing_takes_all_off_that_was_written() -> None:
    model = identity()
    session = watch(model)
    loose = torch.ones(1, requires_grad=True)
    session.hook("first", "forward", double).disable()
    session.hook("first", "backward", lambda module, grad_input, grad_output: None).disable()
    session.hook("second", "forward_pre", lambda module, args: None)
    session.hook(loose, "tensor", lambda grad: None)
    session.intervene("second", Zero())

    session.close()

    for table in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"):
        assert not getattr(model.first, table)
        assert not getattr(model.second, table)
    assert not loose._backward_hooks


def test_closing_leaves_the_hooks_of_others() -> None:
    model = identity()
    model.first.register_forward_hook(double)
    session = watch(model)
    session.hook("first", "forward", double)

    session.close()

    assert list(model.first._forward_hooks.values()) == [double]


def test_a_decorated_function_stays_what_it_is() -> None:
    model = identity()
    session = watch(model)

    @session.hook("first", "forward", label="triple it")
    def triple(_module: nn.Module, _args: Any, output: torch.Tensor) -> torch.Tensor:
        return output * 3

    assert triple(model, (), torch.tensor(2.0)).item() == 6.0
    assert [hook.label for hook in session.hooks] == ["triple it"]
    assert model(row())[0, 0].item() == 3.0


def test_flags_are_listed() -> None:
    model = identity()
    session = watch(model)

    hook = session.hook(
        "first", "forward", lambda module, args, kwargs, output: None, with_kwargs=True, always_call=True
    )

    assert hook.flags == {"with_kwargs", "always_call"}


def test_a_prepended_hook_runs_first() -> None:
    model = identity()
    session = watch(model)
    session.hook("first", "forward", lambda module, args, output: output + 1, label="second")
    session.hook("first", "forward", double, label="first", prepend=True)

    assert [hook.label for hook in session.hooks] == ["first", "second"]
    assert model(row())[0, 0].item() == 3.0


def test_a_module_may_be_given_itself() -> None:
    model = nn.Sequential(fc(), nn.ReLU())

    assert watch(model).hook(model[1], "forward", double).path == "1"


def test_a_shared_module_is_listed_under_its_first_path() -> None:
    shared = nn.Identity()
    model = nn.ModuleDict({"a": shared, "b": shared})

    assert watch(model).hook("b", "forward", double).path == "a"


@pytest.mark.parametrize("copied", ["deepcopy", "save"])
def test_a_copy_of_the_model_has_the_users_function(copied: str) -> None:
    model = nn.Sequential(fc())
    watch(model).hook("0", "forward", double)

    if copied == "deepcopy":
        again = copy.deepcopy(model)
    else:
        file = io.BytesIO()
        torch.save(model, file)
        file.seek(0)
        again = torch.load(file, weights_only=False)

    assert [type(hook) for hook in again[0]._forward_hooks.values()] == [type(double)]


def test_what_is_written_while_another_thread_runs_the_model_acts_from_the_next_run_on() -> None:
    is_inside, may_go_on = threading.Event(), threading.Event()

    def wait(model: Any, x: torch.Tensor) -> torch.Tensor:
        is_inside.set()
        assert may_go_on.wait(timeout=60)
        return x

    model = nn.Sequential(wired(wait), nn.Identity())
    session = watch(model, every=1)
    outputs: list[float] = []
    thread = threading.Thread(target=lambda: outputs.append(model(row()).sum().item()))
    thread.start()
    assert is_inside.wait(timeout=60)

    hook = session.intervene("1", Zero())
    state = (hook.enabled, hook.is_pending)
    may_go_on.set()
    thread.join()
    outputs.append(model(row()).sum().item())

    assert state == (True, True)
    assert outputs == [4.0, 0.0]
    assert (hook.enabled, hook.is_pending) == (True, False)


def test_hooks_on_each_of_a_thousand_modules_take_no_look_at_the_whole_model_each() -> None:
    model = nn.Sequential(*(nn.Sequential(*(nn.Identity() for _ in range(9))) for _ in range(100)))
    with hookviz.watch(model) as session:
        paths = session.paths()
        began = time.thread_time()

        for path in paths:
            session.hook(path, "forward", lambda *_: None)

        # A second on a busy machine; with a look at all modules each time, seven of them.
        assert time.thread_time() - began < 1.0
        assert len(session.hooks) == len(paths) == 1001


def test_a_hook_goes_on_the_module_that_took_the_place_of_another() -> None:
    model = nn.Sequential(nn.Identity(), nn.Sequential(nn.Identity()))
    with hookviz.watch(model) as session:
        model[1] = nn.Sequential(nn.Identity())

        session.hook("1.0", "forward", lambda *_: None)

        assert len(model.get_submodule("1.0")._forward_hooks) == 1
