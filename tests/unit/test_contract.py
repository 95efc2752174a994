"""What a hook returned is compared with what PyTorch takes, in words."""

from typing import Any

import pytest
import torch
from torch import nn

from hookviz.hooks.contract import WritableKind, describe, objection, receives

GRAD = torch.ones(2, 3)
FC = nn.Linear(3, 3)

TAKEN: list[tuple[str, WritableKind, tuple[Any, ...], Any]] = [
    ("a single argument as it is", "forward_pre", (FC, (GRAD,)), GRAD),
    ("a tuple of arguments", "forward_pre", (FC, (GRAD,)), (GRAD,)),
    ("a list where forward takes one list", "forward_pre", (nn.Identity(), ([GRAD],)), [GRAD, GRAD]),
    ("any output", "forward", (FC, (GRAD,), GRAD), "text"),
    ("a tuple of gradients", "backward", (FC, (GRAD,), (GRAD,)), (GRAD * 2,)),
    ("a list of gradients", "backward", (FC, (GRAD,), (GRAD,)), [GRAD * 2]),
    ("None for a gradient", "backward", (FC, (GRAD, None), (GRAD,)), (None, None)),
    ("None for all where there is none", "backward", (FC, (None,), (GRAD,)), (None,)),
    ("gradients of outputs", "backward_pre", (FC, (GRAD,)), (GRAD * 2,)),
    ("a gradient", "tensor", (GRAD,), GRAD * 2),
    ("the parameter itself", "post_accumulate_grad", (GRAD,), GRAD),
]


@pytest.mark.parametrize(("kind", "given", "returned"), [case[1:] for case in TAKEN], ids=[case[0] for case in TAKEN])
def test_what_pytorch_takes_is_not_objected_to(kind: WritableKind, given: tuple[Any, ...], returned: Any) -> None:
    assert objection(kind, given, returned) == ""


REFUSED: list[tuple[str, WritableKind, tuple[Any, ...], Any, str]] = [
    (
        "a bare tensor from a backward hook",
        "backward",
        (FC, (GRAD,), (GRAD,)),
        GRAD,
        "Return a tuple, also of a single gradient: return (grad_input[0] * 2,).",
    ),
    (
        "a bare tensor for two inputs",
        "backward",
        (FC, (GRAD, GRAD), (GRAD,)),
        GRAD,
        "Return a tuple of 2: return tuple(g * 2 if g is not None else None for g in grad_input).",
    ),
    (
        "too few gradients",
        "backward_pre",
        (FC, (GRAD, None)),
        (GRAD,),
        "That has 1 entries where grad_output has 2: return one for each, None where there is no gradient.",
    ),
    (
        "another shape",
        "backward",
        (FC, (GRAD,), (GRAD,)),
        (GRAD[0],),
        "grad_input[0] has the shape 2×3, what was returned has 3: a gradient keeps its shape.",
    ),
    (
        "another dtype",
        "tensor",
        (GRAD,),
        GRAD.double(),
        "The gradient is float32 on cpu, what was returned is float64 on cpu: return it with .to(grad).",
    ),
    (
        "a number for a gradient",
        "tensor",
        (GRAD,),
        3,
        "In the place of the gradient, Tensor 2×3, stands int 3: return a tensor.",
    ),
    (
        "a gradient where there is none",
        "backward",
        (FC, (None, GRAD), (GRAD,)),
        (GRAD, GRAD),
        "grad_input[0] is None here, and None cannot be replaced: return None for it.",
    ),
    (
        "a gradient where no input needs one",
        "backward",
        (FC, (None,), (GRAD,)),
        (GRAD,),
        "No entry of grad_input is a gradient here, since nothing that enters needs one: return None.",
    ),
    (
        "a list of arguments",
        "forward_pre",
        (FC, (GRAD,)),
        [GRAD],
        "A list is not a tuple, so forward would get the whole list as its only argument: return tuple(...).",
    ),
    (
        "a dict of arguments",
        "forward_pre",
        (FC, (GRAD,)),
        {"input": GRAD},
        (
            "A dict is not a tuple, so forward would get the whole dict as its only argument: "
            "register it with with_kwargs=True and return args, kwargs."
        ),
    ),
    (
        "a gradient from a post_accumulate_grad hook",
        "post_accumulate_grad",
        (GRAD,),
        GRAD * 2,
        "Return nothing: a lambda returns the value of its expression, a def without return does not.",
    ),
    (
        "too many arguments",
        "forward_pre",
        (FC, (GRAD,)),
        (GRAD, GRAD),
        "Linear.forward(input: torch.Tensor) -> torch.Tensor does not take that: too many positional arguments.",
    ),
]


@pytest.mark.parametrize(
    ("kind", "given", "returned", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_what_pytorch_does_not_take_is_explained(
    kind: WritableKind, given: tuple[Any, ...], returned: Any, words: str
) -> None:
    assert objection(kind, given, returned) == words


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (GRAD, "Return both: return args, kwargs."),
        (
            (GRAD, {}),
            (
                "Its first part is Tensor 2×3 and its second dict of 0: "
                "return (args, kwargs), with (x,) for a single argument and {} for no keyword."
            ),
        ),
        (
            ((GRAD,), {"bias": 1}),
            (
                "Linear.forward(input: torch.Tensor) -> torch.Tensor does not take that: "
                "got an unexpected keyword argument 'bias'."
            ),
        ),
        (((GRAD * 2,), {}), ""),
        (((), {"input": GRAD}), ""),
    ],
)
def test_a_pre_hook_with_keywords_returns_both(returned: Any, words: str) -> None:
    assert objection("forward_pre", (FC, (GRAD,), {}), returned, with_kwargs=True) == words


def test_keywords_come_after_the_arguments() -> None:
    assert receives("forward", with_kwargs=True) == ("module", "args", "kwargs", "output")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (GRAD, "Tensor 2×3"),
        (torch.tensor(1.0), "Tensor scalar"),
        ((GRAD, None), "(Tensor 2×3, None)"),
        ((GRAD,), "(Tensor 2×3,)"),
        ((1, 2, 3, 4, 5), "(int 1, int 2, int 3, int 4, …)"),
        ([GRAD], "list of 1"),
        ("text", "str"),
    ],
)
def test_a_value_is_described_in_a_few_words(value: Any, words: str) -> None:
    assert describe(value) == words
