"""What a module costs: seconds without ours, forward and backward, and bytes of activations."""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

import hookviz
from hookviz.capture import guard, hook_recorder
from hookviz.capture.capture import Capture
from hookviz.capture.cost import Costs
from hookviz.capture.store import TensorStore
from hookviz.hooks import observed_run
from hookviz.session.views import ModuleView
from hookviz.widget.cost_lines import cost_lines
from tests.naps import CLOCK, NAP, Residual, Sleeper, cost, nap, timed


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed_run, "perf_counter", CLOCK.perf_counter)
    monkeypatch.setattr(guard, "time", CLOCK)
    monkeypatch.setattr(hook_recorder, "time", CLOCK)


def test_forward_is_timed_with_and_without_the_modules_inside() -> None:
    model = nn.Sequential(nn.Linear(2, 2), Residual(Sleeper(forward=NAP), nap=2 * NAP))
    with timed(model) as session:
        outer, inner = cost(session, "1"), cost(session, "1.inside")

    assert inner.forward_seconds == pytest.approx(NAP)
    assert inner.forward_own_seconds == inner.forward_seconds
    assert outer.forward_seconds == pytest.approx(3 * NAP)
    assert outer.forward_own_seconds == pytest.approx(2 * NAP)


def test_backward_is_the_stretch_from_the_gradient_of_the_output_to_that_of_the_input() -> None:
    model = nn.Sequential(nn.Linear(2, 2), Residual(Sleeper(backward=NAP)), Sleeper(backward=2 * NAP))
    with timed(model) as session:
        first, second = cost(session, "1"), cost(session, "2")

    assert first.backward_seconds == pytest.approx(NAP)
    assert first.backward_own_seconds == 0.0
    assert second.backward_seconds == pytest.approx(2 * NAP)


