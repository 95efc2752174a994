"""The probe notices runs, tells an observer of each call, and cleans up however a run ends."""

import threading
import traceback
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.hooks.seam import ATTRIBUTE
from tests.models import fc, wired
from tests.notes import Notes, probed, raising


def test_a_run_is_the_outermost_call_with_all_calls_in_it() -> None:
    model, notes = nn.Sequential(nn.Identity(), nn.Identity()), Notes()
    probed(model, notes)

    model(torch.ones(1))

    assert notes.lines == ["begin", "enter", "enter 0", "leave 0", "enter 1", "leave 1", "leave", "end"]


def test_a_part_that_is_called_by_itself_is_a_run_of_that_part() -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes()
    probed(model, notes)

    model[0](torch.ones(1))

    assert notes.lines == ["begin 0", "enter 0", "leave 0", "end"]


def test_an_unobserved_run_tells_of_no_call() -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes(observes=False)
    probed(model, notes)

    model(torch.ones(1))
    model(torch.ones(1))

    assert notes.lines == ["begin", "begin"]


def test_after_a_pre_hook_the_observer_gets_what_forward_receives() -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes()
    probed(model, notes)
    model[0].register_forward_pre_hook(lambda module, args: (args[0] + 1,))

    model(torch.tensor([1.0]))

    assert "received 0 [2.0]" in notes.lines
    assert len(model[0]._forward_pre_hooks) == 1


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_reaches_the_caller_unchanged_and_the_next_run_is_whole(error: BaseException) -> None:
    failing = raising(error)
    model, notes = nn.Sequential(nn.Identity(), failing), Notes()
    probed(model, notes)

    with pytest.raises(type(error)) as caught:
        model(torch.ones(1))
    failed, notes.lines = notes.lines, []
    model[0](torch.ones(1))

    kind = type(error).__name__
    assert caught.value is error
    assert failed == [
        "begin",
        "enter",
        "enter 0",
        "leave 0",
        "enter 1",
        f"fail 1 {kind}",
        f"fail  {kind}",
        f"end {kind}",
    ]
    assert notes.lines == ["begin 0", "enter 0", "leave 0", "end"]


def test_the_traceback_has_no_frame_of_ours_below_the_first_call() -> None:
    model, notes = nn.Sequential(nn.Sequential(raising(ValueError("deep")))), Notes()
    probed(model, notes)

    with pytest.raises(ValueError, match="deep") as caught:
        model(torch.ones(1))

    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    ours = [position for position, name in enumerate(files) if "/hookviz/hooks/" in name]
    first_torch_forward = next(i for i, name in enumerate(files) if name.endswith("container.py"))
    assert all(position < first_torch_forward for position in ours)
    assert files[-1].endswith("notes.py")


@pytest.mark.parametrize("where", ["begin", "enter", "received", "leave", "end"])
def test_a_fault_of_ours_is_reported_and_the_run_goes_on(where: str) -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes(breaks_at=where)
    probed(model, notes)
    model.register_forward_pre_hook(lambda module, args: None)

    output = model(torch.tensor([4.0]))

    assert output.tolist() == [4.0]
    assert [str(fault) for fault in notes.faults] == [f"broken {where}"]


def test_a_fault_while_noting_a_failure_does_not_hide_the_users_exception() -> None:
    model, notes = raising(ValueError("the user's")), Notes(breaks_at="fail")
    probed(model, notes)

    with pytest.raises(ValueError, match="the user's"):
        model(torch.ones(1))

    assert [str(fault) for fault in notes.faults] == ["broken fail"]


def test_after_a_fault_the_next_run_is_observed_again() -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes(breaks_at="begin")
    probed(model, notes)
    model(torch.ones(1))

    notes.breaks_at, notes.lines = "", []
    model(torch.ones(1))

    assert notes.lines == ["begin", "enter", "enter 0", "leave 0", "leave", "end"]


def test_a_module_that_is_added_within_a_run_is_watched_from_its_first_call() -> None:
    def wiring(model: nn.Module, x: torch.Tensor) -> Any:
        if "late" not in model._modules:
            model.add_module("late", nn.Sequential(nn.Identity()))
        return model._modules["late"](x)  # type: ignore[misc]  # it is there now

    model, notes = wired(wiring), Notes()
    probed(model, notes)

    model(torch.ones(1))

    assert notes.lines[2:5] == ["adopt late late.0", "enter late", "enter late.0"]


def test_a_second_thread_in_the_model_at_the_same_time_is_no_run_of_its_own() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def wait(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        if x.item() == 1.0:
            inside.set()
            assert go_on.wait(60)
        return x

    model, notes = wired(wait), Notes()
    probed(model, notes)
    slow = threading.Thread(target=model, args=(torch.tensor([1.0]),))
    slow.start()
    assert inside.wait(60)

    other = model(torch.tensor([2.0]))
    go_on.set()
    slow.join()
    model(torch.tensor([3.0]))

    assert other.tolist() == [2.0]
    assert notes.lines == ["begin", "enter", "overlap", "leave", "end", "begin", "enter", "leave", "end"]


def test_removing_leaves_nothing() -> None:
    model, notes = nn.Sequential(nn.Identity()), Notes()
    probe = probed(model, notes)

    probe.remove(model.modules())
    model(torch.ones(1))

    assert notes.lines == []
    assert all(ATTRIBUTE not in module.__dict__ for module in model.modules())


def test_a_module_called_in_a_backward_pass_is_a_recomputation() -> None:
    model, notes = nn.Sequential(fc()), Notes()
    probed(model, notes)
    loss = model(torch.ones(1, 4)).sum()

    def call_again(gradient: torch.Tensor) -> None:
        model[0](torch.ones(1, 4))

    loss.register_hook(call_again)
    notes.lines = []

    loss.backward()

    assert notes.lines == ["recompute"]
