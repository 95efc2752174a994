"""The lines on the cards have a fixed width and say where the first NaN was made."""

import math
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.capture.capture import Capture
from hookviz.capture.histogram import Histogram
from hookviz.capture.moments import measure
from hookviz.graph.node_data import NodeData
from hookviz.session import Session, watch
from hookviz.session.values import spark, value_line
from tests.models import fc, wired


def capture(*values: float) -> Capture:
    return Capture(measure(torch.tensor(values), with_sample=True), None, "")


def data_at(session: Session, path: str) -> NodeData:
    graph = session.graph()
    data = session.node_data(graph)
    places = {node.path: node.id for node in graph.nodes} | {group.path: group.id for group in graph.groups}
    return data[places[path]]


def times(factor: float) -> Any:
    return wired(lambda model, x: x * factor)


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ((1.0, 3.0), "+2.00e+00 ±1.41e+00"),
        ((-1.0, -3.0), "-2.00e+00 ±1.41e+00"),
        ((0.0, 0.0), "+0.00e+00 ±0.00e+00"),
        ((1e30, 3e30), "+2.00e+30 ±1.41e+30"),
    ],
)
def test_a_value_line_is_nineteen_characters_wide(values: tuple[float, ...], line: str) -> None:
    assert value_line(capture(*values)) == line
    assert len(line) == 19


def test_a_value_line_of_one_number_is_the_number_and_as_wide() -> None:
    assert value_line(capture(2.0)) == "+2.00e+00          "


@pytest.mark.parametrize(
    ("value", "line"),
    [(math.nan, "NaN ±NaN           "), (math.inf, "+Inf ±NaN          "), (-math.inf, "-Inf ±NaN          ")],
)
def test_a_value_line_that_is_not_finite_begins_where_others_do(value: float, line: str) -> None:
    assert value_line(capture(value, 1.0)) == line


def test_a_spark_is_eight_blocks_or_nothing() -> None:
    rising = Histogram(0.0, 1.0, tuple(range(32)), 496, 496)

    assert spark(None) == ""
    assert spark(Histogram(2.0, 2.0, (9,), 9, 9)) == "▁▁▁█▁▁▁▁"
    assert spark(rising) == "▁▂▃▄▅▆▇█"


def test_the_module_that_made_a_nan_is_told_from_those_after_it() -> None:
    model = nn.Sequential(times(1.0), times(math.nan), times(2.0))
    session = watch(model)

    model(torch.ones(4))

    assert data_at(session, "0").trouble == ""
    assert data_at(session, "1").trouble == "NaN 4 of 4 · made here"
    assert data_at(session, "2").trouble == "NaN 4 of 4"


def test_a_folded_container_says_that_a_nan_was_made_inside() -> None:
    model = nn.Sequential(nn.Sequential(fc(), times(math.nan)), fc())
    session = watch(model)

    model(torch.ones(1, 4))

    graph = session.graph(depth=0)
    assert session.node_data(graph)["module:0"].trouble == "NaN 4 of 4 · made inside"
    assert session.node_data(graph)["module:1"].trouble == "NaN 4 of 4"


def test_an_operation_that_made_a_nan_says_so() -> None:
    model = wired(lambda model, x: model.b(model.a(x) * math.nan), a=fc(), b=fc())
    session = watch(model)

    model(torch.ones(1, 4))

    data = session.node_data(session.graph())
    assert data["op::mul:0"] == NodeData("captured", trouble="NaN made here")
    assert data["module:b"].trouble == "NaN 4 of 4 · its input was NaN already: made by mul before it"


def test_infinities_are_counted_beside_nans() -> None:
    model = nn.Sequential(times(1.0))
    session = watch(model)

    model(torch.tensor([math.nan, math.inf, 1.0]))

    assert data_at(session, "0").trouble == "NaN 1 · Inf 1 of 3 · its input was NaN already: the model's input holds it"


def test_a_gradient_that_is_not_finite_is_told() -> None:
    model = nn.Sequential(times(1.0))
    session = watch(model)

    (model(torch.ones(1, requires_grad=True)) * math.inf).sum().backward()

    assert data_at(session, "0").trouble == "gradient Inf 1 of 1 · came in with the gradient of the model's output"


