"""Tensors that were made out of sight: their way is found by other witnesses, or left open, never guessed."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import parametrizations

from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


class DoubleInNumpy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(x.detach().numpy() * 2)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 2


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 2


double: Any = Double.apply
double_in_numpy: Any = DoubleInNumpy.apply


def test_a_custom_function_shows_what_its_forward_does() -> None:
    model = wired(lambda self, x: self.b(double(self.a(x))), a=fc(), b=fc())

    assert edges(trace(model, X)) == [("x", "a"), ("a", "mul"), ("mul", "b"), ("b", "output")]


def test_a_custom_function_that_left_torch_is_found_by_its_gradient() -> None:
    model = wired(lambda self, x: self.b(double_in_numpy(self.a(x))), a=fc(), b=fc())

    assert edges(trace(model, X)) == [("x", "a"), ("a", "DoubleInNumpy"), ("DoubleInNumpy", "b"), ("b", "output")]


def test_without_gradients_it_is_found_by_what_went_to_numpy() -> None:
    model = wired(lambda self, x: self.b(double_in_numpy(self.a(x))), a=fc(), b=fc())

    with torch.no_grad():
        flow = trace(model, X)

    assert edges(flow) == [("x", "a"), ("a", "numpy"), ("numpy", "b"), ("b", "output")]


def test_a_custom_function_of_a_parameter_is_connected_to_the_parameter() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(torch.ones(4))
            self.fc = fc()

        def forward(self, x: torch.Tensor) -> Any:
            return self.fc(x) + double_in_numpy(self.scale)

    assert ("scale", "DoubleInNumpy") in edges(trace(Scaled(), X))


def test_numpy_between_two_layers_connects_them() -> None:
    def forward(self: Any, x: Any) -> Any:
        array = np.tanh(self.a(x).detach().numpy())
        return self.b(torch.from_numpy(array))

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [
        ("x", "a"),
        ("a", "numpy"),
        ("numpy", "b"),
        ("b", "output"),
    ]


def test_a_tensor_kept_from_an_earlier_run_is_a_constant() -> None:
    def forward(self: Any, x: Any) -> Any:
        state = getattr(self, "state", None)
        h = self.a(x) if state is None else self.a(x) + state
        object.__setattr__(self, "state", h)
        return h

    model = wired(forward, a=fc())
    trace(model, X)

    assert edges(trace(model, X)) == [("x", "a"), ("a", "add"), ("add", "output")]


def test_a_container_that_returns_what_it_kept_is_not_connected_to_its_input() -> None:
    positions = torch.arange(4)
    model = wired(lambda self, x: (self.a(x), positions), a=fc())
    model.positions = positions

    assert edges(trace(model, X)) == [("x", "a"), ("a", "output")]


def test_an_output_that_nothing_explains_comes_from_what_entered() -> None:
    hidden: list[torch.Tensor] = []

    def forward(self: Any, x: Any) -> Any:
        self.a(x)
        # Stands for an extension that torch does not see.
        return hidden.pop()

    hidden.append(X + 1)
    inner = wired(forward, a=fc())
    model = wired(lambda self, x: self.b(self.inner(x)), inner=inner, b=fc())

    assert edges(trace(model, X)) == [("x", "inner.a"), ("x", "untraced"), ("untraced", "b"), ("b", "output")]


def test_a_parametrized_layer_is_one_card_and_its_state_is_left_alone() -> None:
    model = wired(lambda self, x: self.b(self.a(x)), a=parametrizations.spectral_norm(fc()), b=fc()).train()
    plain = wired(lambda self, x: self.b(self.a(x)), a=parametrizations.spectral_norm(fc()), b=fc()).train()
    plain.load_state_dict(model.state_dict())

    flow = trace(model, X)
    plain(X)

    assert edges(flow) == [("x", "a"), ("a", "b"), ("b", "output")]
    for name, value in plain.state_dict().items():
        assert torch.equal(model.state_dict()[name], value)


def test_a_lazy_layer_has_the_name_of_the_class_that_it_becomes() -> None:
    model = wired(lambda self, x: self.a(x), a=nn.LazyLinear(3))

    flow = trace(model, X)

    assert [node.label for node in flow.nodes if node.path == "a"] == ["Linear"]


def test_data_is_followed_into_and_out_of_function_transforms() -> None:
    over_rows = wired(lambda self, x: self.b(torch.vmap(lambda row: self.a(row).relu())(x)), a=fc(), b=fc())
    force = wired(lambda self, x: self.b(torch.func.grad(lambda y: self.a(y).sum())(x)), a=fc(), b=fc())

    with torch.no_grad():
        assert edges(trace(over_rows, X)) == [("x", "a"), ("a", "relu"), ("relu", "b"), ("b", "output")]
    assert edges(trace(force, X)) == [
        ("x", "a"),
        ("a", "sum"),
        ("sum", "grad"),
        ("x", "grad"),
        ("grad", "b"),
        ("b", "output"),
    ]


def test_a_tensor_whose_shape_and_storage_cannot_be_asked_is_followed() -> None:
    class Shy(torch.Tensor):
        @staticmethod
        def __new__(cls, inner: Any) -> Any:
            made: Any = torch.Tensor._make_wrapper_subclass(
                cls, inner.shape, dtype=inner.dtype, dispatch_sizes_strides_policy="sizes"
            )
            made.inner = inner
            return made

        def __init__(self, inner: Any) -> None: ...

        @classmethod
        def __torch_dispatch__(  # type: ignore[override]  # torch declares fewer arguments
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if "size" in str(func) or "stride" in str(func):
                raise LookupError("no")
            return cls(func(*[arg.inner if type(arg) is cls else arg for arg in args]))

    model = wired(lambda self, x: self.b(self.a(x)), a=nn.ReLU(), b=nn.Tanh())

    flow = trace(model, Shy(X))

    assert edges(flow) == [("x", "a"), ("a", "b"), ("b", "output")]
    assert {edge.shape for edge in flow.edges} == {()}


def test_nested_tensors_are_followed_and_their_open_length_is_said() -> None:
    model = wired(lambda self, x: self.b(self.a(x).relu()), a=fc(), b=fc())
    rows = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)

    flow = trace(model, rows)

    assert edges(flow) == [("x", "a"), ("a", "relu"), ("relu", "b"), ("b", "output")]
    assert flow.edges[0].shape == (2, -1, 4)


def test_functorch_sparse_meta_and_subclass_tensors_are_followed() -> None:
    class Tagged(torch.Tensor):
        pass

    model = wired(lambda self, x: self.b(self.a(x).relu()), a=fc(), b=fc())
    expected = [("x", "a"), ("a", "relu"), ("relu", "b"), ("b", "output")]
    meta = wired(lambda self, x: self.b(self.a(x).relu()), a=fc(), b=fc()).to("meta")
    sparse = wired(lambda self, x: self.b(torch.sparse.mm(x, self.a(x.to_dense()))), a=fc(), b=fc())

    assert edges(trace(model, X.as_subclass(Tagged))) == expected
    assert edges(trace(meta, X.to("meta"))) == expected
    assert edges(trace(model, run=lambda: torch.vmap(model)(torch.ones(3, 2, 4)))) == expected
    assert ("a", "mm") in [(s, t.rpartition("_")[2]) for s, t in edges(trace(sparse, torch.eye(4).to_sparse()))]


@pytest.mark.filterwarnings("ignore:`torch.jit.trace` is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:`torch.jit.trace_method` is deprecated:DeprecationWarning")
def test_a_program_of_torchscript_is_one_card() -> None:
    scripted = torch.jit.trace(nn.Sequential(fc(), nn.ReLU()), X)
    model = wired(lambda self, x: self.b(self.scripted(x)), scripted=scripted, b=fc())

    assert edges(trace(model, X)) == [("x", "scripted"), ("scripted", "b"), ("b", "output")]
