"""Which tensors are parameters and buffers of the model, and under which path."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True, slots=True)
class _Place:
    module: nn.Module
    name: str
    path: str


class ParameterPaths:
    """Finds the path of a parameter or buffer by the tensor itself; reads the model at the first question."""

    def __init__(self, model: nn.Module) -> None:
        self._model: nn.Module | None = model
        self._places: dict[int, _Place] | None = None

    def path_of(self, tensor: torch.Tensor) -> str | None:
        """The first path of this parameter or buffer, None for any other tensor."""
        if self._places is None:
            self._places = _places(self._model) if self._model is not None else {}
        place = self._places.get(id(tensor))
        # The id could by now be that of another tensor, if the parameter was replaced during the run.
        if place is None or not any(held is tensor for held in _held(place.module, place.name)):
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
        prefix = f"{path}." if path else ""
        for held in (module._parameters, module._buffers):
            for name, tensor in held.items():
                if tensor is not None:
                    places.setdefault(id(tensor), _Place(module, name, prefix + name))
    return places


def _held(module: nn.Module, name: str) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    return module._parameters.get(name), module._buffers.get(name)
