"""What is shown of a model put together at random is what was worked out by hand.

Unlike the models of the other cases nobody chose these: shared modules, loops, blocks in blocks, writes in
place, views, splits and nested outputs come in any order.
"""

from typing import Any

import torch
from hypothesis import given, settings
from torch import Tensor, nn

from hookviz.capture.capture import Capture
from hookviz.graph.collapse import collapse, expanded_to_depth, max_depth
from hookviz.session import Session, WatchOptions
from tests.cases.random_models import SHAPE, SIZE, Line, Moment, model_of, programs
from tests.cases.random_truth import Truth, true_edges
from tests.folded import folded
from tests.views import at

VALUES = [float(number) for number in range(1, SIZE + 1)]
WEIGHTS = [1.0, -2.0, 3.0, 1.0, 2.0, 1.0, -1.0, 4.0]
WATCHED = WatchOptions(inputs=True, every=1, keep_bytes=1 << 40)


def run(model: nn.Module) -> Tensor:
    """One step; the output."""
    # No leaf, for it may be written into.
    x = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True).reshape(SHAPE) * 1
    output: Tensor = model(x)
    (output.reshape(-1) * torch.tensor(WEIGHTS, dtype=torch.float64)).sum().backward()
    return output


def numbers_of(capture: Capture | None) -> list[float] | None:
    return None if capture is None else capture.tensor.reshape(-1).tolist()


def captures_of(nested: Any) -> list[Capture | None]:
    if isinstance(nested, dict):
        return [capture for part in nested.values() for capture in captures_of(part)]
    if isinstance(nested, tuple):
        return [capture for part in nested for capture in captures_of(part)]
    return [nested]


@settings(max_examples=80, deadline=None)
@given(programs(depth=2))
def test_calls_values_and_gradients_are_the_true_ones(lines: tuple[Line, ...]) -> None:
    truth = Truth()
    last = truth.block(lines, "", truth.start(VALUES))
    true = truth.tape.gradients(dict(zip(last.numbers, WEIGHTS, strict=True)))
    model = model_of(lines)

    with Session(model, WATCHED) as session:
        output = run(model)
        assert session.run is not None
        calls = session.run.calls

    assert output.reshape(-1).tolist() == [truth.tape.values[number] for number in last.numbers]
    assert [call.path for call in calls] == [call.path for call in truth.calls]
    for call, expected in zip(calls, truth.calls, strict=True):
        passed = [*captures_of(call.input[0]), *captures_of(call.output)]
        moments = (expected.input, *expected.outputs)
        assert [numbers_of(capture) for capture in passed] == [
            [truth.tape.values[number] for number in when.numbers] for when in moments
        ]
        gradients = [*call.input_gradients(), *call.output_gradients()]
        for gradient, when in zip(gradients, moments, strict=True):
            assert is_gradient(gradient, when, true), f"{call} has {numbers_of(gradient)}"


@settings(max_examples=40, deadline=None)
@given(programs(depth=2))
def test_parameters_get_the_true_gradients(lines: tuple[Line, ...]) -> None:
    truth = Truth()
    last = truth.block(lines, "", truth.start(VALUES))
    true = truth.tape.gradients(dict(zip(last.numbers, WEIGHTS, strict=True)))
    model = model_of(lines)

    with Session(model, WATCHED) as session:
        run(model)
        found = {path: at(session, path).parameters["bias"].peek_grad() for path in truth.biases}

    for path, numbers in truth.biases.items():
        expected = [sum(true[number] for number in numbers[column::4]) for column in range(4)]
        gradient = found[path]
        assert (gradient.tolist() if gradient is not None else [0.0] * 4) == expected


@settings(max_examples=60, deadline=None)
@given(programs(depth=2))
def test_edges_and_counts_are_the_true_ones_folded_at_any_depth(lines: tuple[Line, ...]) -> None:
    truth = Truth()
    edges = true_edges(truth, truth.block(lines, "", truth.start(VALUES)))
    counts = {path: sum(call.path == path for call in truth.calls) for path in {call.path for call in truth.calls}}
    model = model_of(lines)

    with Session(model, WATCHED) as session:
        run(model)
        graph = session.full_graph()

    assert {(edge.source, edge.target) for edge in graph.edges} == edges
    containers = {group.path for group in graph.groups}
    for depth in range(max_depth(graph) + 1):
        expanded = expanded_to_depth(graph, depth)
        seen = collapse(graph, expanded)
        assert {(edge.source, edge.target) for edge in seen.edges} == folded(edges, containers - expanded)
        drawn = {node.path: node.calls for node in seen.nodes if node.kind == "module"}
        drawn |= {group.path: group.calls for group in seen.groups}
        assert {path: calls for path, calls in drawn.items() if path in counts} == {
            path: counts[path] for path in drawn if path in counts
        }


def is_gradient(gradient: Capture | None, when: Moment, true: list[float]) -> bool:
    """Whether it is that of the tensor, or of a view that of all that shares its memory."""
    found = numbers_of(gradient) or [0.0] * SIZE
    return found in ([true[number] for number in when.numbers], [true[number] for number in when.memory])
