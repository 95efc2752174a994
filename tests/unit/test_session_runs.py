"""A session records the user's own runs."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput

from hookviz.errors import NotCapturedError
from hookviz.session import watch
from tests.models import fc, row, wired
from tests.views import at


def test_a_run_has_the_output_of_every_module() -> None:
    model = nn.Sequential(fc(), nn.ReLU())
    session = watch(model)

    output = model(row())

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


def test_the_next_run_is_captured_on_request_though_the_limit_is_reached() -> None:
    model = fc()
    session = watch(model, overhead=1e-6)
    for _ in range(3):
        model(row())
    assert (session.runs_seen, session.runs_captured) == (3, 1)

    session.capture_next()
    output = model(row())

    assert session.runs_captured == 2
    assert torch.equal(at(session, "").output.tensor, output)


def test_a_part_called_alone_is_a_run_of_that_part() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)

    model[1](row())

    assert session.run is not None
    assert (session.run.path, [call.path for call in session.run.calls]) == ("1", ["1"])


@pytest.mark.parametrize(("mode", "name"), [(torch.no_grad, "no_grad"), (torch.inference_mode, "inference_mode")])
def test_outputs_are_captured_without_gradients(mode: Callable[[], Any], name: str) -> None:
    model = nn.Sequential(fc())
    session = watch(model)

    with mode():
        output = model(row())

    assert torch.equal(at(session, "0").output.tensor, output)
    assert [note for _, _, note in at(session, "0").calls[0].entries("grad_output")] == [f"ran under {name}"]


@pytest.mark.parametrize("is_training", [True, False])
def test_a_run_knows_whether_it_was_training(is_training: bool) -> None:
    model = nn.Sequential(fc(), nn.Dropout(0.5)).train(is_training)
    session = watch(model)

    output = model(row())

    assert session.run is not None
    assert session.run.is_training is is_training
    assert torch.equal(at(session, "1").output.tensor, output)


def test_a_value_overwritten_in_place_still_shows_what_the_caller_received() -> None:
    linear = fc()
    nn.init.constant_(linear.weight, -1.0)
    nn.init.zeros_(linear.bias)
    model = nn.Sequential(linear, nn.ReLU(inplace=True))
    session = watch(model)

    model(row())

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
    model = wired(lambda _, x: BaseModelOutput(last_hidden_state=x, hidden_states=(x + 1,)))
    session = watch(model)

    model(torch.zeros(1))

    labels = [label for label, _, _ in at(session, "").calls[0].entries("output")]
    assert labels == ["output['last_hidden_state']", "output['hidden_states'][0]"]


def test_inputs_are_captured_where_they_were_asked_for() -> None:
    model = nn.Sequential(fc())
    session = watch(model, inputs=True)

    model(row())

    assert at(session, "0").input[0][0].tensor.tolist() == [[1.0, 1.0, 1.0, 1.0]]


def test_over_the_keep_limit_the_statistics_stay() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, keep_bytes=8)

    model(row())

    capture = at(session, "0").output
    assert not capture.is_kept
    assert capture.summary.mean is not None
    assert session.kept_bytes == 0


def test_an_observer_is_told_after_each_captured_run_until_it_stops() -> None:
    model = fc()
    session = watch(model, every=1)
    seen: list[int] = []
    stop = session.observe(lambda session: seen.append(session.runs_captured))

    model(row())
    model(row())
    stop()
    model(row())

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
    model(row())
    data, structure = session.data_version, session.structure_version

    model(row()).sum().backward()
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
