"""Edges between modules, from how a forward wires them."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers.modeling_outputs import BaseModelOutput

from tests.models import fc, wired
from tests.tracing_seam import edges, operations, trace

X = torch.ones(2, 4)


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


def test_a_chain_is_connected_in_order() -> None:
    model = nn.Sequential(OrderedDict(fc1=fc(), relu=nn.ReLU(), fc2=fc()))

    flow = trace(model, X)

    assert edges(flow) == [("input", "fc1"), ("fc1", "relu"), ("relu", "fc2"), ("fc2", "output")]
    assert [edge.shape for edge in flow.edges] == [(2, 4), (2, 4), (2, 4), (2, 4)]


def test_two_runs_that_do_the_same_have_equal_flows() -> None:
    model = wired(lambda self, x: self.fc2(self.fc1(x).relu()) + x, fc1=fc(), fc2=fc())

    assert trace(model, X) == trace(model, X * 2)


def test_a_functional_operation_is_a_node_in_the_container_that_ran_it() -> None:
    inner = wired(lambda self, x: functional.relu(self.fc(x)), fc=fc())
    model = wired(lambda self, x: self.inner(x), inner=inner)

    flow = trace(model, X)

    assert edges(flow) == [("x", "inner.fc"), ("inner.fc", "relu"), ("relu", "output")]
    relu = next(node for node in flow.nodes if node.label == "relu")
    assert (relu.kind, relu.path, flow.nodes[relu.parent or 0].path) == ("op", "inner", "inner")


def test_a_residual_has_two_edges_into_its_sum() -> None:
    model = wired(lambda self, x: self.fc1(x) + x, fc1=fc())

    assert edges(trace(model, X)) == [("x", "fc1"), ("fc1", "add"), ("x", "add"), ("add", "output")]


def test_a_concatenation_has_an_edge_from_each_part() -> None:
    model = wired(lambda self, x: torch.cat([self.a(x), self.b(x), x], dim=1), a=fc(), b=fc())

    assert edges(trace(model, X)) == [
        ("x", "a"),
        ("x", "b"),
        ("a", "cat"),
        ("b", "cat"),
        ("x", "cat"),
        ("cat", "output"),
    ]


def test_shape_operations_are_no_nodes_and_the_edge_has_the_shape_that_enters_the_target() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x).view(-1).unsqueeze(0).transpose(0, 1).contiguous()
        return self.fc2(h.reshape(1, 8)[:, :4].clone())

    flow = trace(wired(forward, fc1=fc(), fc2=fc()), X)

    assert edges(flow) == [("x", "fc1"), ("fc1", "fc2"), ("fc2", "output")]
    assert flow.edges[1].shape == (1, 4)


def test_pieces_of_a_split_come_from_what_was_split() -> None:
    def forward(self: Any, x: Any) -> Any:
        query, key, value = self.qkv(x).chunk(3, dim=1)
        return functional.scaled_dot_product_attention(query, key, value)

    flow = trace(wired(forward, qkv=nn.Linear(4, 12)), X)

    assert edges(flow) == [
        ("x", "qkv"),
        ("qkv", "scaled_dot_product_attention"),
        ("scaled_dot_product_attention", "output"),
    ]


def test_constants_masks_and_getters_are_no_nodes() -> None:
    def forward(self: Any, x: Any) -> Any:
        mask = torch.tril(torch.ones(x.shape[0], x.size(1), device=x.device)) == 0
        scale = x.new_zeros(1) + 2
        return self.fc1(x).masked_fill(mask, 0.0) * scale

    assert operations(trace(wired(forward, fc1=fc()), X)) == ["masked_fill", "mul"]


def test_operators_have_plain_names() -> None:
    def forward(self: Any, x: Any) -> Any:
        y = 1 - (2 + x) / 3
        y = y @ y.T
        y += 1
        return (2**y) // 1 - -y

    flow = trace(wired(forward, fc1=fc()), X)

    assert operations(flow) == ["add", "div", "sub", "matmul", "add", "pow", "floordiv", "neg", "sub"]


def test_checks_and_logging_that_reach_nothing_are_left_out() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        assert not torch.isnan(h).any()
        h.mean().item()
        return self.fc2(h)

    assert operations(trace(wired(forward, fc1=fc(), fc2=fc()), X)) == []


def test_a_scalar_taken_out_makes_no_edge() -> None:
    model = wired(lambda self, x: self.fc1(x) * float(self.fc2(x).detach().sum()), fc1=fc(), fc2=fc())

    assert edges(trace(model, X)) == [("x", "fc1"), ("x", "fc2"), ("fc1", "mul"), ("mul", "output")]


def test_an_index_made_by_data_is_a_node() -> None:
    model = wired(lambda self, x: self.fc1(x)[x.sum(dim=1) > 0], fc1=fc())

    assert edges(trace(model, X)) == [
        ("x", "fc1"),
        ("x", "sum"),
        ("sum", "gt"),
        ("fc1", "getitem"),
        ("gt", "getitem"),
        ("getitem", "output"),
    ]


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


def test_tied_weights_do_not_connect_modules() -> None:
    model = wired(lambda self, x: self.b(self.a(x)), a=fc(), b=fc())
    model.b.weight = model.a.weight

    assert edges(trace(model, X)) == [("x", "a"), ("a", "b"), ("b", "output")]


def test_the_branch_that_data_chose_is_the_one_drawn() -> None:
    model = wired(lambda self, x: self.yes(x) if x.sum() > 0 else self.no(x), yes=fc(), no=fc())

    assert edges(trace(model, X)) == [("x", "yes"), ("yes", "output")]
    assert edges(trace(model, -X)) == [("x", "no"), ("no", "output")]


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


def test_identity_and_dropout_in_evaluation_pass_through() -> None:
    model = wired(lambda self, x: self.fc(self.drop(self.id(x))), id=nn.Identity(), drop=nn.Dropout(), fc=fc()).eval()

    flow = trace(model, X)

    assert edges(flow) == [("x", "id"), ("id", "drop"), ("drop", "fc"), ("fc", "output")]
    assert [node.path for node in flow.nodes if node.passes_through] == ["id", "drop"]


def test_a_functional_dropout_that_does_nothing_is_no_node() -> None:
    model = wired(lambda self, x: self.fc(functional.dropout(x, training=False)), fc=fc())

    assert edges(trace(model, X)) == [("x", "fc"), ("fc", "output")]


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


def test_a_model_of_one_layer_is_one_card() -> None:
    flow = trace(fc(), X)

    assert edges(flow) == [("input", ""), ("", "output")]
    assert [node.kind for node in flow.nodes] == ["input", "module", "output"]


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


def test_works_under_no_grad_and_inference_mode() -> None:
    model = wired(lambda self, x: self.fc2(self.fc1(x).relu()) + x, fc1=fc(), fc2=fc())
    expected = edges(trace(model, X))

    with torch.no_grad():
        assert edges(trace(model, X)) == expected
    with torch.inference_mode():
        assert edges(trace(model, X.clone())) == expected
