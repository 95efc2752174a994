"""While hooks are watched, and afterwards, PyTorch's tables hold what they held."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from hookviz.session import Session, watch
from tests.hooked import nothing
from tests.models import fc, row


@pytest.fixture
def model() -> nn.Linear:
    return fc()


class Scaling:
    """A hook that is an object, and knows how often it ran."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, _module: nn.Module, _args: object, output: Tensor) -> Tensor:
        self.runs += 1
        return output * 2


def tables(model: nn.Linear) -> list[Any]:
    return [
        list(table.items())
        for table in (
            model._forward_pre_hooks, model._forward_hooks, model._backward_pre_hooks, model._backward_hooks,
            model.weight._backward_hooks or {}, model.weight._post_accumulate_grad_hooks or {},
        )
    ]  # fmt: skip


def hooked(model: nn.Linear) -> None:
    model.register_forward_pre_hook(nothing)
    model.register_forward_hook(Scaling())
    model.register_full_backward_pre_hook(nothing)
    model.register_full_backward_hook(nothing)
    model.weight.register_hook(nothing)
    model.weight.register_post_accumulate_grad_hook(nothing)


def test_the_tables_hold_the_hooks_again_when_the_session_closed(model: nn.Linear) -> None:
    hooked(model)
    before = tables(model)

    with watch(model, every=1):
        model(row().requires_grad_()).sum().backward()

    after = tables(model)
    assert [[key for key, _ in table] for table in after] == [[key for key, _ in table] for table in before]
    assert all(
        hook is other
        for table, others in zip(after, before, strict=True)
        for (_, hook), (_, other) in zip(table, others, strict=True)
    )


def test_the_tables_of_modules_hold_the_hooks_again_after_each_run(model: nn.Linear, session: Session) -> None:
    hooked(model)
    before = tables(model)[:4]

    model(row())

    assert all(
        hook is other
        for table, others in zip(tables(model), before, strict=False)
        for (_, hook), (_, other) in zip(table, others, strict=True)
    )


def test_a_hook_that_removes_itself_is_gone(model: nn.Linear, session: Session) -> None:
    log: list[str] = []

    def once(*_: object) -> None:
        log.append("once")
        handle.remove()

    handle = model.register_forward_hook(once)

    model(row())
    model(row())

    assert log == ["once"]
    assert dict(model._forward_hooks) == {}


def test_a_hook_that_registers_another_leaves_it_there(model: nn.Linear, session: Session) -> None:
    handles: list[RemovableHandle] = []
    model.register_forward_hook(lambda *_: handles.append(model.register_forward_hook(nothing)))

    model(row())

    assert model._forward_hooks[handles[0].id] is nothing


def test_a_hook_that_is_replaced_in_the_table_meanwhile_stays_replaced(model: nn.Linear, session: Session) -> None:
    def replace(*_: object) -> None:
        model._forward_hooks[handle.id] = nothing

    handle = model.register_forward_hook(replace)

    model(row())

    assert model._forward_hooks[handle.id] is nothing


def test_a_hook_finds_itself_in_the_table_by_value_and_class(model: nn.Linear, session: Session) -> None:
    found: list[bool] = []

    def look(module: nn.Module, args: object, output: object) -> None:
        values = list(module._forward_hooks.values())
        found.extend([scaling in values, isinstance(values[0], Scaling), look in values])

    scaling = Scaling()
    model.register_forward_hook(scaling)
    model.register_forward_hook(look)

    model(row())

    assert found == [True, True, True]
    assert scaling.runs == 1


class Copying(nn.Linear):
    """Makes a copy of itself in the middle of its own call."""

    duplicate: Callable[[nn.Module], nn.Module] = staticmethod(copy.deepcopy)

    def forward(self, x: Tensor) -> Tensor:
        COPIES.append(type(self).duplicate(self))
        return super().forward(x)


COPIES: list[nn.Module] = []


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_that_is_made_in_the_middle_of_a_run_has_the_hooks(
    monkeypatch: pytest.MonkeyPatch, duplicate: Callable[[nn.Module], nn.Module]
) -> None:
    monkeypatch.setattr(Copying, "duplicate", staticmethod(duplicate))
    model = Copying(4, 4)
    model.register_forward_hook(nothing)
    model.register_forward_hook(Scaling())

    with watch(model, every=1):
        model(row())

    first, second = COPIES.pop()._forward_hooks.values()
    assert first is nothing
    assert type(second) is Scaling
