"""Whatever part of ours fails, the user's run ends with the right numbers, and what is off is said once."""

import threading
import warnings
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

import hookviz
from hookviz.session import Session, watch
from hookviz.widget import HookViz
from tests.cases.comparison import same_bits
from tests.cases.modules import Wired
from tests.left_behind import left_behind
from tests.views import at

FAULT = "lamp burnt out"


def double(_module: nn.Module, args: tuple[Tensor]) -> Tensor:
    return args[0] * 2


def halve(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * 0.5


def triple(gradient: Tensor) -> Tensor:
    return gradient * 3


def forward(model: Wired, x: Tensor) -> Tensor:
    hidden: Tensor = checkpoint(model.block, model.first(x), use_reentrant=True)
    model.added = nn.Identity()
    y: Tensor = model.added(model.last(hidden))
    # A backward pass within the run, which calls the block again.
    again = hidden.detach().requires_grad_()
    checkpoint(model.block, again, use_reentrant=True).sum().backward()
    assert again.grad is not None
    return y + again.grad


def model_with_hooks() -> Wired:
    """A model that brings all parts of ours to work."""
    torch.manual_seed(0)
    block = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
    model = Wired(forward, first=nn.Linear(3, 3), block=block, last=nn.Linear(3, 3))
    model.first.register_forward_pre_hook(double)
    model.first.register_forward_hook(halve)
    model.last.register_full_backward_hook(lambda *_: None)
    model.get_parameter("last.weight").register_hook(triple)
    return model


def train(model: nn.Module) -> list[object]:
    results: list[object] = []
    for step in range(3):
        x = torch.full((2, 3), 1.0 + step, requires_grad=True)
        y = model(x)
        y.square().sum().backward()
        results += [y.detach(), x.grad]
    return [*results, [parameter.grad for parameter in model.parameters()]]


def write(session: Session) -> None:
    session.hook("last", "forward", halve)


def fail(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(FAULT)

    monkeypatch.setattr(target, broken)


def told_by(work: Callable[[], object]) -> list[str]:
    """The warnings that came of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    "target",
    [
        "hookviz.capture.recorder.Recorder.enter",
        "hookviz.capture.recorder.Recorder.received",
        "hookviz.capture.recorder.Recorder.leave",
        "hookviz.capture.recorder.Recorder.finish",
        "hookviz.capture.recorder.split",
        "hookviz.capture.together.measure_rows",
        "hookviz.capture.run.Run.add",
        "hookviz.capture.gradient.GradientHooks.attach",
        "hookviz.capture.gradient.GradientHooks._fill",
        "hookviz.capture.gradient.GradientHooks.remove",
        "hookviz.capture.exact_inputs.ExactInputs.follow",
        "hookviz.capture.hook_recorder.value_given",
        "hookviz.capture.hook_recorder.value_returned",
        "hookviz.capture.hook_recorder.HookRecorder.watch",
        "hookviz.capture.hook_recorder.HookRecorder.watch_tensors",
        "hookviz.capture.hook_recorder.HookRecorder.stop",
        "hookviz.capture.effects.EffectLog.add",
        "hookviz.capture.history.History.add",
        "hookviz.capture.budget.Budget.is_due",
        "hookviz.capture.budget.Budget.spend",
        "hookviz.hooks.observed_run.WatchedHooks.remove",
        "hookviz.hooks.watched_hooks.call_tables",
        "hookviz.session.capturing.Capturing.settle",
        "hookviz.session.capturing.Capturing.recompute",
        "hookviz.session.capturing.Capturing.adopt",
        "hookviz.session.capturing.Capturing.follow_changes",
        "hookviz.session.capturing.Tracer",
        "hookviz.session.capturing.TensorStore",
        "hookviz.session.flows.structure_of",
        "hookviz.session.hooking.listed_keys",
        "hookviz.session.parts.Parts.follow",
        "hookviz.tracing.tracer.Tracer.enter",
        "hookviz.tracing.tracer.Tracer.finish",
        "hookviz.tracing.tracer.visibility",
        "hookviz.tracing.operation_log.OperationLog.record",
    ],
)
def test_a_fault_in_capturing_reaches_no_run_and_is_told_once(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    expected_model = model_with_hooks()
    expected_model.last.register_forward_hook(halve)
    expected = train(expected_model)
    model = model_with_hooks()

    with watch(model, every=1, inputs=True, exact=True) as session:
        write(session)
        with monkeypatch.context() as broken:
            fail(broken, target)
            results: list[object] = []
            told = told_by(lambda: results.extend(train(model)))

            assert same_bits(results, expected)
            assert len(told) == 1
            assert FAULT in told[0]
            assert FAULT in session.problem
        widget = HookViz(session)
        assert (widget.status["state"], FAULT in widget.status["message"]) == ("error", True)
        widget.close()

    model(torch.ones(2, 3))
    assert left_behind(threading.enumerate()) == []


def test_a_fault_in_copying_is_told_at_each_value(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = train(model_with_hooks())
    model = model_with_hooks()

    with watch(model, every=1) as session:
        fail(monkeypatch, "hookviz.capture.store.TensorStore.take")
        results: list[object] = []
        told_by(lambda: results.extend(train(model)))

        assert same_bits(results, expected)
        for path in session.paths():
            with pytest.raises(hookviz.NotCapturedError, match=FAULT):
                at(session, path).output  # noqa: B018  # reading is what raises


@pytest.mark.parametrize(
    "target",
    [
        "hookviz.session.picture.build_graph",
        "hookviz.session.picture.with_pills",
        "hookviz.session.hooking.discover",
        "hookviz.session.hook_reports.values_text",
        "hookviz.session.showing.node_data_of",
        "hookviz.session.troubles.origin_of",
        "hookviz.widget.drawing.to_dot",
        "hookviz.widget.drawing.render_svg",
        "hookviz.widget.drawing.graph_to_wire",
        "hookviz.widget.scene_parts.hooks_to_wire",
        "hookviz.widget.scene_parts.cards_to_wire",
        "hookviz.widget.scene_parts.status_of",
        "hookviz.widget.widget.SessionWidget.show",
        "hookviz.widget.updates.quiet",
    ],
)
def test_a_fault_in_showing_reaches_no_run_and_is_told_once(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    expected = train(model_with_hooks())
    model = model_with_hooks()

    with watch(model, every=1) as session:
        widget = HookViz(session)
        # Without waiting, so that each run shows something.
        monkeypatch.setattr("hookviz.widget.updates.PUMP_INTERVAL_SECONDS", 0.0)
        monkeypatch.setattr("hookviz.widget.updates.INTERVAL_SECONDS", 0.0)
        results: list[object] = []
        with monkeypatch.context() as broken:
            fail(broken, target)
            told = told_by(lambda: results.extend(train(model)))
        widget._updates.flush()

        assert same_bits(results, expected)
        assert len(told) == 1
        assert FAULT in told[0]
        assert FAULT in widget.status["message"]
        assert session.problem == ""
        widget.close()


def test_a_pump_that_fails_reaches_no_run_and_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = nn.Linear(2, 2)

    def broken() -> int:
        raise RuntimeError(FAULT)

    with watch(model, every=1) as session:
        widget = HookViz(session)
        monkeypatch.setattr("hookviz.widget.updates.PUMP_INTERVAL_SECONDS", 0.0)
        widget._updates._pump = broken
        told = told_by(lambda: [model(torch.ones(1, 2)) for _ in range(3)])
        widget._updates.flush()

        assert len(told) == 1
        assert FAULT in widget.status["message"]
        assert session.runs_captured == 3
        widget.close()


def test_an_observer_that_fails_reaches_no_run_and_is_told_once() -> None:
    model = nn.Linear(2, 2)

    def broken(_session: Session) -> None:
        raise RuntimeError(FAULT)

    with watch(model, every=1) as session:
        session.observe(broken)
        told = told_by(lambda: [model(torch.ones(1, 2)) for _ in range(3)])

        assert len(told) == 1
        assert FAULT in session.problem
        assert session.runs_captured == 3
