"""A session's history has what a training did to values, gradients and parameters, and keeps trainings apart."""

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.errors import NotCapturedError, OptionError
from hookviz.session import Session, watch


def linear() -> nn.Linear:
    """One weight of 1."""
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    return layer


def train(model: nn.Module, steps: int, *, lr: float = 0.5, runs_per_step: int = 1) -> None:
    """Lower the output at 1."""
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        for _ in range(runs_per_step):
            model(torch.ones(1, 1)).sum().backward()
        optimizer.step()


def updates(session: Session, path: str = "") -> dict[int, float]:
    """Ratios by step."""
    steps, ratios = session.history(path, "parameters", "update_ratio")
    return dict(zip(steps.tolist(), ratios.tolist(), strict=True))


def test_update_ratio_is_that_of_the_step_after_each_captured_run() -> None:
    model = linear()
    session = watch(model, every=1)

    train(model, 2, lr=0.25)

    # 1 → 0.75 → 0.5
    assert updates(session) == pytest.approx({1: 0.25 / 1.0, 2: 0.25 / 0.75})


def test_steps_between_captured_runs_do_not_add_up() -> None:
    model = linear()
    session = watch(model, every=2)

    train(model, 3, lr=0.2)

    assert updates(session) == pytest.approx({1: 0.2 / 1.0, 3: 0.2 / 0.6})


def test_a_run_without_a_step_of_training_after_it_has_no_ratio() -> None:
    model = linear()
    session = watch(model, every=1)

    train(model, 2, lr=0.125, runs_per_step=2)
    model(torch.ones(1, 1))

    # Each second run is followed by a step.
    assert list(updates(session)) == [2, 4]


def test_a_ratio_that_was_read_before_its_step_comes_in_with_it() -> None:
    model = linear()
    session = watch(model, every=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    model(torch.ones(1, 1)).sum().backward()
    with pytest.raises(NotCapturedError):
        updates(session)

    optimizer.step()

    assert updates(session) == pytest.approx({1: 0.25 / 1.0})


def test_zeros_are_the_share_of_the_output_that_is_zero() -> None:
    model = nn.Sequential(nn.ReLU())
    session = watch(model, every=1)

    model(torch.tensor([-1.0, -2.0, -3.0, 4.0]))

    steps, zeros = session.history("0", "output", "zeros")
    assert (steps.tolist(), zeros.tolist()) == ([1], [0.75])


def test_where_no_parameter_moved_it_is_told_why_there_is_no_ratio() -> None:
    model = linear()
    session = watch(model, every=1)

    train(model, 3, lr=0.0)

    with pytest.raises(NotCapturedError, match=r"after which a parameter of the model had moved.*call optimizer\.step"):
        updates(session)


def test_a_container_without_parameters_of_its_own_names_the_modules_inside_that_have_a_ratio() -> None:
    model = nn.Sequential(nn.Sequential(*(linear() for _ in range(6))), nn.Sequential(nn.ReLU()))
    session = watch(model, every=1)
    train(model, 3)

    with pytest.raises(NotCapturedError) as caught:
        session.history("0", "parameters", "update_ratio")
    with pytest.raises(NotCapturedError) as beside:
        session.history("1", "parameters", "update_ratio")

    assert str(caught.value) == (
        "There is no history of 'update_ratio' of 'parameters' at '0'. It is that of a module's own parameters, and "
        "this one has none that moved; inside of it there is one at '0.0', '0.1', '0.2', '0.3', '0.4' and 1 more."
    )
    assert "inside of it" not in str(beside.value)


def test_after_a_mark_nothing_from_before_it_is_given_and_the_error_says_so() -> None:
    model = linear()
    session = watch(model, every=1)
    train(model, 2)

    session.mark("b")

    with pytest.raises(NotCapturedError, match=r"at '' since the mark 'b'\. It has a value for each captured run in"):
        session.history("", "output", "mean")
    assert session.history("", "output", "mean", mark="")[0].tolist() == [1, 2]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_zeros_of_a_kept_output_are_all_counted(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.ReLU())
    session = watch(model, every=1)

    model(torch.randn(100, 301, dtype=dtype))

    summary = session["0"].output.summary  # type: ignore[union-attr]  # it is a module
    assert session.history("0", "output", "zeros")[1].tolist() == [summary.zeros / summary.numel]
    assert not summary.zeros_sampled


def test_trainings_are_kept_apart_by_their_marks() -> None:
    model = linear()
    session = watch(model, every=1)

    session.mark("lr=0.5")
    train(model, 1, lr=0.5)
    session.mark("lr=0.1")
    train(model, 2, lr=0.1)

    assert session.marks == {"lr=0.5": 1, "lr=0.1": 2}
    assert session.history("", "output", "mean", mark="lr=0.5")[1].tolist() == [1.0]
    assert session.history("", "output", "mean")[1].tolist() == pytest.approx([0.5, 0.4])


@pytest.mark.parametrize("name", ["", None, 0.1])
def test_a_mark_is_a_text(name: object) -> None:
    model = linear()

    with pytest.raises(OptionError, match=r'A mark is a text, such as "lr=0\.1"; got'):
        watch(model).mark(name)  # type: ignore[arg-type]  # that is the point


def test_table_of_the_history_has_a_row_for_each_module_in_each_run() -> None:
    model = nn.Sequential(linear(), nn.ReLU())
    session = watch(model, every=1)
    session.mark("first")
    train(model, 1, lr=0.25)
    session.mark("second")
    with torch.no_grad():
        model(torch.ones(1, 1))

    table = session.to_dataframe(history=True)

    assert list(table.columns) == [
        *("mark", "step", "path", "mean", "std", "min", "max", "norm", "zeros", "grad_norm", "update_ratio")
    ]
    own = table[table.path == "0"]
    assert own[["mark", "step", "mean"]].values.tolist() == [["first", 1, 1.0], ["second", 2, 0.75]]
    assert own.update_ratio.tolist()[0] == pytest.approx(0.25 / 1.0)
    assert np.isnan(own.update_ratio.tolist()[1])
    assert np.isnan(own.grad_norm.tolist()[1])
    assert sorted(set(table.path)) == ["", "0", "1"]


def test_watching_parameters_changes_no_bit_of_a_training() -> None:
    def trained(*, is_watched: bool) -> list[torch.Tensor]:
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(1, 300), nn.ReLU(), nn.Linear(300, 1))
        session = watch(model, every=1) if is_watched else None
        train(model, 5, lr=0.1)
        if session is not None:
            session.health()
        return [parameter.detach() for parameter in model.parameters()]

    pairs = zip(trained(is_watched=False), trained(is_watched=True), strict=True)

    assert all(torch.equal(bare, watched) for bare, watched in pairs)
