"""The recorder turns calls into captures with reasons, and never lets a fault of its own out."""

from typing import Any

import torch
from torch import nn

from hookviz.capture.call import ModuleCall
from hookviz.capture.plan import Plan
from hookviz.capture.recorder import Recorder
from hookviz.capture.run import Run
from hookviz.capture.store import TensorStore

ALL = Plan(outputs=True, gradients=True, inputs=True)


def recorder(plan: Plan = ALL, *, exact: bool = False, faults: list[Exception] | None = None) -> Recorder:
    noted = [] if faults is None else faults
    return Recorder(Run(1, ""), TensorStore(10_000), {"a": plan}, exact=exact, fault=noted.append)


def recorded(recording: Recorder, output: Any, *args: Any, **kwargs: Any) -> ModuleCall:
    module = nn.Identity()
    recording.enter(module, "a", args, kwargs)
    recording.leave(module, "a", args, kwargs, output)
    return recording.run.calls[-1]


def notes(call: ModuleCall, what: Any) -> list[str]:
    return [note for _, _, note in call.entries(what)]


def test_inputs_are_recorded_by_position_and_by_name() -> None:
    call = recorded(recorder(), torch.ones(1), torch.zeros(2), mask=torch.ones(3))

    entries = [(label, capture.summary.shape) for label, capture, _ in call.entries("input") if capture is not None]
    assert entries == [("input[0][0]", (2,)), ("input[1]['mask']", (3,))]


def test_what_is_switched_off_has_a_place_and_a_reason() -> None:
    x = torch.ones(1, requires_grad=True)
    call = recorded(recorder(Plan(outputs=False, gradients=False, inputs=False)), x * 2, x)

    assert call.output is None
    assert notes(call, "input") == ["inputs are not captured: switch them on for the next run"]
    assert notes(call, "grad_output") == ["gradients are not captured here"]


def test_the_reasons_why_there_is_no_gradient() -> None:
    constant = recorded(recorder(), torch.ones(1))
    with torch.no_grad():
        without_graph = recorded(recorder(), torch.ones(1, requires_grad=True) * 2)
    with torch.inference_mode():
        inferred = recorded(recorder(), torch.ones(1, requires_grad=True) * 2)
    waiting = recorded(recorder(), torch.ones(1, requires_grad=True) * 2)

    assert notes(constant, "grad_output") == ["does not require grad: nothing before it does"]
    assert notes(without_graph, "grad_output") == ["ran under no_grad"]
    assert notes(inferred, "grad_output") == ["ran under inference_mode"]
    assert notes(waiting, "grad_output") == ["no backward yet"]


def test_an_output_that_no_loss_used_says_so() -> None:
    leaf = torch.ones(1, requires_grad=True)
    used, unused = leaf * 2, leaf * 3
    call = recorded(recorder(), (used, unused))

    used.sum().backward()

    assert [note for _, _, note in call.entries("grad_output")] == ["", "not in the loss: no gradient arrived here"]


def test_a_tensor_that_leaves_one_call_and_enters_the_next_shares_its_cell() -> None:
    recording, leaf = recorder(), torch.ones(1, requires_grad=True)
    between = leaf * 2
    first = recorded(recording, between, leaf)
    second = recorded(recording, between * 5, between)

    (between * 5).sum().backward()

    assert first.output_cells[0] is second.input_cells[0]
    assert first.grad_output.tensor.tolist() == [5.0]


def test_a_call_that_returns_its_inputs_passes_through() -> None:
    x = torch.ones(1)

    assert recorded(recorder(), x, x).passes_through
    assert not recorded(recorder(), x + 1, x).passes_through
    assert not recorded(recorder(), None, x).passes_through


def test_the_innermost_module_that_raised_is_the_one_that_failed() -> None:
    recording, outer, inner = recorder(), nn.Identity(), nn.Identity()
    error = ValueError("first line\nsecond line")
    recording.enter(outer, "a", (), {})
    recording.enter(inner, "a.b", (), {})

    recording.fail(inner, "a.b", error)
    recording.fail(outer, "a", error)
    recording.finish(error)

    assert (recording.run.failed_path, recording.run.exception) == ("a.b", "ValueError: first line")
    assert [call.failed for call in recording.run.calls] == ["ValueError: first line", "ValueError: first line"]


def test_an_error_without_a_message_is_told_by_its_type_alone() -> None:
    recording, module = recorder(), nn.Identity()
    recording.enter(module, "a", (), {})

    recording.fail(module, "a", KeyboardInterrupt())

    assert [call.failed for call in recording.run.calls] == ["KeyboardInterrupt"]


def test_an_exception_whose_message_cannot_be_read_does_no_harm() -> None:
    class Rude(Exception):  # noqa: N818  # a user's own name
        def __str__(self) -> str:
            raise RuntimeError("no message")

    recording = recorder()
    recording.finish(Rude())

    assert recording.run.exception == "Rude: (its message cannot be shown)"


def test_a_tensor_that_refuses_to_be_copied_is_noted_on_its_call() -> None:
    recording = recorder()

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("no copy\nof this")

    recording.store.take = refuse  # type: ignore[method-assign, assignment]  # stands for a tensor that refuses
    call = recorded(recording, torch.ones(1))

    assert call.notes == ("a tensor could not be recorded: RuntimeError: no copy",)
    assert call.output is None


def test_a_fault_in_a_gradient_hook_is_reported_and_backward_goes_on() -> None:
    faults: list[Exception] = []
    recording, leaf = recorder(faults=faults), torch.ones(1, requires_grad=True)
    output = leaf * 2
    call = recorded(recording, output)

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("full")

    recording.store.take = refuse  # type: ignore[method-assign, assignment]  # stands for a fault of ours
    output.sum().backward()

    assert [str(fault) for fault in faults] == ["full"]
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [2.0]
    assert call.grad_output is None


def test_each_gradient_raises_the_revision_of_the_run() -> None:
    recording = recorder()
    output = torch.ones(1, requires_grad=True) * 2
    recorded(recording, output)
    before = recording.run.revision

    output.sum().backward()

    assert (before, recording.run.revision) == (0, 1)
    assert recording.run.has_gradients


def test_exact_inputs_are_the_share_of_this_call_alone() -> None:
    leaf = torch.ones(1, requires_grad=True)
    shared = leaf * 1
    recording, module = recorder(exact=True), nn.Identity()
    recording.enter(module, "a", (shared,), {})
    output = shared * 3
    recording.leave(module, "a", (shared,), {}, output)

    (output + shared * 10).sum().backward()

    assert recording.run.calls[0].grad_input[0][0].tensor.tolist() == [3.0]


def test_without_exact_the_gradient_of_an_input_is_that_of_all_its_uses() -> None:
    shared = torch.ones(1, requires_grad=True) * 1
    recording, module = recorder(), nn.Identity()
    recording.enter(module, "a", (shared,), {})
    output = shared * 3
    recording.leave(module, "a", (shared,), {}, output)

    (output + shared * 10).sum().backward()

    assert recording.run.calls[0].grad_input[0][0].tensor.tolist() == [13.0]
