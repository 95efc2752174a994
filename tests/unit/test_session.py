"""A session records the user's own runs and takes everything off again."""

import gc
import threading
import traceback
import weakref
from collections.abc import Callable
from typing import Any, Literal

import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture.call import What
from hookviz.errors import ModelGoneError, NotCapturedError
from hookviz.hooks.seam import ATTRIBUTE
from hookviz.session import ModuleView, ParameterView, Session, WatchOptions, watch
from tests.models import fc, wired

EVERY = WatchOptions(every=1)


def x() -> torch.Tensor:
    return torch.ones(1, 4)


def seams_on(model: nn.Module) -> int:
    return sum(ATTRIBUTE in module.__dict__ for module in model.modules())


def at(session: Session, path: str) -> ModuleView:
    view = session[path]
    assert isinstance(view, ModuleView)
    return view


def parameter_at(session: Session, path: str) -> ParameterView:
    view = session[path]
    assert isinstance(view, ParameterView)
    return view


# Runs


def test_a_run_has_the_output_of_every_module() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model)

    output = model(x())

    assert session.run is not None
    assert [(call.path, call.index) for call in session.run.calls] == [("", 0), ("0", 0), ("1", 0)]
    assert torch.equal(at(session, "1").output.tensor, output)
    assert (session.runs_seen, session.runs_captured) == (1, 1)


def test_before_the_first_run_there_is_none() -> None:
    model = fc()
    session = watch(model)

    assert (session.run, session.runs_seen, session.kept_bytes) == (None, 0, 0)
    with pytest.raises(NotCapturedError, match="no run yet: call the model"):
        at(session, "").output  # noqa: B018  # reading is what raises


def test_a_part_called_alone_is_a_run_of_that_part() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)

    model[1](x())

    assert session.run is not None
    assert (session.run.path, [call.path for call in session.run.calls]) == ("1", ["1"])


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_outputs_are_captured_without_gradients(mode: Callable[[], Any]) -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with mode():
        output = model(x())

    assert torch.equal(at(session, "0").output.tensor, output)
    assert [note for _, _, note in at(session, "0").calls[0].entries("grad_output")] == ["ran under no_grad"]


@pytest.mark.parametrize("is_training", [True, False])
def test_a_run_knows_whether_it_was_training(is_training: bool) -> None:
    model = nn.Sequential(fc(), nn.Dropout(0.5)).train(is_training)
    session = watch(model)

    output = model(x())

    assert session.run is not None
    assert session.run.is_training is is_training
    assert torch.equal(at(session, "1").output.tensor, output)


def test_a_value_overwritten_in_place_still_shows_what_the_caller_received() -> None:
    linear = fc()
    nn.init.constant_(linear.weight, -1.0)
    nn.init.zeros_(linear.bias)
    model = nn.Sequential(linear, nn.ReLU(inplace=True))
    session = watch(model)

    model(x())

    assert at(session, "0").output.tensor.tolist() == [[-4.0, -4.0, -4.0, -4.0]]
    assert at(session, "1").output.tensor.tolist() == [[0.0, 0.0, 0.0, 0.0]]


def test_a_module_called_three_times_keeps_three_calls() -> None:
    model = wired(lambda model, x: model.twice(model.twice(model.twice(x))), twice=wired(lambda _, x: x * 2))
    session = watch(model)

    model(torch.ones(1))

    assert [call.output.tensor.item() for call in at(session, "twice").calls] == [2.0, 4.0, 8.0]
    assert [call.index for call in at(session, "twice").calls] == [0, 1, 2]


def test_nested_outputs_keep_their_shape() -> None:
    model = wired(lambda _, x: {"logits": x, "states": [x + 1, (x + 2, None)]})
    session = watch(model)

    model(torch.zeros(1))

    output = at(session, "").output
    assert output["logits"].tensor.item() == 0.0
    assert output["states"][0].tensor.item() == 1.0
    assert output["states"][1][0].tensor.item() == 2.0
    assert output["states"][1][1] is None


