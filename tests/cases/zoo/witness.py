"""What every module call of a run did, seen without hookviz: the truth that captures are compared with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from tests.cases.zoo.exhibit import tensors_in


@dataclass
class SeenTensor:
    """A tensor as it was, and itself, so that its gradient can be asked for."""

    value: Tensor
    tensor: Tensor
    version: int

    @property
    def is_unchanged(self) -> bool:
        """Nobody wrote into it since: autograd knows it as the tensor that it was."""
        return not self.tensor.is_inference() and self.tensor._version == self.version


@dataclass
class SeenCall:
    """One call of one module."""

    path: str
    has_grad: bool
    inputs: Sequence[SeenTensor]
    outputs: Sequence[SeenTensor] = ()
    returned: bool = False


@dataclass
class Witness:
    """The calls of one run in the order in which they began."""

    calls: list[SeenCall] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How often each path was called; those that were not are left out."""
        found: dict[str, int] = {}
        for call in self.calls:
            found[call.path] = found.get(call.path, 0) + 1
        return found


@contextmanager
def witnessing(model: nn.Module) -> Iterator[Witness]:
    """Look at each call of the model's modules, from within ``nn.Module.__call__``."""
    witness = Witness()
    paths = {module: path for path, module in model.named_modules()}
    original = nn.Module.__call__

    def call(module: nn.Module, *args: Any, **kwargs: Any) -> Any:
        if module not in paths:
            # Some forwards replace modules.
            paths.update((part, path) for path, part in model.named_modules() if part not in paths)
        if module not in paths:
            return original(module, *args, **kwargs)
        seen = SeenCall(paths[module], torch.is_grad_enabled(), _seen((args, kwargs)))
        witness.calls.append(seen)
        output = original(module, *args, **kwargs)
        seen.outputs, seen.returned = _seen(output), True
        return output

    nn.Module.__call__ = call  # type: ignore[method-assign]  # put back below
    try:
        yield witness
    finally:
        nn.Module.__call__ = original  # type: ignore[method-assign]  # as above


def _seen(value: object) -> list[SeenTensor]:
    with torch.no_grad():
        return [
            SeenTensor(tensor.detach().clone(), tensor, -1 if tensor.is_inference() else tensor._version)
            for tensor in tensors_in(value)
        ]
