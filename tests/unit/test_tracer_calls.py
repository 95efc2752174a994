"""Modules that are called several times, under several names, by themselves, or not at all."""

from typing import Any

import torch
from torch import nn

from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


def test_a_module_called_in_a_loop_has_one_node_per_call() -> None:
    def forward(self: Any, x: Any) -> Any:
        for _ in range(3):
            x = self.cell(x)
        return x

    flow = trace(wired(forward, cell=fc()), X)

    assert [(node.path, node.call) for node in flow.nodes if node.kind == "module"] == [
        ("cell", 0),
        ("cell", 1),
        ("cell", 2),
    ]
    assert edges(flow) == [("x", "cell"), ("cell", "cell"), ("cell", "cell"), ("cell", "output")]


def test_a_module_under_two_names_is_shown_under_the_first() -> None:
    shared = fc()
    model = wired(lambda self, x: self.b(self.a(x)), a=shared, b=shared)

    assert edges(trace(model, X)) == [("x", "a"), ("a", "a"), ("a", "output")]


def test_a_recursive_module_nests_in_itself() -> None:
    class Fractal(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()

        def forward(self, x: torch.Tensor, depth: int = 1) -> Any:
            h: torch.Tensor = self.fc(x)
            return self(h, depth - 1) if depth else h

    flow = trace(Fractal(), X)

    assert [(node.kind, node.path, node.call, node.parent) for node in flow.nodes] == [
        ("input", "", 0, None),
        ("container", "", 0, None),
        ("module", "fc", 0, 1),
        ("container", "", 1, 1),
        ("module", "fc", 1, 3),
        ("output", "", 0, None),
    ]


def test_a_module_with_children_that_were_not_called_and_no_operation_is_a_card() -> None:
    lazy = wired(lambda self, x: x, unused=fc())
    model = wired(lambda self, x: self.fc(self.lazy(x)), lazy=lazy, fc=fc())

    flow = trace(model, X)

    assert edges(flow) == [("x", "lazy"), ("lazy", "fc"), ("fc", "output")]
    assert next(node for node in flow.nodes if node.path == "lazy").passes_through


def test_a_part_called_by_itself_is_the_outermost_call() -> None:
    model = wired(lambda self, x: self.decoder(self.encoder(x)), encoder=nn.Sequential(fc(), nn.ReLU()), decoder=fc())

    flow = trace(model, run=lambda: model.encoder(X))

    assert edges(flow) == [("input", "encoder.0"), ("encoder.0", "encoder.1"), ("encoder.1", "output")]


def test_a_run_that_raised_ends_where_it_raised() -> None:
    def forward(self: Any, x: Any) -> Any:
        self.fc2(self.fc1(x).relu()[:, :3])
        return x

    model = wired(forward, fc1=fc(), fc2=fc())

    def run() -> None:
        try:
            model(X)
        except RuntimeError:
            return

    flow = trace(model, run=run)

    assert edges(flow) == [("x", "fc1"), ("fc1", "relu"), ("relu", "fc2")]


def test_a_run_that_caught_an_exception_of_a_part_is_complete() -> None:
    def forward(self: Any, x: Any) -> Any:
        x.isnan().any()
        try:
            return self.narrow(x)
        except RuntimeError:
            return self.fc(x)

    flow = trace(wired(forward, narrow=nn.Linear(3, 3), fc=fc()), X)

    assert edges(flow) == [("x", "narrow"), ("x", "fc"), ("fc", "output")]
