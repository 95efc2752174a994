"""Modules and tensors that the cases are built of."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn


class Apply(nn.Module):
    """A module without parameters whose forward is the given function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


class Wired(nn.Module):
    """Named children, and a function that says how forward uses them: it gets the module first."""

    def __init__(self, wiring: Callable[..., Any], **children: nn.Module) -> None:
        super().__init__()
        self.wiring = wiring
        for name, child in children.items():
            self.add_module(name, child)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.wiring(self, *args, **kwargs)

    if TYPE_CHECKING:
        # The children have no other declaration.
        def __getattr__(self, name: str) -> Any: ...


def leaf(*shape: int) -> torch.Tensor:
    """Random numbers that require a gradient."""
    return torch.randn(*shape).requires_grad_()


def tiny_gpt2(**options: Any) -> Any:
    """A real GPT-2 language model with two layers and random weights."""
    # It takes seconds to import, and two cases need it.
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes: dict[str, Any] = {"vocab_size": 31, "n_positions": 32, "n_embd": 16, "n_layer": 2, "n_head": 2}
    return GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=0, eos_token_id=30, pad_token_id=0, **options))
