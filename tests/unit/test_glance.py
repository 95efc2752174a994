"""One pass over a model tells whether its modules are as they were, and where hooks may be."""

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import nn

from hookviz.hooks.glance import Glance
from hookviz.hooks.paths import ModuleIndex
from hookviz.session import watch


def look(*_: object) -> None:
    """A hook that only looks."""


def stack() -> nn.Sequential:
    """Three modules, two of which have buffers."""
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.BatchNorm1d(2), nn.ReLU())
    model[2].register_buffer("scale", torch.ones(2, requires_grad=True))
    return model


def hook_the_buffer(model: nn.Sequential) -> None:
    model.get_buffer("2.scale").register_hook(look)


def put_something_else(model: nn.Sequential) -> None:
    model[1]._buffers["text"] = "no tensor"  # type: ignore[assignment]  # that is the matter


HOOKS: tuple[Callable[[nn.Sequential], object], ...] = (
    lambda model: model[0].register_forward_pre_hook(look),
    lambda model: model[2].register_forward_hook(look),
    lambda model: model[0].register_full_backward_pre_hook(look),
    lambda model: model[0].register_full_backward_hook(look),
    lambda model: model.register_state_dict_pre_hook(look),
    lambda model: model[0].register_state_dict_post_hook(look),
    lambda model: model[0].register_load_state_dict_pre_hook(look),
    lambda model: model[0].register_load_state_dict_post_hook(look),
    lambda model: setattr(model[2], "forward", torch.tanh),
    lambda model: model.get_parameter("0.weight").register_hook(look),
    lambda model: model.get_parameter("1.bias").register_post_accumulate_grad_hook(look),
    hook_the_buffer,
)

CHANGES: tuple[Callable[[nn.Sequential], object], ...] = (
    lambda model: model.append(nn.ReLU()),
    lambda model: model.__delitem__(2),
    lambda model: model.__setitem__(0, nn.Linear(2, 2)),
    lambda model: model._modules.update({"other": model._modules.pop("2")}),
    lambda model: model[2].register_module("inner", nn.ReLU()),
)


def test_where_nothing_is_hooked_no_module_may_have_hooks() -> None:
    model = stack()

    assert Glance(ModuleIndex(model)).carriers() == []


@pytest.mark.parametrize("hook", HOOKS)
def test_what_has_a_hook_or_has_tensors_with_hooks_is_among_the_carriers(
    hook: Callable[[nn.Sequential], object],
) -> None:
    model = stack()
    glance = Glance(ModuleIndex(model))

    hook(model)

    assert glance.carriers()


def test_only_the_module_with_the_hook_is_given() -> None:
    model = stack()
    glance = Glance(ModuleIndex(model))

    model[2].register_forward_hook(look)

    assert glance.carriers() == [model[2]]


@pytest.mark.parametrize("change", CHANGES)
def test_other_modules_than_those_that_were_read_are_noticed(change: Callable[[nn.Sequential], object]) -> None:
    model = stack()
    glance = Glance(ModuleIndex(model))

    change(model)

    assert glance.carriers() is None


def test_a_seam_that_is_gone_is_noticed_and_put_back_by_the_next_run() -> None:
    model = stack()
    session = watch(model, every=1)
    model(torch.ones(2, 2))
    seam = model[0].__dict__.pop("_compiled_call_impl")

    model(torch.ones(2, 2))

    assert model[0].__dict__["_compiled_call_impl"] is not seam
    run = session.run
    assert run is not None
    assert [call.path for call in run.calls] == ["", "0", "1", "2"]


def test_a_model_that_is_gone_is_not_taken_for_another_one_in_its_place() -> None:
    model = stack()
    glance = Glance(ModuleIndex(model))

    del model

    assert glance.carriers() is None


@pytest.mark.parametrize(
    "change", [put_something_else, lambda model: model[1].__dict__.pop("_state_dict_hooks")], ids=["tensors", "tables"]
)
def test_what_cannot_be_read_in_one_pass_is_read_in_full(change: Callable[[nn.Sequential], object]) -> None:
    model = stack()
    session = watch(model, every=1)
    change(model)
    model(torch.ones(2, 2))
    before = session.structure_version

    model[0].register_forward_hook(look)
    model(torch.ones(2, 2))

    assert session.structure_version > before
    assert session.problem == ""


def test_scripted_and_lazy_parts_are_read_in_one_pass() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scripted = torch.jit.script(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
    model = nn.Sequential(scripted, nn.LazyLinear(2))

    assert Glance(ModuleIndex(model)).carriers() is not None


@pytest.mark.parametrize("hook", HOOKS)
def test_the_next_captured_run_notices_hooks_that_came_and_that_went(hook: Callable[[nn.Sequential], object]) -> None:
    model = stack()
    session = watch(model, every=1)
    model(torch.ones(2, 2))
    versions = [session.structure_version]

    hook(model)
    model(torch.ones(2, 2))
    versions.append(session.structure_version)
    for module in model.modules():
        module.__dict__.pop("forward", None)
        for name in [name for name in vars(module) if name.endswith("_hooks")]:
            getattr(module, name).clear()
        for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
            for hooks in (tensor._backward_hooks, tensor._post_accumulate_grad_hooks):
                if hooks:
                    hooks.clear()
    model(torch.ones(2, 2))
    versions.append(session.structure_version)

    assert versions[0] < versions[1] < versions[2]


def test_the_next_captured_run_notices_a_hook_that_was_replaced() -> None:
    model = stack()
    session = watch(model, every=1)
    handle = model[0].register_forward_hook(look)
    model(torch.ones(2, 2))
    before = session.structure_version

    handle.remove()
    model[0].register_forward_hook(look)
    model(torch.ones(2, 2))

    assert session.structure_version > before


def test_a_hook_that_is_off_stays_listed_where_no_other_is() -> None:
    model = stack()
    session = watch(model, every=1)
    model[0].register_full_backward_hook(look)
    model(torch.ones(2, 2))
    session.hooks[0].disable()
    model(torch.ones(2, 2))
    before = session.structure_version

    model(torch.ones(2, 2))

    assert session.structure_version == before
    assert [hook.kind for hook in session.hooks] == ["backward"]