def test_a_model_output_of_hugging_face_is_captured_field_by_field() -> None:
    outputs = pytest.importorskip("transformers.modeling_outputs")
    model = wired(lambda _, x: outputs.BaseModelOutput(last_hidden_state=x, hidden_states=(x + 1,)))
    session = watch(model)

    model(torch.zeros(1))

    labels = [label for label, _, _ in at(session, "").calls[0].entries("output")]
    assert labels == ["output['last_hidden_state']", "output['hidden_states'][0]"]


def test_inputs_are_captured_where_they_were_asked_for() -> None:
    model = nn.Sequential(fc())
    session = watch(model, inputs=True)

    model(x())

    assert at(session, "0").input[0][0].tensor.tolist() == [[1.0, 1.0, 1.0, 1.0]]


def test_over_the_keep_limit_the_statistics_stay() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, keep_bytes=8)

    model(x())

    capture = at(session, "0").output
    assert not capture.is_kept
    assert capture.summary.mean is not None
    assert session.kept_bytes == 0


# Gradients and parameters


def test_gradients_arrive_with_backward() -> None:
    model = nn.Sequential(fc(), wired(lambda _, x: x * 3))
    session = watch(model)
    output = model(x())
    with pytest.raises(NotCapturedError, match="no backward yet"):
        at(session, "0").grad_output  # noqa: B018  # reading is what raises

    output.sum().backward()

    assert at(session, "0").grad_output.tensor.tolist() == [[3.0, 3.0, 3.0, 3.0]]
    assert at(session, "1").grad_output.tensor.tolist() == [[1.0, 1.0, 1.0, 1.0]]
    assert session.run is not None
    assert session.run.has_gradients


def test_parameters_are_shown_with_their_gradients() -> None:
    linear = fc()
    linear.bias.requires_grad_(False)
    model = nn.Sequential(linear)
    session = watch(model)
    before = parameter_at(session, "0.weight").grad

    model(x()).sum().backward()

    weight, bias = parameter_at(session, "0.weight"), parameter_at(session, "0.bias")
    assert before is None
    assert weight.grad is not None
    assert weight.grad.tolist() == [[1.0, 1.0, 1.0, 1.0]] * 4
    assert weight.grad_summary is not None
    assert weight.grad_summary.norm == 4.0
    assert (bias.grad, bias.note) == (None, "frozen: does not require grad")
    assert list(at(session, "0").parameters) == ["weight", "bias"]


def test_a_copied_parameter_is_not_the_models() -> None:
    linear = fc()
    model = nn.Sequential(linear)
    session = watch(model)
    expected = linear.weight.detach().clone()

    parameter_at(session, "0.weight").tensor.zero_()

    assert torch.equal(linear.weight, expected)


def test_outputs_and_gradients_are_bit_for_bit_those_of_the_bare_model() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(fc(), nn.Dropout(0.5), fc())
    torch.manual_seed(1)
    bare = model(x())
    bare.sum().backward()
    expected = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    model.zero_grad()
    session = watch(model)

    torch.manual_seed(1)
    seen = model(x())
    seen.sum().backward()

    assert session.runs_captured == 1
    assert torch.equal(seen, bare)
    for parameter, gradient in zip(model.parameters(), expected, strict=True):
        assert parameter.grad is not None
        assert torch.equal(parameter.grad, gradient)


# A forward that raises


def failing(error: BaseException) -> Any:
    def wiring(model: nn.Module, value: torch.Tensor) -> torch.Tensor:
        if value.sum() > 100:
            raise error
        return value

    return nn.Sequential(fc(), nn.Sequential(wired(wiring)))


def big() -> torch.Tensor:
    return torch.full((1, 4), 1e6)


@pytest.fixture
def breaking() -> tuple[nn.Module, BaseException]:
    error = ValueError("too large\nby far")
    model = failing(error)
    nn.init.ones_(model[0].weight)
    return model, error


