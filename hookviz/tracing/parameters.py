"""Which tensors are parameters and buffers of the model, and under which path."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True, slots=True)
class _Place:
    module: nn.Module
    path: str


class ParameterPaths:
    """Finds the path of a parameter or buffer by the tensor itself; reads the model at the first question."""

    def __init__(self, model: nn.Module) -> None:
        self._model: nn.Module | None = model
        self._places: dict[int, _Place] | None = None

    def path_of(self, tensor: torch.Tensor, user: nn.Module, user_path: str) -> str | None:
        """The path of this parameter or buffer, None for any other tensor.

        Of several paths of a shared parameter it is that of the module which uses it, else the first.
        """
        own = next((name for name, held in _tensors_of(user) if held is tensor), None)
        if own is not None:
            return f"{user_path}.{own}" if user_path else own
        if self._places is None:
            self._places = _places(self._model) if self._model is not None else {}
        place = self._places.get(id(tensor))
        # The id could by now be that of another tensor, if the parameter was replaced during the run.
        if place is None or not any(held is tensor for _, held in _tensors_of(place.module)):
            return None
        return place.path

    def clear(self) -> None:
        """Let go of the model."""
        self._model = None
        self._places = {}


def _places(model: nn.Module) -> dict[int, _Place]:
    places: dict[int, _Place] = {}
    # Of the class, since a model may have a named_modules of its own.
    for path, module in nn.Module.named_modules(model):
        for name, tensor in _tensors_of(module):
            if tensor is not None:
                places.setdefault(id(tensor), _Place(module, f"{path}.{name}" if path else name))
    return places


def _tensors_of(module: nn.Module) -> Iterator[tuple[str, torch.Tensor | None]]:
    yield from module._parameters.items()
    yield from module._buffers.items()
