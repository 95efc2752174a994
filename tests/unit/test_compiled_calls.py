"""A traced run does not make a compiled function inside of a forward be compiled again."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.tracing.compiled_calls import calls_compiled
from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


class Counting:
    """A backend that counts what it compiles."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, graph: Any, inputs: Any) -> Any:
        self.count += 1
        return graph.forward


class Holding(nn.Module):
    """Calls a compiled function that it holds as an attribute, by way of a method."""

    def __init__(self, backend: Counting) -> None:
        super().__init__()
        self.fc = fc()
        self.activation = torch.compile(lambda x: torch.tanh(x) * 2, backend=backend)

    def activate(self, x: torch.Tensor) -> Any:
        return self.activation(x)

    def forward(self, x: torch.Tensor) -> Any:
        return self.activate(self.fc(x))


def closed_over(backend: Counting) -> nn.Module:
    double = torch.compile(lambda x: x * 2, backend=backend)

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()

        def forward(self, x: torch.Tensor) -> Any:
            return double(self.fc(x))

    return Model()


@pytest.mark.parametrize("make", [Holding, closed_over])
def test_a_compiled_function_in_a_forward_is_not_compiled_again(make: Any) -> None:
    torch._dynamo.reset()
    backend = Counting()
    model = nn.Sequential(make(backend))

    # With gradients dynamo itself asks for the gradient of what is no leaf, which warns.
    with torch.no_grad():
        model(X)
        trace(model, X)
        model(X)

    assert backend.count == 1


def test_the_flow_goes_through_a_forward_that_calls_a_compiled_function() -> None:
    torch._dynamo.reset()
    model = nn.Sequential(Holding(Counting()), fc())

    with torch.no_grad():
        flow = trace(model, X)

    assert edges(flow) == [("input", "0.fc"), ("0.fc", "compiled"), ("compiled", "1"), ("1", "output")]


def test_what_compiled_code_gave_to_a_child_is_drawn_as_such() -> None:
    torch._dynamo.reset()

    class Model(Holding):
        def forward(self, x: torch.Tensor) -> Any:
            return self.fc(self.activation(self.fc(x)))

    with torch.no_grad():
        flow = trace(nn.Sequential(Model(Counting())), X)

    assert edges(flow) == [("input", "0.fc"), ("0.fc", "compiled"), ("compiled", "0.fc"), ("0.fc", "output")]


def test_a_forward_without_a_compiled_function_is_seen_in_full() -> None:
    torch._dynamo.reset()

    assert not calls_compiled(wired(lambda m, x: torch.tanh(m.fc(x)), fc=fc()))


def test_a_function_that_must_not_be_compiled_is_no_compiled_one() -> None:
    plain = torch.compiler.disable(lambda x: x * 2)

    class Model(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return plain(x)

    assert not calls_compiled(Model())


def test_a_forward_of_no_module_as_exec_makes_it_is_searched_like_others() -> None:
    model = wired(lambda self, x: self.fc(x), fc=fc())
    model.forward = type(model).forward.__get__(model)
    model.forward.__func__.__module__ = None

    assert not calls_compiled(model)
    assert edges(trace(model, torch.ones(2, 4))) == [("x", "fc"), ("fc", "output")]
