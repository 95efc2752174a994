"""A tensor on display has its picture, its hooks and its gradient; names are text."""

import torch

from hookviz.magic.tensor_display import tensor_bundle
from hookviz.session.tensor_view import TensorView


def test_the_picture_and_the_hooks_stand_side_by_side() -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(print)

    html = tensor_bundle(TensorView.of(x, "x"))["text/html"]

    assert "<svg" in html
    assert "<?xml" not in html
    assert "● on" in html
    assert ">print</td>" in html
    assert "none yet: no backward pass reached it" in html


def test_a_tensor_without_hooks_says_so() -> None:
    assert "No hook is on it." in tensor_bundle(TensorView.of(torch.ones(2)))["text/html"]


def test_a_name_is_text() -> None:
    html = tensor_bundle(TensorView.of(torch.ones(2), "<script>alert(1)</script>"))["text/html"]

    assert "<script" not in html
    assert "&lt;script&gt;" in html
