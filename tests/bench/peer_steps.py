"""A training step under each tool that captures what flows through a model, for the comparison of costs.

Each function takes a model of its own and an input, sets the tool up so that it captures as much of each
step as it offers, and returns the step. Tools are imported by name: none of them is needed by the tests.
"""

import importlib
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

import hookviz

Step = Callable[[], None]


def loss_of(output: torch.Tensor) -> torch.Tensor:
    """The mean square, as a stand-in for a loss."""
    return output.float().pow(2).mean()


def bare_step(model: nn.Module, x: torch.Tensor) -> Step:
    """Forward and backward with nothing attached."""

    def step() -> None:
        model.zero_grad(set_to_none=True)
        loss_of(model(x)).backward()

    return step


def closed(model: nn.Module, x: torch.Tensor) -> Step:
    """hookviz was there, and was closed."""
    hookviz.watch(model).close()
    return bare_step(model, x)


def paused(model: nn.Module, x: torch.Tensor) -> Step:
    """hookviz is there, and paused."""
    hookviz.watch(model).pause()
    return bare_step(model, x)


def default(model: nn.Module, x: torch.Tensor) -> Step:
    """hookviz spaces its captures to stay below 5 %."""
    hookviz.watch(model)
    return bare_step(model, x)


def every_step(model: nn.Module, x: torch.Tensor) -> Step:
    """hookviz captures outputs and gradients of each module in each step, with statistics and tensors."""
    hookviz.watch(model, every=1)
    return bare_step(model, x)


def empty_hooks(model: nn.Module, x: torch.Tensor) -> Step:
    """A forward hook that does nothing on every module: the least that a tool made of hooks can cost."""
    for module in model.modules():
        module.register_forward_hook(lambda module, args, output: None)
    return bare_step(model, x)


def transformer_lens(model: nn.Module, x: torch.Tensor) -> Step:
    """References to the output and gradient of each layer, by ``get_caching_hooks``."""
    root_module = importlib.import_module("transformer_lens.HookedRootModule").HookedRootModule
    hook_point = importlib.import_module("transformer_lens.hook_points").HookPoint

    class Root(root_module):  # type: ignore[misc, valid-type]  # its package is imported by name
        """The model with a hook point behind each layer."""

        def __init__(self) -> None:
            super().__init__()
            for name, layer in list(model.named_modules()):
                if name and not list(layer.children()):
                    parent, _, attribute = name.rpartition(".")
                    setattr(model.get_submodule(parent), attribute, nn.Sequential(layer, hook_point()))
            self.model = model
            self.setup()

        def forward(self, value: torch.Tensor) -> Any:
            return self.model(value)

    root = Root()

    def step() -> None:
        model.zero_grad(set_to_none=True)
        _, forward_hooks, backward_hooks = root.get_caching_hooks(incl_bwd=True)
        with root.hooks(forward_hooks, backward_hooks):
            loss_of(root(x)).backward()

    return step


def nnsight(model: nn.Module, x: torch.Tensor) -> Step:
    """References to the output of each module, by ``tracer.cache``; gradients are not in its cache."""
    watched = importlib.import_module("nnsight").NNsight(model)

    def step() -> None:
        model.zero_grad(set_to_none=True)
        with watched.trace(x) as tracer:
            tracer.cache().save()
            output = watched.output.save()
        loss_of(output).backward()

    return step


def torch_module_monitor(model: nn.Module, x: torch.Tensor) -> Step:
    """Five statistics of each activation and each parameter's gradient."""
    monitor = importlib.import_module("torch_module_monitor").ModuleMonitor(monitor_step_fn=lambda step: True)
    monitor.set_module(model)
    statistics: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "mean": torch.mean,
        "std": torch.std,
        "min": torch.min,
        "max": torch.max,
        "norm": torch.norm,
    }
    for name, statistic in statistics.items():
        monitor.add_activation_metric(name, statistic)
        monitor.add_gradient_metric(name, statistic)
    count = iter(range(2**31))

    def step() -> None:
        model.zero_grad(set_to_none=True)
        number = next(count)
        monitor.begin_step(number)
        loss_of(model(x)).backward()
        monitor.monitor_gradients()
        monitor.end_step()
        assert monitor.get_step_metrics()

    return step


def wandb(model: nn.Module, x: torch.Tensor) -> Step:
    """Histograms of each parameter and its gradient, by ``wandb.watch(log="all", log_freq=1)``, offline."""
    package = importlib.import_module("wandb")
    os.environ["WANDB_SILENT"] = "true"
    run = package.init(mode="offline", dir=tempfile.mkdtemp())
    run.watch(model, log="all", log_freq=1)

    def step() -> None:
        model.zero_grad(set_to_none=True)
        loss_of(model(x)).backward()
        run.log({})

    return step


def nansense(model: nn.Module, x: torch.Tensor) -> Step:
    """Statistics of all layers, each batch."""
    session = importlib.import_module("nansense").start(model)
    session.set_stats_scope("all")
    session.step_run()
    batches: Iterator[torch.Tensor] = iter(session.batches([x] * 100_000, phase="train", epoch=0))

    def step() -> None:
        # What it does with a batch comes when the next one is asked for.
        model.zero_grad(set_to_none=True)
        loss_of(model(next(batches))).backward()

    return step


def torchlens(model: nn.Module, x: torch.Tensor) -> Step:
    """A copy of each operation's output and gradient."""
    package = importlib.import_module("torchlens")
    options = importlib.import_module("torchlens.options").CaptureOptions(save_grads=True, backward_ready=True)

    def step() -> None:
        model.zero_grad(set_to_none=True)
        trace = package.trace(model, x, capture=options)
        loss_of(trace[trace.output_layers[0]].out).backward()

    return step


STEPS: dict[str, Callable[[nn.Module, torch.Tensor], Step]] = {
    "hookviz, closed": closed,
    "hookviz, paused": paused,
    "hookviz, default": default,
    "hookviz, every=1": every_step,
    "an empty forward hook on each module": empty_hooks,
    "nnsight 'cache'": nnsight,
    "TransformerLens 'get_caching_hooks'": transformer_lens,
    "torch-module-monitor": torch_module_monitor,
    "wandb.watch": wandb,
    "nansense": nansense,
    "torchlens": torchlens,
}
"""By the name in the table."""
