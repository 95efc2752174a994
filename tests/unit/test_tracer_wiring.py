"""Edges between modules, from how a forward wires them."""

from collections import OrderedDict
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from tests.models import fc, wired
from tests.tracing_seam import edges, operations, trace

X = torch.ones(2, 4)


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


def test_the_branch_that_data_chose_is_the_one_drawn() -> None:
    model = wired(lambda self, x: self.yes(x) if x.sum() > 0 else self.no(x), yes=fc(), no=fc())

    assert edges(trace(model, X)) == [("x", "yes"), ("yes", "output")]
    assert edges(trace(model, -X)) == [("x", "no"), ("no", "output")]


def test_identity_and_dropout_in_evaluation_pass_through() -> None:
    model = wired(lambda self, x: self.fc(self.drop(self.id(x))), id=nn.Identity(), drop=nn.Dropout(), fc=fc()).eval()

    flow = trace(model, X)

    assert edges(flow) == [("x", "id"), ("id", "drop"), ("drop", "fc"), ("fc", "output")]
    assert [node.path for node in flow.nodes if node.passes_through] == ["id", "drop"]


def test_a_functional_dropout_that_does_nothing_is_no_node() -> None:
    model = wired(lambda self, x: self.fc(functional.dropout(x, training=False)), fc=fc())

    assert edges(trace(model, X)) == [("x", "fc"), ("fc", "output")]


def test_a_model_of_one_layer_is_one_card() -> None:
    flow = trace(fc(), X)

    assert edges(flow) == [("input", ""), ("", "output")]
    assert [node.kind for node in flow.nodes] == ["input", "module", "output"]


def test_works_under_no_grad_and_inference_mode() -> None:
    model = wired(lambda self, x: self.fc2(self.fc1(x).relu()) + x, fc1=fc(), fc2=fc())
    expected = edges(trace(model, X))

    with torch.no_grad():
        assert edges(trace(model, X)) == expected
    with torch.inference_mode():
        assert edges(trace(model, X.clone())) == expected
