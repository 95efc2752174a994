"""A tensor at a glance: where it stands, its gradient or why there is none, and the hooks on it."""

import pytest
import torch

from hookviz.session.tensor_view import TensorView


def clip(gradient: torch.Tensor) -> torch.Tensor:
    return gradient.clamp(-1, 1)


def leaf() -> torch.Tensor:
    return torch.ones(2, requires_grad=True)


@pytest.mark.parametrize(
    ("tensor", "gradient"),
    [
        (torch.ones(2), "none: it does not require grad"),
        (leaf(), "none yet: no backward pass reached it"),
        (leaf() * 2, "not kept: it is an intermediate result"),
    ],
)
def test_a_tensor_without_gradient_has_the_reason(tensor: torch.Tensor, gradient: str) -> None:
    assert TensorView.of(tensor).gradient == gradient


def test_a_leaf_after_backward_has_the_norm_of_its_gradient() -> None:
    x = leaf()
    (x * torch.tensor([3.0, 4.0])).sum().backward()

    assert TensorView.of(x).gradient == "norm 5.00e+00"


def test_an_intermediate_result_that_retains_its_gradient_shows_it() -> None:
    y = leaf() * 2
    y.retain_grad()
    y.sum().backward()

    assert TensorView.of(y).gradient == "norm 1.41e+00"


def test_hooks_are_listed_in_the_order_in_which_they_run() -> None:
    x = leaf()
    x.register_hook(clip)
    x.register_hook(lambda gradient: gradient * 2)
    x.register_post_accumulate_grad_hook(print)

    hooks = TensorView.of(x).hooks

    assert [(hook.kind, hook.label.rpartition(".")[2], hook.enabled) for hook in hooks] == [
        ("tensor", "clip", True),
        ("tensor", "<lambda>", True),
        ("post_accumulate_grad", "print", True),
    ]
    assert hooks[0].source == "test_tensor_view.py:9"


def test_looking_leaves_nothing_on_the_tensor() -> None:
    x = leaf()
    y = x * 2

    TensorView.of(x), TensorView.of(y)

    assert x._backward_hooks is None
    assert y._backward_hooks is None
    assert x.grad is None


def test_the_text_has_values_gradient_hooks_and_what_to_expect() -> None:
    x = leaf()
    x.register_hook(clip)

    lines = TensorView.of(x, "x").text().splitlines()

    assert lines[0] == "x"
    assert lines[-4:] == [
        "gradient: none yet: no backward pass reached it",
        "hooks: 1",
        "  ● clip  tensor  test_tensor_view.py:9",
        "A leaf: backward adds its gradient to .grad, after its hooks; each call of backward adds more.",
    ]


def test_the_hooks_stand_on_the_card() -> None:
    x = leaf()
    x.register_hook(clip)

    assert "clip" in TensorView.of(x).svg()


@pytest.mark.parametrize(
    "tensor",
    [
        torch.empty(0),
        torch.tensor(3),
        torch.eye(3).to_sparse(),
        torch.ones(2, device="meta"),
        torch.tensor([1 + 2j]),
        torch.tensor([float("nan")]),
    ],
    ids=["empty", "integer", "sparse", "meta", "complex", "nan"],
)
def test_every_kind_of_tensor_can_be_looked_at(tensor: torch.Tensor) -> None:
    assert TensorView.of(tensor, "t").text().startswith("t\n")
