"""What one step of a model does that its user can see, in one of several settings."""

import itertools
import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from tests.cases.comparison import same_bits
from tests.cases.zoo.exhibit import Specimen, tensors_in, with_tensors


@dataclass(frozen=True)
class Setting:
    """One way of running a model."""

    is_training: bool
    has_grad: bool
    dtype: torch.dtype

    def __str__(self) -> str:
        mode = "train" if self.is_training else "eval"
        return f"{mode}, {'grad' if self.has_grad else 'no_grad'}, {str(self.dtype).removeprefix('torch.')}"


SETTINGS: Final = tuple(
    Setting(*choices) for choices in itertools.product((True, False), (True, False), (torch.float32, torch.bfloat16))
)
"""All; the first is what most people do."""


@dataclass
class Effects:
    """What a step did."""

    outputs: object = None
    error: str = ""
    loss: Tensor | None = None
    input_gradients: list[Tensor | None] = field(default_factory=list)
    gradients: dict[str, Tensor | None] = field(default_factory=dict)
    state: dict[str, Tensor | None] = field(default_factory=dict)
    random: list[object] = field(default_factory=list)

    def differences(self, other: "Effects") -> Iterator[tuple[str, str]]:
        """Aspect and sentence for each thing that is not the same, to the last bit."""
        if self.error != other.error:
            yield "outputs", f"raised {other.error or 'nothing'} instead of {self.error or 'nothing'}"
        if not same_bits(self.outputs, other.outputs):
            yield "outputs", "other bits"
        if not same_bits(self.input_gradients, other.input_gradients):
            yield "gradients", "other bits at an input"
        for name, gradient in self.gradients.items():
            if not same_bits(gradient, other.gradients.get(name)):
                yield "gradients", f"other bits at {name}"
        for name, tensor in self.state.items():
            if not same_bits(tensor, other.state.get(name)):
                yield "buffers", f"other bits in {name}"
        if not same_bits(self.random, other.random):
            yield "random", "another state"


def step(model: nn.Module, specimen: Specimen, setting: Setting, *, keeps_graph: bool = False) -> Effects:
    """Run forward, and backward where there is a graph.

    Inputs of the specimen that require grad are leaves of the graph in settings with grad.
    """
    leaves: list[Tensor] = []

    def prepared(tensor: Tensor) -> Tensor:
        dtype = setting.dtype if tensor.is_floating_point() else tensor.dtype
        value = tensor.detach().to(dtype, copy=True)
        if not (tensor.requires_grad and setting.has_grad):
            return value
        leaves.append(value.requires_grad_())
        # The leaf itself does not go in: a model may write into what it is given.
        return value.clone()

    effects = Effects()
    torch.default_generator.manual_seed(1)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002  # the state that models draw from
    args, kwargs = with_tensors(specimen.args, prepared), with_tensors(specimen.kwargs, prepared)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with torch.set_grad_enabled(setting.has_grad):
                output = model(*args, **kwargs)
            effects.outputs = [tensor.detach().clone() for tensor in tensors_in(output)]
            loss = loss_of(output)
            if loss is not None:
                loss.backward(retain_graph=keeps_graph)
            effects.loss = loss
        except Exception as error:  # noqa: BLE001  # whatever it raises, it must raise when watched
            effects.error = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    effects.input_gradients = [leaf.grad for leaf in leaves]
    for name, parameter in model.named_parameters():
        effects.gradients[name] = _gradient(parameter)
    for name, tensor in itertools.chain(model.named_buffers(), model.named_parameters()):
        effects.state[name] = tensor.detach().clone() if not is_lazy(tensor) else None
    numbers = np.random.get_state()  # noqa: NPY002  # as above
    effects.random = [torch.get_rng_state(), random.getstate(), [np.asarray(part).tolist() for part in numbers]]
    return effects


def loss_of(output: object) -> Tensor | None:
    """A number that depends on each element of the output, not on all alike; None without a graph."""
    terms = [
        (torch.view_as_real(tensor) if tensor.is_complex() else tensor).float().square().mean()
        for tensor in tensors_in(output)
        if tensor.requires_grad and tensor.numel()
    ]
    return torch.stack(terms).sum() if terms else None


def _gradient(tensor: Tensor) -> Tensor | None:
    # Asking a lazy parameter raises.
    return None if is_lazy(tensor) else tensor.grad
