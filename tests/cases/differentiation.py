"""Ways to gradients: scaled, by function transforms, of second order, in several passes, and none."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import forward_ad
from torch.func import functional_call, grad, jacrev, jvp, stack_module_state, vmap

from tests.cases.watching import Results, step


def autocast(model: nn.Module, x: Tensor) -> Results:
    with torch.autocast("cpu", torch.bfloat16):
        y = model(x)
    y.float().sum().backward()
    return [y, x.grad]


def scaled(model: nn.Module, x: Tensor) -> Results:
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    results: Results = []
    for _ in range(3):
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(x).float().square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        results += [loss, scaler.get_scale()]
    return results


def vectorized(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    return [vmap(model)(x.detach()), vmap(model, in_dims=1, out_dims=1)(torch.ones(3, 4))]


def ensemble(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    parameters, buffers = stack_module_state([model, model])

    def call(state: Any, more: Any, batch: Tensor) -> Any:
        return functional_call(model, (state, more), (batch,))

    return [vmap(call, in_dims=(0, 0, None))(parameters, buffers, x.detach())]


def functional_gradient(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}

    def loss(state: dict[str, Tensor], row: Tensor) -> Tensor:
        value: Tensor = functional_call(model, state, (row,)).sum()
        return value

    per_row = vmap(grad(loss), in_dims=(None, 0))(parameters, x.detach())
    return [grad(loss)(parameters, x.detach()), per_row, jacrev(model)(x.detach())]


def forward_product(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    return [jvp(model, (x.detach(),), (torch.ones(2, 3),))]


def dual_numbers(model: nn.Module, x: Tensor) -> Results:
    with forward_ad.dual_level():
        y = model(forward_ad.make_dual(x, torch.ones(2, 3)))
        primal, tangent = forward_ad.unpack_dual(y)
        return [primal.clone(), None if tangent is None else tangent.clone()]


def double_backward(model: nn.Module, x: Tensor) -> Results:
    (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
    slope.square().sum().backward()
    return [slope, x.grad]


def accumulation(model: nn.Module, x: Tensor) -> Results:
    results: Results = []
    for _ in range(3):
        results += step(model, x)
    return results


def several_passes(model: nn.Module, x: Tensor) -> Results:
    y = model(x)
    y.sum().backward(retain_graph=True)
    y.square().sum().backward(retain_graph=True)
    (more,) = torch.autograd.grad(y.sum(), x)
    return [y, x.grad, more]


def inferred(model: nn.Module, x: Tensor) -> Results:
    with torch.inference_mode():
        return [model(x.detach()).clone()]


def stepped(model: nn.Module, x: Tensor) -> Results:
    """LBFGS calls the model as often as it likes."""
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)
    model.eval()

    def closure() -> float:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return float(loss)

    return [float(optimizer.step(closure)), [parameter.detach().clone() for parameter in model.parameters()]]


def gradient_of_sparse(model: nn.Module, x: Tensor) -> Results:
    y = model(x)
    y.sum().backward()
    return [y, None if x.grad is None else x.grad.to_dense()]