def test_the_gradient_line_is_its_norm() -> None:
    model = nn.Sequential(times(1.0))
    session = watch(model)

    (model(torch.ones(2, requires_grad=True)) * torch.tensor([3.0, 4.0])).sum().backward()

    assert data_at(session, "0").gradient == "∇ 5.00e+00"


def test_before_a_run_a_card_is_idle_and_after_it_captured_or_off() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)
    before = data_at(session, "0").state

    session.disable("outputs", "1")
    model(torch.ones(1, 4))

    assert before == "idle"
    assert data_at(session, "0").state == "captured"
    assert (data_at(session, "1").state, data_at(session, "1").note) == ("off", "outputs off")


def test_the_error_stands_at_the_innermost_module_and_those_around_it_say_where() -> None:
    def fail(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        raise ValueError("bad shape\nsecond line")

    model = nn.Sequential(nn.Sequential(fc(), wired(fail)))
    session = watch(model)

    with pytest.raises(ValueError, match="bad shape"):
        model(torch.ones(1, 4))

    assert data_at(session, "0.1") == NodeData(state="failed", trouble="ValueError: bad shape")
    assert data_at(session, "0") == NodeData(state="failed", trouble="raised in 0.1")
    assert data_at(session, "0.0").state == "captured"


def test_a_module_that_was_not_called_says_so() -> None:
    model = wired(lambda model, x, both: model.b(model.a(x)) if both else model.a(x), a=fc(), b=fc())
    session = watch(model, every=1)

    model(torch.ones(1, 4), True)
    model(torch.ones(1, 4), False)

    assert data_at(session, "b").note == "not called in this run"


def test_a_call_that_returned_none_shows_it_and_one_that_did_not_return_shows_nothing() -> None:
    model = wired(lambda m, x: m.fails(m.quiet(x)), quiet=wired(lambda m, x: None), fails=wired(lambda m, x: x.missing))
    with watch(model, every=1) as session:
        with pytest.raises(AttributeError):
            model(torch.ones(1))

        assert (data_at(session, "quiet").value, data_at(session, "fails").value) == ("None", "")


def test_a_long_plain_value_stands_once_in_its_line_of_the_tree() -> None:
    model = wired(lambda m, x: m.writes(x), writes=wired(lambda m, x: "x" * 2000))
    with watch(model, every=1) as session:
        model(torch.ones(1))

        lines = [line for line in session.text().splitlines() if "xxx" in line]

    assert [line.split("'", 1)[1].rstrip() for line in lines if "writes" in line] == ["x" * 58 + "…"]
    assert max(map(len, lines)) < 120


def test_a_row_of_identical_siblings_shows_the_first_and_whichever_is_in_trouble() -> None:
    layers = [fc() for _ in range(6)]
    model = nn.Sequential(*layers)
    session = watch(model)

    with torch.no_grad():
        layers[0].weight.zero_()
        layers[0].bias.fill_(2.0)
        layers[4].weight[0, 0] = math.nan
    model(torch.ones(1, 4))

    assert data_at(session, "0").value == "+2.00e+00 ±0.00e+00"
    assert data_at(session, "0").trouble == "4: NaN 1 of 4 · its weight holds it"


def test_the_sibling_that_raised_stands_by_itself() -> None:
    layers = [fc() for _ in range(6)]
    model = nn.Sequential(*layers)
    session = watch(model)
    layers[5].double()

    with pytest.raises(RuntimeError, match="dtype"):
        model(torch.ones(1, 4))

    assert [node.name for node in session.graph().nodes if node.kind == "module"] == ["0 … 4", "5"]
    assert data_at(session, "5").state == "failed"
    assert data_at(session, "0").state == "captured"


def test_a_tensor_without_values_is_told_in_whole_words() -> None:
    model = nn.Sequential(nn.Linear(3, 4, device="meta"))
    session = watch(model, every=1)

    model(torch.ones(2, 3, device="meta"))

    assert data_at(session, "0").value == "holds no values"