def test_the_failing_module_and_the_text_are_told_and_what_came_before_is_there(
    breaking: tuple[nn.Module, BaseException],
) -> None:
    model, error = breaking
    session = watch(model)

    with pytest.raises(ValueError, match="too large") as caught:
        model(big())

    assert caught.value is error
    assert session.run is not None
    assert (session.run.failed_path, session.run.exception) == ("1.0", "ValueError: too large")
    assert at(session, "0").output.summary.shape == (1, 4)


def test_the_traceback_below_the_first_call_has_no_frame_of_ours(breaking: tuple[nn.Module, BaseException]) -> None:
    model, _ = breaking
    session = watch(model)

    with pytest.raises(ValueError, match="too large") as caught:
        model(big())

    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    below = files[next(i for i, file in enumerate(files) if file.endswith("container.py")) :]
    assert [file for file in below if "/hookviz/" in file] == []
    assert session.is_open


def test_after_an_interrupt_the_next_run_is_whole() -> None:
    model = failing(KeyboardInterrupt())
    nn.init.ones_(model[0].weight)
    session = watch(model, every=1)
    with pytest.raises(KeyboardInterrupt):
        model(big())

    model(x())

    assert session.run is not None
    assert (session.run.exception, session.run.failed_path) == (None, None)
    assert [call.path for call in session.run.calls] == ["", "0", "1", "1.0"]
    assert all(call.returned >= 0 for call in session.run.calls)


# Switches


@pytest.mark.parametrize("what", ["outputs", "gradients"])
def test_a_switch_of_one_module_acts_from_the_next_run_on(what: Literal["outputs", "gradients"]) -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1)

    def captured() -> list[bool]:
        model(x()).sum().backward()
        kind: What = "output" if what == "outputs" else "grad_output"
        return [at(session, path).calls[0].entries(kind)[0][1] is not None for path in ("0", "1")]

    before = captured()
    session.disable(what, "0")
    still_there = at(session, "0").output is not None
    off = captured()
    session.enable(what, "0")
    on_again = captured()

    assert (before, still_there, off, on_again) == ([True, True], True, [False, True], [True, True])


def test_switches_say_how_they_stand() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)

    session.disable("gradients", "0")
    session.disable("outputs")

    assert (session.is_enabled("gradients"), session.is_enabled("gradients", "0")) == (True, False)
    assert (session.is_enabled("outputs"), session.is_enabled("outputs", "1")) == (False, False)
    assert not session.is_enabled("inputs")
    assert session.off_paths("gradients") == ("0",)


def test_only_and_exclude_leave_modules_out() -> None:
    model = nn.Sequential(fc(), nn.ReLU(), fc())
    session = watch(model, only=nn.Linear, exclude="2")

    model(x())

    assert at(session, "0").output is not None
    with pytest.raises(NotCapturedError):
        at(session, "2").output  # noqa: B018  # reading is what raises


def test_a_paused_session_sees_runs_and_captures_none() -> None:
    model = fc()
    session = watch(model, every=1)
    model(x())
    first = session.run

    session.pause()
    model(x())
    paused = (session.run is first, session.runs_seen, session.runs_captured, session.is_paused)
    session.resume()
    model(x())

    assert paused == (True, 2, 1, True)
    assert (session.runs_seen, session.runs_captured) == (3, 2)


def test_every_second_run_is_captured_with_every_2() -> None:
    model = fc()
    session = watch(model, every=2)

    for _ in range(5):
        model(x())

    assert (session.runs_seen, session.runs_captured) == (5, 3)


# A model that changes


def test_a_module_that_was_added_is_captured_in_the_next_run() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    model(x())
    model.append(nn.ReLU())

    model(x())

    assert session.paths() == ["", "0", "1"]
    assert at(session, "1").output.summary.shape == (1, 4)


def test_a_module_that_was_replaced_loses_its_seam_to_the_new_one() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    old, model[0] = model[0], nn.Linear(4, 2)

    model(x())

    assert at(session, "0").output.summary.shape == (1, 2)
    assert ATTRIBUTE not in old.__dict__
    assert ATTRIBUTE in model[0].__dict__


# Sessions and their end


