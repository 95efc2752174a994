"""Every hook is found, once and in order, and nobody's code runs for it."""

import functools
from collections.abc import Callable
from typing import Any, Self

import pytest
import torch
from torch import Tensor, nn
from torch.nn.modules import module as torch_module
from torch.nn.utils import parametrizations
from torch.utils._python_dispatch import TorchDispatchMode

from hookviz.hooks.hook import Hook
from hookviz.session import watch
from tests.hooked import batch, model_of


def look(*_: object) -> None:
    """A hook that only looks."""


def places(hooks: list[Hook]) -> list[str]:
    return [f"{hook.kind} {hook.path} {hook.order}" for hook in hooks]


def test_hooks_come_module_by_module_in_the_order_in_which_they_run() -> None:
    model = model_of()
    weight = model.get_parameter("0.weight")
    for register in (
        model[1].register_forward_hook,
        weight.register_post_accumulate_grad_hook,
        weight.register_hook,
        model[0].register_full_backward_hook,
        model[0].register_full_backward_pre_hook,
        model[0].register_forward_hook,
        model[0].register_forward_pre_hook,
        model[0].register_forward_hook,
        model.register_forward_hook,
        model[0].register_state_dict_pre_hook,
    ):
        register(look)

    with torch_module.register_module_forward_pre_hook(look):
        hooks = watch(model).hooks

    assert places(hooks) == [
        "global_forward_pre global 0",
        "forward  0",
        "forward_pre 0 0",
        "forward 0 0",
        "forward 0 1",
        "backward_pre 0 0",
        "backward 0 0",
        "tensor 0.weight 0",
        "post_accumulate_grad 0.weight 0",
        "state_dict_pre 0 0",
        "forward 1 0",
    ]


def test_a_hook_that_is_prepended_is_listed_first() -> None:
    model = model_of()
    first = functools.partial(look, "first")
    model[0].register_forward_hook(look)
    model[0].register_forward_hook(first, prepend=True)

    assert [hook.function for hook in watch(model).hooks] == [first, look]


def test_the_same_hook_is_the_same_object_until_it_is_another() -> None:
    model = model_of()
    handle = model[0].register_forward_hook(look)
    session = watch(model)
    (hook,) = session.hooks

    assert session.hooks == [hook]
    handle.remove()
    assert session.hooks == []
    model[0].register_forward_hook(look)
    assert session.hooks != [hook]


def test_hooks_that_come_and_go_are_listed_as_they_are_now() -> None:
    model = model_of()
    session = watch(model)
    assert session.hooks == []

    model.append(nn.ReLU())
    model[2].register_forward_hook(look)
    assert places(session.hooks) == ["forward 2 0"]

    del model[2]
    assert session.hooks == []


def test_a_module_and_a_parameter_at_two_places_are_listed_under_the_first() -> None:
    shared, tied = nn.Linear(3, 3), nn.Linear(3, 3)
    tied.weight = shared.weight
    model = model_of(shared, shared, tied)
    shared.register_forward_hook(look)
    tied.weight.register_hook(look)

    assert places(watch(model).hooks) == ["forward 0 0", "tensor 0.weight 0"]


def test_a_buffers_hook_is_listed() -> None:
    model = model_of(nn.BatchNorm1d(3))
    model.get_buffer("0.running_mean").requires_grad_().register_hook(look)

    assert places(watch(model).hooks) == ["tensor 0.running_mean 0"]


def test_what_hookviz_captures_with_is_not_listed() -> None:
    model = model_of()
    model[0].register_forward_pre_hook(look)
    session = watch(model, every=1, exact=True, inputs=True)
    listed: list[list[str]] = []
    model[1].register_forward_hook(lambda *_: listed.append(places(session.hooks)))
    x = batch()

    model(x).sum().backward()

    assert session.runs_captured == 1
    assert listed == [["forward_pre 0 0", "forward 1 0"]]


class Untouchable:
    """A hook of which no other method may run."""

    def __call__(self, *_: object) -> None: ...

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"{name} was read")

    def __eq__(self, _other: object) -> bool:
        raise AssertionError("it was compared")

    def __hash__(self) -> int:
        raise AssertionError("it was hashed")

    def __bool__(self) -> bool:
        raise AssertionError("it was tested")

    def __repr__(self) -> str:
        raise AssertionError("it was shown")


def test_no_code_of_a_hook_runs_when_it_is_listed_and_switched() -> None:
    model = model_of()
    model[0].register_forward_hook(Untouchable())
    model.get_parameter("0.weight").register_hook(functools.partial(Untouchable()))
    with watch(model) as session:
        hooks = session.hooks

        for hook in hooks:
            hook.disable()
            hook.enable()

    assert [hook.label for hook in hooks] == ["Untouchable.__call__", "Untouchable.__call__"]


def test_a_parametrized_weight_is_not_computed() -> None:
    """In training, each look at it would change the state of spectral_norm."""
    model = model_of(parametrizations.spectral_norm(nn.Linear(3, 3)))
    before = model.get_buffer("0.parametrizations.weight.0._u").clone()

    hooks = watch(model).hooks

    assert places(hooks) == ["parametrization 0.weight 0"]
    assert torch.equal(model.get_buffer("0.parametrizations.weight.0._u"), before)


class Subclass(Tensor):
    """A tensor that does not want to be looked at."""

    @classmethod
    def __torch_function__(cls, *_: object, **__: object) -> Self:
        raise AssertionError("a torch function was called")


def test_the_users_tensors_and_modes_notice_nothing() -> None:
    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func: object, *_: object, **__: object) -> Tensor:
            raise AssertionError(f"{func} was called")

    model = model_of(nn.Linear(3, 3))
    with torch._C.DisableTorchFunction():
        weight = torch.ones(3, 3).as_subclass(Subclass).requires_grad_()
        weight.register_hook(look)
    model[0]._buffers["table"] = weight
    session = watch(model)

    with Mode(), torch.inference_mode():  # type: ignore[no-untyped-call]  # torch gives it no types
        hooks = session.hooks

    assert places(hooks) == ["tensor 0.table 0"]


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model[0].register_forward_hook(look),
        lambda model: model.get_parameter("0.weight").register_hook(look),
        lambda model: model[1].register_state_dict_pre_hook(look),
        lambda model: model.append(model_with_hook()),
        lambda model: setattr(model[1], "forward", torch.sigmoid),
    ],
)
def test_the_version_grows_when_hooks_come(change: Callable[[nn.Sequential], object]) -> None:
    model = model_of()
    session = watch(model)
    before = session.hooks_version
    assert session.hooks_version == before

    change(model)

    assert session.hooks_version > before


def model_with_hook() -> nn.Module:
    layer = nn.ReLU()
    layer.register_forward_hook(look)
    return layer


def test_the_version_grows_when_hooks_are_switched_and_when_they_go() -> None:
    model = model_of()
    handle = model[0].register_full_backward_hook(look)
    session = watch(model)
    (hook,) = session.hooks
    versions = [session.hooks_version]

    hook.disable()
    versions.append(session.hooks_version)
    model(batch()).sum().backward()
    versions.append(session.hooks_version)
    handle.remove()
    versions.append(session.hooks_version)

    first, switched, ran, gone = versions
    assert first < switched == ran < gone
