"""Models are copied and saved with the hooks that are off as with those that are on."""

import copy
import io
import pickle
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations, parametrize

from hookviz.session import watch
from tests.hooked import batch, model_of


def double(_module: object, _args: object, output: Tensor) -> Tensor:
    return output * 2


def double_gradient(_module: object, grad_input: tuple[Tensor], _grad_output: object) -> tuple[Tensor]:
    return (grad_input[0] * 2,)


class Tripling:
    """A hook that is an object."""

    def __call__(self, _module: object, _args: object, output: Tensor) -> Tensor:
        return output * 3


def hundred(x: Tensor) -> Tensor:
    return x.new_full(x.shape, 100.0)


def saved_and_loaded(model: nn.Module) -> nn.Module:
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    loaded: nn.Module = torch.load(file, weights_only=False)
    return loaded


COPY: dict[str, Callable[[nn.Sequential], nn.Module]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "save": saved_and_loaded,
}


def on_forward(model: nn.Sequential) -> None:
    model[0].register_forward_hook(double)


def as_object(model: nn.Sequential) -> None:
    model[0].register_forward_hook(Tripling())


def on_backward(model: nn.Sequential) -> None:
    model[0].register_full_backward_hook(double_gradient)
    model[0].register_full_backward_pre_hook(add_one)


def add_one(_module: object, grad_output: tuple[Tensor]) -> tuple[Tensor]:
    return (grad_output[0] + 1,)


def as_forward(model: nn.Sequential) -> None:
    model[0].forward = hundred


def as_parametrization(model: nn.Sequential) -> None:
    parametrize.register_parametrization(model[0], "weight", Zeroing())


class Zeroing(nn.Module):
    """A parametrization that leaves nothing."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


HOOKED = [on_forward, as_object, on_backward, as_forward]
WAYS = [(add, way) for add in HOOKED for way in COPY]
# PyTorch does not pickle models with parametrizations.
WAYS.append((as_parametrization, "deepcopy"))


def results(model: nn.Module) -> list[Tensor]:
    x = batch()
    y = model(x)
    gradient = torch.zeros(()) if x.grad_fn is None and not y.requires_grad else torch.autograd.grad(y.sum(), x)[0]
    return [y.detach(), gradient]


def hookable() -> nn.Sequential:
    return model_of(nn.Linear(3, 3), nn.Tanh())


@pytest.mark.parametrize(("add", "way"), WAYS)
def test_a_copy_made_while_hooks_are_off_has_them_on(add: Callable[[nn.Sequential], None], way: str) -> None:
    model = hookable()
    add(model)
    expected = results(model)
    with watch(model) as session:
        for hook in session.hooks:
            hook.disable()
        assert not all(map(torch.equal, results(model), expected))

        other = COPY[way](model)

        assert not all(map(torch.equal, results(model), expected))
    assert all(map(torch.equal, results(other), expected))
    assert all(map(torch.equal, results(model), expected))


def test_a_model_saved_with_hooks_off_loads_without_hookviz() -> None:
    model = hookable()
    for add in HOOKED:
        add(model)
    with watch(model) as session:
        for hook in session.hooks:
            hook.disable()

        saved = pickle.dumps(model)

    assert b"hookviz" not in saved


def test_the_hooks_of_a_copy_are_listed_by_its_own_session() -> None:
    model = model_of(parametrizations.spectral_norm(nn.Linear(3, 3)))
    model[0].register_full_backward_hook(double_gradient)
    session = watch(model)
    for hook in session.hooks:
        hook.disable()

    other = copy.deepcopy(model)
    listed = watch(other).hooks

    assert [(hook.kind, hook.enabled) for hook in listed] == [("parametrization", True), ("backward", True)]
    assert [hook.enabled for hook in session.hooks] == [False, False]
