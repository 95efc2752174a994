"""A hook is registered with PyTorch, or it is said why not."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import HookContractError, OptionError
from hookviz.hooks.registration import Flags, check, register_on_module, register_on_tensor
from tests.models import fc, row


def ignore(*_given: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("forward_pre", "_forward_pre_hooks"),
        ("forward", "_forward_hooks"),
        ("backward_pre", "_backward_pre_hooks"),
        ("backward", "_backward_hooks"),
    ],
)
def test_each_kind_is_in_pytorchs_own_place(kind: Any, place: str) -> None:
    module = fc()

    handle = register_on_module(module, kind, ignore, Flags())

    assert getattr(module, place) == {handle.id: ignore}


def test_flags_are_those_of_pytorch() -> None:
    module = fc()
    register_on_module(module, "forward", repr, Flags())

    handle = register_on_module(module, "forward", ignore, Flags(with_kwargs=True, always_call=True, prepend=True))

    assert list(module._forward_hooks.values()) == [ignore, repr]
    assert handle.id in module._forward_hooks_with_kwargs
    assert handle.id in module._forward_hooks_always_called


def test_a_hook_on_a_tensor_sees_its_gradient() -> None:
    tensor = torch.ones(2, requires_grad=True)
    seen: list[torch.Tensor] = []
    register_on_tensor(tensor, "tensor", seen.append, "The tensor")

    (tensor * 3).sum().backward()

    assert seen[0].tolist() == [3.0, 3.0]


WRONG: list[tuple[Any, Flags, Any, type[Exception], str]] = [
    (
        "forwards",
        Flags(),
        ignore,
        OptionError,
        (
            "There is no kind of hook 'forwards' to write. Nearest: 'forward'. The kinds: 'forward_pre', 'forward', "
            "'backward_pre', 'backward', 'tensor', 'post_accumulate_grad'."
        ),
    ),
    (
        "backward",
        Flags(always_call=True),
        ignore,
        OptionError,
        "A backward hook does not have the flag always_call; these have: 'forward'.",
    ),
    (
        "forward",
        Flags(),
        3,
        OptionError,
        "A hook is a function or another callable; got int 3. A forward hook is called with (module, args, output).",
    ),
    (
        "forward",
        Flags(),
        lambda output: None,
        HookContractError,
        (
            "A forward hook is called with 3 values, (module, args, output); <lambda>(output) does not take them: "
            "too many positional arguments."
        ),
    ),
    (
        "forward_pre",
        Flags(),
        lambda module, args, kwargs: None,
        HookContractError,
        (
            "A forward_pre hook is called with 2 values, (module, args); <lambda>(module, args, kwargs) does not take "
            "them: missing a required argument: 'kwargs'. Or pass with_kwargs=True."
        ),
    ),
]


@pytest.mark.parametrize(("kind", "flags", "function", "error", "words"), WRONG)
def test_what_pytorch_could_not_call_is_refused(
    kind: str, flags: Flags, function: Callable[..., Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(words)}$"):
        check(kind, flags, function)


def test_a_builtin_without_a_signature_is_taken() -> None:
    check("tensor", Flags(), print)
    check("tensor", Flags(), dict)


def test_a_tensor_without_gradient_can_have_no_hook() -> None:
    with pytest.raises(OptionError, match=r"^weight does not require grad, .*Set requires_grad_\(True\) on it"):
        register_on_tensor(torch.ones(1), "tensor", ignore, "weight")


def test_a_computed_tensor_accumulates_no_gradient() -> None:
    tensor = torch.ones(1, requires_grad=True) * 2

    with pytest.raises(OptionError, match='A "tensor" hook sees its gradient'):
        register_on_tensor(tensor, "post_accumulate_grad", ignore, "The tensor")


def test_removing_takes_the_hook_off() -> None:
    module: nn.Module = fc()
    handle = register_on_module(module, "backward", ignore, Flags())

    handle.remove()

    assert not module._backward_hooks
    module(row())
