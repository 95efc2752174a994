"""The past of a tensor is drawn as autograd remembers it."""

import pytest
import torch
from torch import Tensor

from hookviz.graph.autograd_graph import MOST_NODES, TENSOR_ID, autograd_graph, operation_name


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(_ctx: object, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(_ctx: object, *gradients: Tensor) -> Tensor:
        return gradients[0] * 2


def test_operations_lead_from_the_leaves_to_the_tensor() -> None:
    w = torch.ones(3, 2, requires_grad=True)
    y = (torch.ones(4, 3) @ w).relu()

    graph = autograd_graph(y, "y", {id(w): "w"})

    names = {node.id: node.name for node in graph.nodes}
    assert [(names[edge.source], names[edge.target]) for edge in graph.edges] == [
        ("relu", "y"),
        ("mm", "relu"),
        ("w 3×2", "mm"),
    ]


def test_an_operation_whose_result_is_used_twice_is_one_node() -> None:
    w = torch.ones(2, requires_grad=True)
    h = w * 2
    y = h + h.exp()

    graph = autograd_graph(y, "y")

    assert [node.name for node in graph.nodes] == ["y", "add", "mul", "exp", "leaf 2"]


@pytest.mark.parametrize(
    ("make", "detail"),
    [
        (lambda: torch.ones(2, 3), "2×3 · float32 · requires no gradient"),
        (lambda: torch.ones(2, requires_grad=True), "2 · float32 · leaf"),
        (lambda: torch.ones(2, requires_grad=True) * 2, "2 · float32 · intermediate"),
        (lambda: torch.ones(()), "float32 · requires no gradient"),
    ],
)
def test_the_card_says_where_the_tensor_stands(make, detail: str) -> None:  # type: ignore[no-untyped-def]  # a lambda
    graph = autograd_graph(make(), "t")

    assert graph.nodes[0].id == TENSOR_ID
    assert graph.nodes[0].detail == detail


def test_a_long_past_is_cut_and_says_so() -> None:
    y = torch.ones(1, requires_grad=True)
    for _ in range(1000):
        y = y * 2

    graph = autograd_graph(y, "y")

    assert len(graph.nodes) == MOST_NODES + 1
    assert graph.nodes[-1].name == "…"


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("AddmmBackward0", "addmm"),
        ("ScaledDotProductFlashAttentionForCpuBackward0", "scaled_dot_product_flash_attention_for_cpu"),
        ("torch::autograd::CopySlices", "CopySlices"),
        ("MulBackward0", "mul"),
    ],
)
def test_an_operation_has_its_plain_name(function: str, name: str) -> None:
    assert operation_name(function) == name


def test_a_function_of_ones_own_has_the_name_of_its_class() -> None:
    x = torch.ones(1, requires_grad=True)

    y = Scaled.apply(x)  # type: ignore[no-untyped-call]  # torch gives it no types

    assert autograd_graph(y, "y").nodes[1].name == "Scaled"
