"""Hooks of each kind put on a module or tensor, after a look at whether PyTorch will be able to call them."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, get_args

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from hookviz.errors import HookContractError, OptionError
from hookviz.hooks.contract import WritableKind, receives

KINDS: Final[tuple[WritableKind, ...]] = get_args(WritableKind)
TENSOR_KINDS: Final = ("tensor", "post_accumulate_grad")


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of PyTorch's ``register_...`` functions."""

    with_kwargs: bool = False
    always_call: bool = False
    prepend: bool = False

    def names(self) -> tuple[str, ...]:
        """Those that are set."""
        return tuple(name for name in ("with_kwargs", "always_call", "prepend") if getattr(self, name))


_FLAGS: Final = {
    "forward_pre": ("with_kwargs", "prepend"),
    "forward": ("with_kwargs", "always_call", "prepend"),
    "backward_pre": ("prepend",),
    "backward": ("prepend",),
    "tensor": (),
    "post_accumulate_grad": (),
}


def check(kind: str, flags: Flags, function: Callable[..., Any] | None) -> None:
    """See that such a hook can be; ``function`` is None while it is not known yet.

    Raises:
        OptionError: if there is no such kind, it does not have such a flag, a flag is neither True nor False, or the
            function cannot be called.
        HookContractError: if the function does not take what PyTorch calls it with.
    """
    if kind not in KINDS:
        near = difflib.get_close_matches(str(kind), KINDS, n=1, cutoff=0.4)
        raise OptionError(
            f"There is no kind of hook {kind!r} to write.{f' Nearest: {near[0]!r}.' if near else ''} "
            f"The kinds: {', '.join(map(repr, KINDS))}."
        )
    for flag in flags.names():
        given: object = getattr(flags, flag)
        if not isinstance(given, bool):
            raise OptionError(f"{flag} is True or False; got {given!r:.60} ({type(given).__name__}).")
        if flag not in _FLAGS[kind]:
            owners = ", ".join(repr(other) for other in KINDS if flag in _FLAGS[other])
            raise OptionError(f"A {kind} hook does not have the flag {flag}; these have: {owners}.")
    if function is None:
        return
    if not callable(function):
        raise OptionError(
            f"A hook is a function or another callable; got {type(function).__name__} {function!r:.60}. "
            f"A {kind} hook is called with ({', '.join(receives(kind, with_kwargs=flags.with_kwargs))})."
        )
    _check_signature(kind, flags, function)


def _check_signature(kind: WritableKind, flags: Flags, function: Callable[..., Any]) -> None:
    names = receives(kind, with_kwargs=flags.with_kwargs)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # Some builtins do not tell theirs.
        return
    try:
        signature.bind(*names)
    except TypeError as error:
        label = getattr(function, "__name__", type(function).__name__)
        has_kwargs = "with_kwargs" in _FLAGS[kind] and not flags.with_kwargs and _takes(signature, len(names) + 1)
        way = " Or pass with_kwargs=True." if has_kwargs else ""
        raise HookContractError(
            f"A {kind} hook is called with {len(names)} values, ({', '.join(names)}); "
            f"{label}{signature} does not take them: {error}.{way}"
        ) from None


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def register_on_module(
    module: nn.Module, kind: WritableKind, hook: Callable[..., Any], flags: Flags
) -> RemovableHandle:
    """A hook of PyTorch on a module; it stays until the handle's ``remove``."""
    if kind == "forward_pre":
        return module.register_forward_pre_hook(hook, with_kwargs=flags.with_kwargs, prepend=flags.prepend)
    if kind == "forward":
        return module.register_forward_hook(
            hook, with_kwargs=flags.with_kwargs, always_call=flags.always_call, prepend=flags.prepend
        )
    if kind == "backward_pre":
        return module.register_full_backward_pre_hook(hook, prepend=flags.prepend)
    return module.register_full_backward_hook(hook, prepend=flags.prepend)


def register_on_tensor(
    tensor: torch.Tensor, kind: WritableKind, hook: Callable[..., Any], name: str
) -> RemovableHandle:
    """A hook of PyTorch on a tensor's gradient; it stays until the handle's ``remove`` or the tensor's end.

    Raises:
        OptionError: if the tensor can have no such hook.
    """
    if not tensor.requires_grad:
        raise OptionError(
            f"{name} does not require grad, so no gradient arrives that a {kind} hook could see. "
            "Set requires_grad_(True) on it before it is used."
        )
    if kind == "post_accumulate_grad":
        if not tensor.is_leaf:
            raise OptionError(
                f"{name} was computed from others: no gradient is accumulated in its .grad, which is when a "
                'post_accumulate_grad hook runs. A "tensor" hook sees its gradient.'
            )
        handle: RemovableHandle = tensor.register_post_accumulate_grad_hook(hook)
    else:
        handle = tensor.register_hook(hook)
    return handle
