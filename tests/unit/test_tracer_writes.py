"""Edges after writes in place: who reads a tensor sees the last writer, through whatever view."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


def test_an_operation_in_place_is_a_node_and_marked() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        h += x
        h.relu_()
        return self.fc2(h)

    flow = trace(wired(forward, fc1=fc(), fc2=fc()), X)

    assert edges(flow) == [
        ("x", "fc1"),
        ("fc1", "add"),
        ("x", "add"),
        ("add", "relu"),
        ("relu", "fc2"),
        ("fc2", "output"),
    ]
    assert [node.label for node in flow.nodes if node.in_place] == ["add", "relu"]


def test_the_option_inplace_is_a_write() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        functional.relu(h, inplace=True)
        return self.fc2(h)

    assert edges(trace(wired(forward, fc1=fc(), fc2=fc()), X)) == [
        ("x", "fc1"),
        ("fc1", "relu"),
        ("relu", "fc2"),
        ("fc2", "output"),
    ]


def test_a_module_in_place_is_followed_even_if_its_result_is_ignored() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        self.relu(h)
        return self.fc2(h)

    model = wired(forward, fc1=fc(), relu=nn.ReLU(inplace=True), fc2=fc())
    expected = [("x", "fc1"), ("fc1", "relu"), ("relu", "fc2"), ("fc2", "output")]

    flow = trace(model, X)
    with torch.inference_mode():
        without_versions = trace(model, X.clone())

    assert edges(flow) == expected
    assert [node.path for node in flow.nodes if node.in_place] == ["relu"]
    assert not any(node.passes_through for node in flow.nodes)
    assert edges(without_versions) == expected
    assert [node.path for node in without_versions.nodes if node.in_place] == ["relu"]


def test_a_write_through_a_view_is_seen_by_the_whole() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        column = h.detach()[:, 0]
        column.mul_(x[:, 0])
        return self.fc2(h)

    assert edges(trace(wired(forward, fc1=fc(), fc2=fc()), X)) == [
        ("x", "fc1"),
        ("fc1", "mul"),
        ("x", "mul"),
        ("fc1", "fc2"),
        ("mul", "fc2"),
        ("fc2", "output"),
    ]


def test_a_write_to_the_whole_is_seen_by_a_view_taken_before() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        view = h.view(-1)
        h.mul_(x)
        return self.fc2(view.view(2, 4))

    assert edges(trace(wired(forward, fc1=fc(), fc2=fc()), X)) == [
        ("x", "fc1"),
        ("fc1", "mul"),
        ("x", "mul"),
        ("mul", "fc2"),
        ("fc2", "output"),
    ]


def test_a_write_to_one_half_is_not_seen_by_the_other_half() -> None:
    def forward(self: Any, x: Any) -> Any:
        left, right = self.wide(x).detach().chunk(2, dim=1)
        left.mul_(x)
        return self.fc(right)

    assert edges(trace(wired(forward, wide=nn.Linear(4, 8), fc=fc()), X)) == [
        ("x", "wide"),
        ("wide", "fc"),
        ("fc", "output"),
    ]


def test_assignments_to_slices_are_a_chain() -> None:
    def forward(self: Any, x: Any) -> Any:
        both = torch.zeros(2, 8)
        both[:, :4] = self.a(x)
        both[:, 4:] = self.b(x)
        return self.wide(both)

    flow = trace(wired(forward, a=fc(), b=fc(), wide=nn.Linear(8, 4)), X)

    assert edges(flow) == [
        ("x", "a"),
        ("a", "setitem"),
        ("x", "b"),
        ("setitem", "setitem"),
        ("b", "setitem"),
        ("setitem", "wide"),
        ("wide", "output"),
    ]


def test_copies_into_rows_of_a_buffer_come_together() -> None:
    def forward(self: Any, x: Any) -> Any:
        rows = torch.zeros(2, 2, 4)
        rows[0].copy_(self.a(x))
        rows[1].copy_(self.b(x))
        return self.c(rows)

    flow = trace(wired(forward, a=fc(), b=fc(), c=fc()), X)

    assert edges(flow) == [
        ("x", "a"),
        ("a", "copy"),
        ("x", "b"),
        ("b", "copy"),
        ("copy", "c"),
        ("copy", "c"),
        ("c", "output"),
    ]


def test_a_full_copy_forgets_what_was_there_before() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.a(x).detach()
        h.copy_(self.b(x))
        return self.c(h)

    flow = trace(wired(forward, a=fc(), b=fc(), c=fc()), X)

    assert edges(flow) == [("x", "a"), ("x", "b"), ("b", "copy"), ("copy", "c"), ("c", "output")]


def test_an_out_argument_receives_the_result() -> None:
    def forward(self: Any, x: Any) -> Any:
        result = torch.empty(2, 4)
        with torch.no_grad():
            torch.add(self.a(x), x, out=result)
        return self.b(result)

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [
        ("x", "a"),
        ("a", "add"),
        ("x", "add"),
        ("add", "b"),
        ("b", "output"),
    ]


def test_a_masked_scatter_in_place_is_followed() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = x.clone()
        h.masked_scatter_(x > 0, self.a(x))
        return self.b(h)

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [
        ("x", "gt"),
        ("x", "a"),
        ("x", "masked_scatter"),
        ("gt", "masked_scatter"),
        ("a", "masked_scatter"),
        ("masked_scatter", "b"),
        ("b", "output"),
    ]


def test_setting_data_takes_over_the_source_of_the_new_data() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = torch.zeros(2, 4)
        h.data = self.a(x).detach()
        return self.b(h)

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [("x", "a"), ("a", "b"), ("b", "output")]


def test_an_update_of_a_buffer_that_nobody_reads_is_left_out() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fc()
            self.register_buffer("seen", torch.zeros(4))

        def forward(self, x: torch.Tensor) -> Any:
            self.get_buffer("seen").mul_(0.9).add_(x.mean(dim=0))
            return self.fc(x)

    assert edges(trace(Counting(), X)) == [("x", "fc"), ("fc", "output")]


def test_unbound_views_written_one_by_one() -> None:
    def forward(self: Any, x: Any) -> Any:
        first, second = self.a(x).detach().unbind(0)
        first.add_(x[0])
        return self.b(first) + self.c(second)

    assert edges(trace(wired(forward, a=fc(), b=fc(), c=fc()), X)) == [
        ("x", "a"),
        ("a", "add"),
        ("x", "add"),
        ("add", "b"),
        ("a", "c"),
        ("b", "add"),
        ("c", "add"),
        ("add", "output"),
    ]


def test_of_two_writes_into_the_same_part_the_later_one_is_read_and_each_reads_that_part_alone() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.fc1(x)
        h[:1].exp_()
        h.view(2, 4)[:1].tanh_()
        return self.fc2(h), h[1:]

    flow = trace(wired(forward, fc1=fc(), fc2=fc()), X)

    assert edges(flow) == [
        ("x", "fc1"),
        ("fc1", "exp"),
        ("exp", "tanh"),
        ("fc1", "fc2"),
        ("tanh", "fc2"),
        ("fc2", "output"),
        ("fc1", "output"),
    ]
