"""What goes in and comes out: inputs, outputs, parameters, nested in whatever container."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers.modeling_outputs import BaseModelOutput

from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


def test_tied_weights_do_not_connect_modules() -> None:
    model = wired(lambda self, x: self.b(self.a(x)), a=fc(), b=fc())
    model.b.weight = model.a.weight

    assert edges(trace(model, X)) == [("x", "a"), ("a", "b"), ("b", "output")]


def test_outputs_nested_in_any_container_are_followed() -> None:
    @dataclass
    class Result:
        value: torch.Tensor
        note: str = ""

    for wrap, unwrap in (
        (lambda t: (t, None), lambda o: o[0]),
        (lambda t: [t, 3], lambda o: o[0]),
        (lambda t: {"a": {"b": [t]}}, lambda o: o["a"]["b"][0]),
        (lambda t: Pair(t, t), lambda o: o.right),
        (Result, lambda o: o.value),
        (lambda t: BaseModelOutput(last_hidden_state=t), lambda o: o.last_hidden_state),
    ):
        inner = wired(lambda self, x, wrap=wrap: wrap(x.double() * 2))
        model = wired(lambda self, x, unwrap=unwrap: self.fc(unwrap(self.inner(x)).float()), inner=inner, fc=fc())

        assert edges(trace(model, X)) == [("x", "inner"), ("inner", "fc"), ("fc", "output")]


def test_each_tensor_that_is_returned_has_its_nodes_and_its_shape() -> None:
    model = wired(lambda self, x: {"a": self.a(x), "b": [x.abs()[:1], torch.ones(3)]}, a=fc())

    flow = trace(model, X)

    names = [[flow.nodes[source].path or flow.nodes[source].label for source in each.sources] for each in flow.returned]
    assert names == [["a"], ["abs"], []]
    assert [each.shape for each in flow.returned] == [(2, 4), (1, 4), (3,)]


def test_operations_tell_which_of_their_results_have_nan_and_infinity() -> None:
    def wiring(self: Any, x: torch.Tensor) -> Any:
        x = self.a(x)
        return [x > 0, x.argmax(), x.max(0), x.abs(), torch.complex(x, x)]

    flow = trace(wired(wiring, a=fc()), X)

    told = {node.label: node.is_fractional for node in flow.nodes if node.kind == "op"}
    assert told == {"gt": (False,), "argmax": (False,), "max": (True, False), "abs": (True,), "complex": (True,)}


def test_inputs_are_named_as_the_signature_names_them() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()

        def forward(self, left: torch.Tensor, right: Any, *rest: torch.Tensor, scale: Any = None) -> Any:
            return self.fc(left) + right["deep"] + rest[0] + scale

    flow = trace(Two(), X, {"deep": X + 1}, X + 2, scale=X + 3)

    assert [node.label for node in flow.nodes if node.kind == "input"] == ["left", "right['deep']", "rest[0]", "scale"]


def test_a_tensor_given_twice_is_one_input_with_both_names() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()

        def forward(self, query: torch.Tensor, key: torch.Tensor) -> Any:
            return self.fc(query) + key

    assert [node.label for node in trace(Two(), X, X).nodes if node.kind == "input"] == ["query = key"]


def test_an_lstm_is_one_card_whose_every_output_is_followed() -> None:
    def forward(self: Any, x: Any) -> Any:
        output, (hidden, cell) = self.lstm(x)
        return self.fc(output[-1]) + hidden[0] + cell[0]

    flow = trace(wired(forward, lstm=nn.LSTM(4, 4), fc=fc()), X[None])

    assert edges(flow) == [
        ("x", "lstm"),
        ("lstm", "fc"),
        ("fc", "add"),
        ("lstm", "add"),
        ("add", "add"),
        ("lstm", "add"),
        ("add", "output"),
    ]


def test_a_packed_sequence_is_followed() -> None:
    def forward(self: Any, x: Any) -> Any:
        packed, _ = self.rnn(pack_padded_sequence(self.fc(x), torch.tensor([2, 1])))
        return pad_packed_sequence(packed)[0]

    found = edges(trace(wired(forward, rnn=nn.GRU(4, 4), fc=fc()), torch.ones(2, 2, 4)))

    assert found[0] == ("x", "fc")
    assert ("fc", "pack_padded_sequence") in found
    assert ("pack_padded_sequence", "rnn") in found
    assert found[-1][1] == "output"


def test_parameters_and_buffers_used_directly_are_named_nodes() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()
            self.scale = nn.Parameter(torch.ones(4))
            self.register_buffer("shift", torch.ones(4))

        def forward(self, x: torch.Tensor) -> Any:
            return self.fc(x) * self.scale + self.scale * self.get_buffer("shift")

    flow = trace(Scaled(), X)

    assert [(node.label, node.path) for node in flow.nodes if node.kind == "parameter"] == [
        ("scale", "scale"),
        ("shift", "shift"),
    ]
    assert ("scale", "mul") in edges(flow)
    assert ("shift", "mul") in edges(flow)


def test_weights_of_a_child_used_by_its_parent_are_named_by_their_path() -> None:
    model = wired(lambda self, x: functional.linear(self.a(x), self.a.weight), a=fc())

    assert edges(trace(model, X)) == [("x", "a"), ("a", "linear"), ("a.weight", "linear"), ("linear", "output")]