def test_two_branches_are_told_apart_although_they_share_their_input() -> None:
    class Branches(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Linear(2, 2)
            self.short, self.long = Sleeper(backward=NAP), Sleeper(backward=3 * NAP)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.stem(x)
            return torch.cat([self.short(y), self.long(y)])

    model = Branches()

    with timed(model) as session:
        short, long = cost(session, "short"), cost(session, "long")

    assert short.backward_seconds == pytest.approx(NAP)
    assert long.backward_seconds == pytest.approx(3 * NAP)


def test_a_backward_whose_end_is_not_seen_has_no_time_and_says_so() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    with timed(model) as session:
        found = cost(session, "0")

    assert found.backward_seconds is None
    assert found.backward_note == (
        "where its backward ends is not seen: no gradient goes to what was computed right before it"
    )


def test_operations_beside_a_module_are_not_taken_for_it() -> None:
    class Beside(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem, self.sleeper = nn.Linear(2, 2), Sleeper()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.stem(x)
            aside = nap(y, 0.0, NAP)
            beside: torch.Tensor = self.sleeper(y)
            return aside + beside

    model = Beside()

    with timed(model) as session:
        found = cost(session, "sleeper")

    assert found.backward_seconds is None


def test_a_traced_run_has_no_times_and_says_so() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with hookviz.watch(model) as session:
        model(torch.ones(1, 2))

        found = cost(session, "0")

    assert found.forward_seconds is None
    assert found.forward_note == "this run was traced, which takes time: the next captured one is timed"


def test_without_a_graph_there_is_no_time_of_backward() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with hookviz.watch(model, every=1) as session, torch.no_grad():
        model(torch.ones(1, 2))

        found = cost(session, "0")

    assert found.backward_note == "ran under no_grad"


def test_capturing_is_not_in_the_times(monkeypatch: pytest.MonkeyPatch) -> None:
    take = TensorStore.take

    def slow_take(store: TensorStore, tensor: torch.Tensor, path: str, **kinds: bool) -> Capture:
        CLOCK.nap(100.0)
        return take(store, tensor, path, **kinds)

    monkeypatch.setattr(TensorStore, "take", slow_take)
    model = nn.Sequential(nn.Linear(2, 2), Residual(Sleeper(NAP, NAP), nap=NAP), Sleeper(NAP, NAP))
    model[1].register_forward_hook(lambda _module, _args, output: output * 2)
    model[1].register_forward_pre_hook(lambda _module, args: (args[0] * 2,))

    with timed(model) as session:
        outer, whole = cost(session, "1"), cost(session, "")

    assert outer.forward_seconds == pytest.approx(2 * NAP)
    assert outer.backward_seconds == pytest.approx(NAP)
    assert whole.forward_seconds == pytest.approx(3 * NAP)


def test_activations_are_counted_once_where_they_take_memory() -> None:
    model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(inplace=True), nn.Flatten(), nn.Sequential(nn.Linear(4, 8)))
    with hookviz.watch(model) as session:
        model(torch.ones(3, 2))

        found = {path: cost(session, path).activation_bytes for path in session.paths()}

    assert found == {"": 3 * 4 * 4 + 3 * 8 * 4, "0": 48, "1": 0, "2": 0, "3": 96, "3.0": 96}


def test_where_outputs_are_not_captured_the_bytes_are_not_known() -> None:
    model = nn.Sequential(nn.Linear(2, 4), nn.ReLU())
    with hookviz.watch(model, only="1") as session:
        model(torch.ones(3, 2))

        found = [cost(session, path).activation_bytes for path in ("0", "1", "")]

    assert found == [None, 48, None]


def test_a_call_that_raised_has_no_time() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with hookviz.watch(model, every=1) as session:
        model(torch.ones(1, 2))
        with pytest.raises(RuntimeError, match="shapes"):
            model(torch.ones(1, 3))
        run = session.run
        assert run is not None

        found = Costs(run).of_calls(run.calls)

    assert found.forward_note == "its forward raised"


def test_the_table_has_times_and_bytes_of_each_call() -> None:
    model = nn.Sequential(nn.Linear(2, 4), Sleeper(forward=NAP, backward=NAP))

    with timed(model) as session:
        table = session.to_dataframe().set_index("path")

    row = table.loc["1"]
    assert row["forward_seconds"] == pytest.approx(NAP)
    assert row["backward_seconds"] == pytest.approx(NAP)
    assert table["activation_bytes"].to_dict() == {"0": 16, "1": 16, "": 32}


def test_json_has_what_each_call_took(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(2, 4), Sleeper(forward=NAP))

    with timed(model) as session:
        session.export(tmp_path / "model.json")

    calls = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))["run"]["calls"]
    found = calls[2]["cost"]
    assert found["forward_seconds"] == pytest.approx(NAP)
    assert (found["activation_bytes"], found["forward_note"]) == (16, "")
    assert calls[0]["cost"]["backward_seconds"] is None
    assert calls[0]["cost"]["backward_note"].startswith("where its backward ends is not seen")


def test_a_module_that_was_not_called_has_no_cost_and_says_why() -> None:
    model = nn.ModuleList([nn.Linear(1, 1)])
    with hookviz.watch(model) as session, pytest.raises(hookviz.NotCapturedError, match="no cost of '0'"):
        cost(session, "0")


def test_parameters_are_counted_with_those_inside_and_shared_ones_once() -> None:
    shared = nn.Linear(2, 3)
    model = nn.Sequential(shared, nn.Sequential(shared, nn.Linear(3, 1)), nn.LazyLinear(2))
    with hookviz.watch(model) as session:
        counts = [view.parameter_count for path in ("0", "1", "") if isinstance(view := session[path], ModuleView)]

    assert counts == [9, 13, None]


def test_the_inspector_says_what_a_call_took_and_what_is_not_known() -> None:
    model = nn.Sequential(nn.Linear(2, 4), Residual(Sleeper(forward=NAP), nap=NAP))

    with timed(model) as session:
        run = session.run
        assert run is not None
        lines = {line["label"]: (line["text"], line["note"]) for line in cost_lines(run, run.calls[2])}
        first = {line["label"]: (line["text"], line["note"]) for line in cost_lines(run, run.calls[1])}

    assert lines["forward"][0] == "500 ms (own 250 ms)"
    assert lines["activations"][0] == "32 B"
    assert first["backward"] == (
        "–",
        "where its backward ends is not seen: no gradient goes to what was computed right before it",
    )
