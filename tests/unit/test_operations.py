"""Which functions of PyTorch are operations, and what they are called."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from hookviz.tracing.operations import operation_of

DYNAMIC: Any = Tensor


@pytest.mark.parametrize(
    ("function", "name", "effect"),
    [
        (Tensor.add, "add", "compute"),
        (torch.add, "add", "compute"),
        (torch.ops.aten.add.Tensor, "add", "compute"),
        (Tensor.add_, "add", "write"),
        (Tensor.__iadd__, "add", "write"),
        (DYNAMIC.__radd__, "add", "compute"),
        (Tensor.__rsub__, "sub", "compute"),
        (torch.true_divide, "div", "compute"),
        (Tensor.__eq__, "eq", "compute"),
        (Tensor.__invert__, "invert", "compute"),
        (Tensor.__getitem__, "getitem", "compute"),
        (Tensor.__setitem__, "setitem", "write"),
        (functional.relu, "relu", "compute"),
        (functional.gelu, "gelu", "compute"),
        (functional.max_pool2d, "max_pool2d", "compute"),
        (functional.scaled_dot_product_attention, "scaled_dot_product_attention", "compute"),
        (torch.autograd.grad, "grad", "compute"),
        (Tensor.view, "view", "arrange"),
        (Tensor.unsqueeze_, "unsqueeze", "arrange"),
        (DYNAMIC.T.__get__, "T", "arrange"),
        (DYNAMIC.data.__get__, "data", "arrange"),
        (DYNAMIC.data.__set__, "data", "adopt"),
        (DYNAMIC.shape.__get__, "shape", "ignore"),
        (DYNAMIC.grad.__get__, "grad", "ignore"),
        (DYNAMIC.grad.__set__, "grad", "ignore"),
        (torch.broadcast_tensors, "broadcast_tensors", "arrange_each"),
        (Tensor.copy_, "copy", "overwrite"),
        (torch.zeros_like, "zeros_like", "constant"),
        (Tensor.numpy, "numpy", "leave"),
        (torch.tensor, "tensor", "import"),
        (Tensor.item, "item", "ignore"),
        (Tensor.requires_grad_, "requires_grad", "ignore"),
        (Tensor.__len__, "len", "ignore"),
        (torch._foreach_add_, "foreach_add", "write"),
    ],
)
def test_a_function_has_a_plain_name_and_one_effect(function: Any, name: str, effect: str) -> None:
    operation = operation_of(function)

    assert (operation.name, operation.effect) == (name, effect)


def test_a_function_without_a_name_is_called_function() -> None:
    class Callable:
        def __call__(self) -> None: ...

    assert operation_of(Callable()).name == "function"
