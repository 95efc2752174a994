"""Of runs in several threads one is captured, and nothing of the others is taken for its own."""

import threading

import torch
from torch import Tensor, nn

import hookviz
from hookviz.session import watch
from tests.cases.modules import Apply
from tests.hooked import of
from tests.views import at


def look(*_: object) -> None:
    """Changes nothing."""


def triple(gradient: Tensor) -> Tensor:
    return gradient * 3


def halve(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * 0.5


def test_hooks_of_a_run_in_another_thread_are_not_taken_for_those_of_the_captured_run() -> None:
    def train_elsewhere(x: Tensor) -> Tensor:
        if threading.current_thread() is threading.main_thread():
            other = threading.Thread(target=lambda: model(torch.full((1, 2), 7.0)).sum().backward())
            other.start()
            other.join()
        return x

    model = nn.Sequential(nn.Linear(2, 2), Apply(train_elsewhere), nn.Tanh())
    model[2].register_forward_hook(halve)
    model[2].register_full_backward_hook(look)
    model.get_parameter("0.weight").register_hook(triple)
    with watch(model, every=1) as session:
        y = model(torch.ones(1, 2))
        y.sum().backward()
        effects, reports = session.effects(), {name: session.report(of(session, name)) for name in (look, triple)}

        assert (session.runs_seen, session.runs_captured) == (2, 1)
        (forward,) = effects
        assert (forward.kind, forward.outcome) == ("forward", "changed")
        assert {report.note for report in reports.values()} == {
            "not told: runs in other threads at the same time share the hooks of backward"
        }
        gradient = at(session, "2").grad_output
        assert isinstance(gradient, hookviz.Capture)
        assert gradient.tensor.tolist() == [[1.0, 1.0]]


def test_after_such_a_run_hooks_of_backward_are_told_again() -> None:
    def train_elsewhere(x: Tensor) -> Tensor:
        if x.sum() > 10:
            other = threading.Thread(target=lambda: model(torch.ones(1, 2)).sum().backward())
            other.start()
            other.join()
        return x

    model = nn.Sequential(Apply(train_elsewhere), nn.Linear(2, 2))
    model.get_parameter("1.weight").register_hook(triple)
    with watch(model, every=1) as session:
        model(torch.full((1, 2), 7.0)).sum().backward()
        before = session.effects()
        model(torch.ones(1, 2)).sum().backward()

        assert before == []
        assert [effect.outcome for effect in session.effects()] == ["changed"]


def test_a_run_that_was_not_to_be_captured_and_goes_on_as_another_begins_is_told_of() -> None:
    inside, done = threading.Event(), threading.Event()

    def wait_elsewhere(x: Tensor) -> Tensor:
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            done.wait(60)
        return x

    model = nn.Sequential(Apply(wait_elsewhere), nn.Linear(2, 2))
    with watch(model, every=2) as session:
        model(torch.ones(1, 2))
        other = threading.Thread(target=model, args=(torch.ones(1, 2),))
        other.start()
        inside.wait(60)
        model(torch.ones(1, 2))
        done.set()
        other.join()

        assert session.run is not None
        assert (session.runs_seen, session.runs_captured) == (3, 2)
        assert (session.run.step, session.run.overlaps) == (3, 1)
        model(torch.ones(1, 2))
        model(torch.ones(1, 2))
        assert session.run.overlaps == 0


def test_an_intervention_on_a_gradient_in_another_thread_is_left_as_it_was() -> None:
    def train_elsewhere(x: Tensor) -> Tensor:
        if threading.current_thread() is threading.main_thread():
            other = threading.Thread(target=lambda: model[1](torch.full((1, 2), 7.0)).sum().backward())
            other.start()
            other.join()
        return x

    model = nn.Sequential(nn.Sequential(Apply(train_elsewhere)), nn.Linear(2, 2))
    model[1].register_forward_pre_hook(lambda module, args: train_elsewhere(args[0]))
    with watch(model, every=1) as session:
        hook = session.intervene("1", hookviz.Scale(2.0), "grad_output")
        model(torch.ones(1, 2)).sum().backward()

        assert session.report(hook).fired == 0
        assert session.report(hook).note.startswith("not told: runs in other threads")
        model[1]._forward_pre_hooks.clear()
        model[1](torch.ones(1, 2)).sum().backward()
        assert session.report(hook).fired == 1
