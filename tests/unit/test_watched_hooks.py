"""Hooks that are watched run as they do without: same objects, same order, same errors, nothing left behind."""

import threading
import traceback
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from hookviz.session import Session, watch
from tests.models import fc, row


@pytest.fixture
def model() -> nn.Linear:
    return fc()


def third(_module: nn.Module, grad_input: Any, _grad_output: Any) -> Any:
    return (grad_input[0] / 3,)


def test_the_caller_gets_the_very_object_that_the_hook_returned(model: nn.Linear, session: Session) -> None:
    replaced = torch.zeros(1, 4)
    model.register_forward_hook(lambda module, args, output: replaced)

    assert model(row()) is replaced


def test_the_hook_gets_the_very_objects_of_the_call(model: nn.Linear, session: Session) -> None:
    seen: list[Any] = []
    model.register_forward_hook(lambda *given: seen.extend(given))
    x = row()

    output = model(x)

    assert seen[0] is model
    assert seen[1][0] is x
    assert seen[2] is output


def test_a_replaced_gradient_is_the_one_that_flows_on(model: nn.Linear, session: Session) -> None:
    model.register_full_backward_hook(lambda module, grad_input, grad_output: (torch.full((1, 4), 7.0),))
    x = row().requires_grad_()

    model(x).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [[7.0, 7.0, 7.0, 7.0]]


def test_backward_hooks_of_a_run_work_after_the_session_closed(model: nn.Linear) -> None:
    log: list[str] = []
    model.register_full_backward_hook(lambda *_: log.append("backward"))
    with watch(model, every=1) as session:
        loss = model(row().requires_grad_()).sum()

    loss.backward()

    assert log == ["backward"]
    assert session.effects() == []


def test_a_module_that_calls_itself_has_the_effects_of_each_call() -> None:
    class Countdown(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return self(x - 1) if x > 0 else x

    model = Countdown()
    model.register_forward_hook(lambda module, args, output: output + 10)
    hook = next(iter(model._forward_hooks.values()))

    with watch(model, every=1) as session:
        output = model(torch.tensor(2.0))

        assert [effect.call for effect in session.effects()] == [2, 1, 0]
    assert output.item() == 30
    assert next(iter(model._forward_hooks.values())) is hook


def test_the_traceback_of_a_hook_that_raises_in_forward_does_not_show_that_it_was_watched(
    model: nn.Linear, session: Session
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no")

    model.register_forward_hook(fail)

    with pytest.raises(ValueError, match="no") as raised:
        model(row())

    frames = traceback.extract_tb(raised.value.__traceback__)
    assert frames[-1].name == "fail"
    assert [frame.filename for frame in frames if "/hooks/watched_hooks" in frame.filename] == []


def test_the_dispatch_mode_of_the_user_sees_no_operation_of_ours(model: nn.Linear, session: Session) -> None:
    class Log(TorchDispatchMode):
        operations: ClassVar[list[str]] = []

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.operations.append(str(func))
            return func(*args, **(kwargs or {}))

    model.register_forward_hook(lambda module, args, output: output.mul(2))

    x = row()
    with Log() as log:  # type: ignore[no-untyped-call]  # torch gives it no types
        model(x)

    assert log.operations == ["aten.t.default", "aten.addmm.default", "aten.mul.Tensor"]


def test_the_random_numbers_and_the_gradients_are_those_of_a_run_without_us() -> None:
    def run(*, is_watched: bool) -> list[Tensor]:
        torch.manual_seed(0)
        model = nn.Linear(4, 4)
        model.register_forward_pre_hook(lambda module, args: args[0] + torch.randn(4))
        model.register_forward_hook(lambda module, args, output: nn.functional.dropout(output))
        model.register_full_backward_hook(third)
        model.weight.register_hook(lambda gradient: gradient / 3)
        x = torch.randn(4, requires_grad=True)
        session = watch(model, every=1) if is_watched else None
        output = model(x)
        output.sum().backward()
        if session is not None:
            assert len(session.effects()) == 4
            session.close()
        assert x.grad is not None
        assert model.weight.grad is not None
        return [output, x.grad, model.weight.grad, torch.randn(4)]

    assert all(torch.equal(one, other) for one, other in zip(run(is_watched=True), run(is_watched=False), strict=True))


def test_inference_mode_is_recorded_too(model: nn.Linear, session: Session) -> None:
    def double(_module: nn.Module, _args: object, output: Tensor) -> None:
        output.mul_(2)

    model.register_forward_hook(double)

    with torch.inference_mode():
        model(row())

    assert [effect.text for effect in session.effects()] == ["edited the output in place"]


def test_another_thread_in_the_model_is_not_part_of_the_run() -> None:
    class Threaded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = fc()

        def forward(self, x: Tensor, *, again: bool = True) -> Tensor:
            if again:
                thread = threading.Thread(target=lambda: self(x, again=False))
                thread.start()
                thread.join()
            return x * 1

    log: list[int] = []
    model = Threaded()
    model.register_forward_hook(lambda *_: log.append(1))
    with watch(model, every=1) as session:
        model(row())

        assert [effect.call for effect in session.effects()] == [0]
        assert session.report(session.hooks[0]).fired == 1
    assert log == [1, 1]


def test_a_fault_of_ours_does_not_reach_the_hook(
    model: nn.Linear, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr("hookviz.capture.hook_recorder.value_given", break_down)
    model.register_forward_hook(lambda module, args, output: torch.ones(1))

    with pytest.warns(UserWarning, match="ours"):
        output = model(row())

    assert output.tolist() == [1.0]
    assert session.problem == "Watching hooks failed with RuntimeError: ours"
