"""What PyTorch takes from a hook of each kind, and what is told to somebody whose hook returned otherwise.

Rules of torch 2.13: ``Module._call_impl``, ``torch.utils.hooks.BackwardHook``, and of tensor hooks
``torch/csrc/autograd/python_hook.cpp``. Where PyTorch takes everything, nothing is refused here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import torch
from torch import nn

from hookviz.hooks.shape_text import shape_text

WritableKind = Literal["forward_pre", "forward", "backward_pre", "backward", "tensor", "post_accumulate_grad"]

RECEIVES: Final[Mapping[WritableKind, tuple[str, ...]]] = {
    "forward_pre": ("module", "args"),
    "forward": ("module", "args", "output"),
    "backward_pre": ("module", "grad_output"),
    "backward": ("module", "grad_input", "grad_output"),
    "tensor": ("grad",),
    "post_accumulate_grad": ("parameter",),
}
"""What a hook of each kind is called with; ``with_kwargs`` adds ``kwargs`` after ``args``."""

RETURNS: Final[Mapping[WritableKind, str]] = {
    "forward_pre": (
        "A forward_pre hook returns None to leave the arguments as they are, or a tuple of all positional "
        "arguments; a value that is no tuple becomes the only argument"
    ),
    "forward": "A forward hook returns None to leave the output as it is, or the value that takes its place",
    "backward_pre": (
        "A backward_pre hook returns None to leave the gradients as they are, or a tuple with one entry for "
        "each output, each of its gradient's shape and dtype"
    ),
    "backward": (
        "A backward hook returns None to leave the gradients as they are, or a tuple with one entry for each "
        "positional input, each of its gradient's shape and dtype and None where there is none"
    ),
    "tensor": "A tensor hook returns None to leave the gradient as it is, or a tensor of its shape and dtype",
    "post_accumulate_grad": "A post_accumulate_grad hook returns nothing: it changes parameter.grad itself",
}

WITH_KWARGS: Final = (
    "A forward_pre hook with with_kwargs=True returns None to leave the arguments as they are, or the pair "
    "(args, kwargs) of a tuple and a dict"
)


def receives(kind: WritableKind, *, with_kwargs: bool = False) -> tuple[str, ...]:
    """The names of what a hook is called with."""
    names = RECEIVES[kind]
    return (*names[:2], "kwargs", *names[2:]) if with_kwargs else names


def returns(kind: WritableKind, *, with_kwargs: bool = False) -> str:
    """The rule for what a hook of this kind may return, in one sentence without its full stop."""
    return WITH_KWARGS if with_kwargs and kind == "forward_pre" else RETURNS[kind]


def objection(kind: WritableKind, given: Sequence[Any], returned: object, *, with_kwargs: bool = False) -> str:
    """What is wrong with a returned value and the way out, in one sentence; empty where PyTorch takes it.

    Args:
        kind: The kind of the hook.
        given: What the hook was called with.
        returned: What it returned, not None.
        with_kwargs: Whether it is called with keyword arguments, too.
    """
    if kind == "forward_pre":
        return _arguments(given, returned, with_kwargs=with_kwargs)
    if kind == "backward_pre":
        return _gradients(given[1], returned, "grad_output")
    if kind == "backward":
        return _gradients(given[1], returned, "grad_input")
    if kind == "tensor":
        return _gradient(given[0], returned, "the gradient")
    if kind == "post_accumulate_grad" and returned is not given[0]:
        return "Return nothing: a lambda returns the value of its expression, a def without return does not."
    return ""


def _arguments(given: Sequence[Any], returned: object, *, with_kwargs: bool) -> str:
    module, before = given[0], given[1]
    kwargs: Any = given[2] if with_kwargs else {}
    args: Any = returned
    if with_kwargs:
        if not isinstance(returned, tuple) or len(returned) != 2:
            return "Return both: return args, kwargs."
        args, kwargs = returned
        if not isinstance(args, (tuple, list)) or not isinstance(kwargs, dict):
            return (
                f"Its first part is {describe(args)} and its second {describe(kwargs)}: "
                "return (args, kwargs), with (x,) for a single argument and {} for no keyword."
            )
    elif isinstance(returned, (list, dict)) and not (len(before) == 1 and isinstance(before[0], type(returned))):
        what = "list" if isinstance(returned, list) else "dict"
        way = "return tuple(...)" if what == "list" else "register it with with_kwargs=True and return args, kwargs"
        return f"A {what} is not a tuple, so forward would get the whole {what} as its only argument: {way}."
    elif not isinstance(returned, tuple):
        args = (returned,)
    if len(args) == len(before) and (not with_kwargs or kwargs.keys() == given[2].keys()):
        return ""
    return _binding(module, args, kwargs)


def _binding(module: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    try:
        signature = inspect.signature(module.forward)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        return f"{type(module).__name__}.forward{signature} does not take that: {error}."
    return ""


def _gradients(given: Any, returned: Any, name: str) -> str:
    count = len(given)
    if not isinstance(returned, (tuple, list)):
        return f"Return a tuple, also of a single gradient: return ({name}[0] * 2,)." if count == 1 else (
            f"Return a tuple of {count}: return tuple(g * 2 if g is not None else None for g in {name})."
        )  # fmt: skip
    if len(returned) != count:
        return (
            f"That has {len(returned)} entries where {name} has {count}: return one for each, "
            "None where there is no gradient."
        )
    if all(gradient is None for gradient in given):
        is_none = isinstance(returned, tuple) and all(gradient is None for gradient in returned)
        return "" if is_none else (
            f"No entry of {name} is a gradient here, since nothing that enters needs one: return None."
        )  # fmt: skip
    for position, (before, after) in enumerate(zip(given, returned, strict=True)):
        wrong = _gradient(before, after, f"{name}[{position}]") if after is not None else ""
        if wrong:
            return wrong
    return ""


def _gradient(before: Any, after: object, name: str) -> str:
    if before is None:
        return f"{_capital(name)} is None here, and None cannot be replaced: return None for it."
    if not isinstance(after, torch.Tensor):
        return f"In the place of {name}, {describe(before)}, stands {describe(after)}: return a tensor."
    with torch._C.DisableTorchFunction():
        if before.shape != after.shape:
            return (
                f"{_capital(name)} has the shape {_shape(before)}, what was returned has {_shape(after)}: "
                "a gradient keeps its shape."
            )
        if (before.dtype, before.device.type) != (after.dtype, after.device.type):
            return (
                f"{_capital(name)} is {_type(before)}, what was returned is {_type(after)}: "
                f"return it with .to({name if '[' in name else 'grad'})."
            )
    return ""


def describe(value: object) -> str:
    """A value in a few words: ``Tensor 2×3``, ``(Tensor 2×3, None)``, ``int 3``."""
    if isinstance(value, torch.Tensor):
        return f"Tensor {_shape(value)}"
    if type(value) is tuple:
        inner = ", ".join(map(describe, value[:4])) + (", …" if len(value) > 4 else "")
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float)):
        return f"{type(value).__name__} {value}"
    if isinstance(value, (tuple, list, dict)):
        return f"{type(value).__name__} of {len(value)}"
    return type(value).__name__


def _shape(tensor: torch.Tensor) -> str:
    with torch._C.DisableTorchFunction():
        return shape_text(tensor.shape)


def _type(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} on {tensor.device.type}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if text.startswith("the ") else text
