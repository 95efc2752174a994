"""A session follows its model and takes everything off again at its end."""

import gc
import weakref

import pytest
import torch
from torch import Tensor, nn

import hookviz
from hookviz.capture.capture import Capture
from hookviz.errors import ModelGoneError, NotCapturedError
from hookviz.hooks.seam import ATTRIBUTE
from hookviz.session import Session, WatchOptions, watch
from tests.models import fc, row
from tests.views import at

EVERY = WatchOptions(every=1)


def seams_on(model: nn.Module) -> int:
    return sum(ATTRIBUTE in module.__dict__ for module in model.modules())


def test_a_module_that_was_added_is_captured_in_the_next_run() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    model(row())
    model.append(nn.ReLU())

    model(row())

    assert session.paths() == ["", "0", "1"]
    assert at(session, "1").output.summary.shape == (1, 4)


class Unfinished(nn.Module):
    """Makes its own last part in its first forward."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        if not hasattr(self, "last"):
            self.last = nn.Sequential(fc(), nn.ReLU())
        y: Tensor = self.last(self.first(x))
        return y


def test_a_module_that_a_run_makes_is_captured_in_that_very_run() -> None:
    model = Unfinished()
    session = watch(model, every=1, inputs=True)

    model(row()).sum().backward()

    assert session.run is not None
    assert [call.path for call in session.run.calls] == ["", "first", "last", "last.0", "last.1"]
    assert all(isinstance(call.output, Capture) for call in session.run.calls)
    assert at(session, "last.1").grad_output.summary.mean == 1.0


def test_a_module_that_a_run_makes_is_left_out_if_the_options_say_so() -> None:
    model = Unfinished()
    session = watch(model, every=1, exclude="ReLU")

    model(row())

    assert session.run is not None
    assert [call.path for call in session.run.calls if call.output is not None] == ["", "last", "last.0"]


def test_a_module_that_was_replaced_loses_its_seam_to_the_new_one() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    old, model[0] = model[0], nn.Linear(4, 2)

    model(row())

    assert at(session, "0").output.summary.shape == (1, 2)
    assert ATTRIBUTE not in old.__dict__
    assert ATTRIBUTE in model[0].__dict__


def test_watching_again_gives_the_session_that_is_open() -> None:
    model = fc()
    first = watch(model, inputs=True, every=3)

    same = watch(model)

    assert same is first
    assert same.options == WatchOptions(inputs=True, every=3)


def test_a_new_option_changes_the_open_session_and_leaves_the_others() -> None:
    model = nn.Sequential(fc())
    first = watch(model, every=1)
    model(row())

    same = watch(model, inputs=True, only="Linear", history=7)
    model(row())

    assert same is first
    assert first.options == WatchOptions(only=("Linear",), inputs=True, every=1, history=7)
    assert at(first, "0").input[0][0].tensor.tolist() == [[1.0, 1.0, 1.0, 1.0]]
    assert first.history("0", "output", "mean")[0].tolist() == [1, 2]


def test_an_option_can_be_taken_back() -> None:
    model = nn.Sequential(fc())
    session = watch(model, only="0", exclude=[""], inputs=True, gradients=False, every=3)

    watch(model, only="*", exclude=[], inputs=False, gradients=True, overhead=0.05)

    assert session.options == WatchOptions()
    assert session.is_enabled("outputs", "")
    assert not session.is_enabled("inputs")
    assert session.is_enabled("gradients")


def test_an_option_says_how_its_switch_stands() -> None:
    model = fc()
    session = watch(model)

    session.enable("inputs")
    session.disable("gradients")
    session.disable("outputs")

    assert session.options == WatchOptions(inputs=True, gradients=False)


def test_a_bad_option_changes_nothing_of_the_open_session() -> None:
    model = fc()
    session = watch(model)

    with pytest.raises(hookviz.LimitError):
        watch(model, every=0)
    with pytest.raises(hookviz.PatternError):
        watch(model, inputs=True, only="nowhere")
    with pytest.raises(hookviz.OptionError):
        watch(model, inputs=True, history="long")  # type: ignore[arg-type]  # that is the mistake
    model(row())

    assert session.is_open
    assert session.options == WatchOptions()
    assert session.runs_captured == 1


def test_two_sessions_of_one_model_both_capture_and_close_apart() -> None:
    model = nn.Sequential(fc())
    first, second = Session(model, EVERY), Session(model, EVERY)

    model(row())
    first.close()
    model(row())
    second.close()

    assert (first.runs_captured, second.runs_captured) == (1, 2)
    assert seams_on(model) == 0


def test_close_leaves_nothing_on_the_model_and_can_be_repeated() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    before = [set(module.__dict__) for module in model.modules()]
    leaf = row().requires_grad_()
    session = watch(model)
    model(leaf)

    session.close()
    session.close()
    model(leaf)

    assert [set(module.__dict__) for module in model.modules()] == before
    assert leaf._backward_hooks is None
    assert (session.is_open, session.runs_seen) == (False, 1)
    assert at(session, "0").output.summary.shape == (1, 4)


def test_leaves_that_several_runs_used_look_as_before_any_hook() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    nn.utils.parametrizations.weight_norm(model[0])
    leaf = row().requires_grad_()
    leaves = [leaf, *model.parameters()]
    session = watch(model, every=1)

    for given in (leaf, row().requires_grad_(), leaf):
        model(given).sum().backward()
    session.close()

    assert len(leaves) == 4
    assert [tensor._backward_hooks for tensor in leaves] == [None] * 4
    assert session.runs_captured == 3


def test_leaving_a_with_block_closes_also_after_an_exception() -> None:
    model = fc()

    with pytest.raises(ZeroDivisionError), watch(model) as session:
        raise ZeroDivisionError

    assert not session.is_open
    assert seams_on(model) == 0


def test_session_that_is_closed_within_a_run_keeps_its_modules_in_place_and_says_so() -> None:
    model = nn.Sequential(fc(), nn.ReLU(), fc())
    session = watch(model, every=1)
    before = {node.id for node in session.graph().nodes}
    model[1].register_forward_hook(lambda *_: session.close())

    model(row())

    graph = session.graph()
    assert {node.id for node in graph.nodes} == before == {"module:0", "module:1", "module:2"}
    assert session.problem == "closed within a run: what came after that was not seen"
    assert session.node_data(graph)["module:2"].note == "not seen: the session was closed within this run"
    assert at(session, "0").output.summary.shape == (1, 4)
    with pytest.raises(NotCapturedError, match="not seen: the session was closed within this run"):
        at(session, "2").output  # noqa: B018  # reading is what raises


def test_picture_of_a_run_that_was_seen_stays_when_the_session_is_closed_within_a_later_one() -> None:
    model = nn.Sequential(fc(), nn.ReLU(), fc())
    session = watch(model, every=1)
    model(row())
    before = session.graph()
    handle = model[1].register_forward_hook(lambda *_: session.close())

    model(row())

    handle.remove()
    session.look_for_hooks()
    assert [edge.id for edge in session.graph().edges] == [edge.id for edge in before.edges]


def test_a_dropped_model_is_collected_and_its_session_says_so() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    model(row()).sum().backward()
    reference = weakref.ref(model)

    del model
    gc.collect()

    assert reference() is None
    assert repr(session) == "<hookviz session of Sequential: the model is gone, 1 of 1 runs captured>"
    with pytest.raises(ModelGoneError, match=r"The watched Sequential no longer exists.* still in session\.outputs"):
        session.model  # noqa: B018  # reading is what raises


def test_what_was_captured_of_a_model_that_is_gone_can_be_read() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    output = model(row()).detach()
    output_of_step, graph = session.at_step(1).outputs, session.graph()
    shown = session.node_data(graph)

    del model
    gc.collect()

    for outputs in (session.outputs(), output_of_step()):
        capture = outputs["0"]
        assert isinstance(capture, Capture)
        assert torch.equal(capture.tensor, output)
    assert session.history("0", "output", "mean")[1].tolist() == [pytest.approx(output.mean().item())]
    assert len(session.to_dataframe()) == 2
    assert session.health() == []
    assert session.node_data(graph) == shown