def test_watching_again_gives_the_same_session_and_other_options_another() -> None:
    model = fc()
    first = watch(model)
    same = watch(model)
    other = watch(model, inputs=True)

    assert same is first
    assert (first.is_open, other.is_open) == (False, True)


def test_a_bad_option_leaves_the_session_that_was_there_open() -> None:
    model = fc()
    session = watch(model)

    with pytest.raises(hookviz.LimitError):
        watch(model, every=0)
    with pytest.raises(hookviz.PatternError):
        watch(model, only="nowhere")
    model(x())

    assert session.is_open
    assert session.runs_captured == 1


def test_two_sessions_of_one_model_both_capture_and_close_apart() -> None:
    model = nn.Sequential(fc())
    first, second = Session(model, EVERY), Session(model, EVERY)

    model(x())
    first.close()
    model(x())
    second.close()

    assert (first.runs_captured, second.runs_captured) == (1, 2)
    assert seams_on(model) == 0


def test_close_leaves_nothing_on_the_model_and_can_be_repeated() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    before = [set(module.__dict__) for module in model.modules()]
    leaf = x().requires_grad_()
    session = watch(model)
    model(leaf)

    session.close()
    session.close()
    model(leaf)

    assert [set(module.__dict__) for module in model.modules()] == before
    assert not leaf._backward_hooks
    assert (session.is_open, session.runs_seen) == (False, 1)
    assert at(session, "0").output.summary.shape == (1, 4)


def test_leaving_a_with_block_closes_also_after_an_exception() -> None:
    model = fc()

    with pytest.raises(ZeroDivisionError), watch(model) as session:
        raise ZeroDivisionError

    assert not session.is_open
    assert seams_on(model) == 0


def test_a_dropped_model_is_collected_and_its_session_says_so() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    model(x()).sum().backward()
    reference = weakref.ref(model)

    del model
    gc.collect()

    assert reference() is None
    with pytest.raises(ModelGoneError, match="The watched Sequential no longer exists"):
        session.model  # noqa: B018  # reading is what raises


def test_an_observer_is_told_after_each_captured_run_until_it_stops() -> None:
    model = fc()
    session = watch(model, every=1)
    seen: list[int] = []
    stop = session.observe(lambda session: seen.append(session.runs_captured))

    model(x())
    model(x())
    stop()
    model(x())

    assert seen == [1, 2]


def test_the_history_has_each_captured_run() -> None:
    model = wired(lambda _, value: value * 1)
    session = watch(model, every=1)
    for value in (1.0, 5.0, 9.0):
        model(torch.tensor([value]))

    steps, means = session.history("", "output", "mean")

    assert (steps.tolist(), means.tolist()) == ([1, 2, 3], [1.0, 5.0, 9.0])


def test_versions_grow_with_values_and_with_structure() -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    model(x())
    data, structure = session.data_version, session.structure_version

    model(x()).sum().backward()
    same_structure = session.structure_version
    more_data = session.data_version
    model.append(nn.ReLU())
    session.paths()

    assert more_data > data
    assert same_structure == structure
    assert session.structure_version > structure


def test_runs_in_several_threads_at_once_all_return_what_they_should() -> None:
    model = wired(lambda model, value: model.twice(value), twice=wired(lambda _, value: value * 2))
    session = watch(model, every=1)
    results: dict[int, list[float]] = {}

    def work(number: int) -> None:
        results[number] = [model(torch.tensor([float(number)])).item() for _ in range(30)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == {0: [0.0] * 30, 1: [2.0] * 30, 2: [4.0] * 30, 3: [6.0] * 30}
    assert session.problem == ""
    assert session.runs_captured >= 1
    assert session.run is not None
    assert [call.path for call in session.run.calls] == ["", "twice"]


def test_a_fault_of_ours_warns_once_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fc()
    session = watch(model, every=1)

    def broken(*_: object, **__: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr("hookviz.capture.recorder.Recorder.leave", broken)
    with pytest.warns(UserWarning, match="Capturing failed with OSError: disk The model's run is not affected"):
        first = model(x())
    second = model(x())

    assert torch.equal(first, second)
    assert session.problem == "Capturing failed with OSError: disk"
