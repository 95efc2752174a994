"""The two ways in which a case watches a model, each of which ends with a look at what was left on it."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from tests.cases import adapter
from tests.cases.adapter import Tool
from tests.cases.appearance import appearance, by_name, changes
from tests.cases.comparison import same_bits

Model = TypeVar("Model", bound=nn.Module)
Inputs = TypeVarTuple("Inputs")
Results = list[object]


@dataclass(frozen=True)
class Observation:
    """What a program did that others can see."""

    effects: dict[str, object]
    warnings: set[str]


@contextmanager
def attached(model: nn.Module, *, becomes: nn.Module | None = None) -> Iterator[Tool]:
    """A tool on a model; after it the model must look as before.

    If the case itself rebuilds the model, ``becomes`` is one that was built so and never watched.
    """
    before = appearance(model)
    tool = adapter.attach(model)
    try:
        yield tool
    finally:
        tool.detach()
    if becomes is None:
        left = changes(before, appearance(model))
    else:
        left = changes(by_name(appearance(becomes)), by_name(appearance(model)))
    assert not left, "\n".join(left)


@contextmanager
def undisturbed(
    make: Callable[[], tuple[Model, *Inputs]], program: Callable[[Model, *Inputs], Results]
) -> Iterator[tuple[Tool, Model, *Inputs]]:
    """The tool that watched a program, with its model and inputs, once all else is proved unchanged.

    The program runs on two equal models, of which one is watched. Its results, the gradients, the
    state of the model and of the random numbers must agree to the last bit, no warning may be new,
    and in the end the watched model must look like the other one.
    """
    unwatched = _start(make)
    expected = _observe(program, *unwatched)
    watched = _start(make)
    tool = adapter.attach(watched[0])
    try:
        observed = _observe(program, *watched)
        differences = _differences(expected, observed)
        assert not differences, "\n".join(differences)
        yield (tool, *watched)
    finally:
        tool.detach()
    left = changes(by_name(appearance(unwatched[0])), by_name(appearance(watched[0])))
    assert not left, "\n".join(left)


def step(model: nn.Module, x: Tensor) -> Results:
    """A forward and a backward from the sum of the output."""
    y = model(x)
    y.sum().backward()
    return [y, x.grad]


def squared_step(model: nn.Module, x: Tensor) -> Results:
    """A forward and a backward from the sum of the squares of the output."""
    y = model(x)
    (y**2).sum().backward()
    return [y, x.grad]


def _start(make: Callable[[], tuple[Model, *Inputs]]) -> tuple[Model, *Inputs]:
    torch.manual_seed(7)
    made = make()
    torch.manual_seed(8)
    return made


def _observe(program: Callable[[Model, *Inputs], Results], model: Model, *inputs: *Inputs) -> Observation:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = program(model, *inputs)
    effects: dict[str, object] = {
        **{f"result {place}": result for place, result in enumerate(results)},
        "random numbers": torch.get_rng_state(),
        "state": {name: _copy(value) for name, value in model.state_dict().items()},
        "gradients": [parameter.grad for parameter in model.parameters()],
        "training": model.training,
    }
    return Observation(effects, {str(warning.message) for warning in caught})


def _copy(value: object) -> object:
    # A quantized module has more than tensors in its state, and a lazy parameter has no values yet.
    return value.clone() if isinstance(value, Tensor) and not is_lazy(value) else None


def _differences(expected: Observation, observed: Observation) -> list[str]:
    return [
        *(f"new warning: {warning}" for warning in sorted(observed.warnings - expected.warnings)),
        *(
            f"{what}: {effect} became {observed.effects[what]}"
            for what, effect in expected.effects.items()
            if not same_bits(effect, observed.effects[what])
        ),
    ]
