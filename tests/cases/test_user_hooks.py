"""The user's own hooks run as ever, beside the tool, and what they change is what is shown."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.module import register_module_forward_hook

from tests.cases.comparison import Either, assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, step, undisturbed


def two_layers() -> tuple[nn.Sequential, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)


def test_an_input_that_a_pre_hook_replaced_is_shown_as_forward_got_it() -> None:
    """C62: the contract of register_forward_pre_hook, which lets it return a bare tensor; an experiment."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        handle = model[1].register_forward_pre_hook(lambda module, args: args[0] * 3)
        y = model(x)
        y.sum().backward()
        handle.remove()
        return [y, x.grad]

    with undisturbed(two_layers, program) as (tool, model, x):
        tripled = model[0].forward(x) * 3
        slope = 1 - tripled.tanh() ** 2
        assert_captured(tool.inputs("1"), [tripled])
        assert_captured(tool.grad_inputs("1"), [slope])
        assert_captured(tool.grad_outputs("0"), [3 * slope])


def test_keyword_inputs_that_a_pre_hook_replaced_are_shown_as_forward_got_them() -> None:
    """An experiment; register_forward_pre_hook(with_kwargs=True)."""

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.sine(x=m.a(x)), a=nn.Linear(3, 3), sine=Apply(lambda x: x.sin())), leaf(2, 3)

    def triple(module: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
        return args, {"x": kwargs["x"] * 3}

    def program(model: Wired, x: Tensor) -> Results:
        handle = model.sine.register_forward_pre_hook(triple, with_kwargs=True)
        y = model(x)
        handle.remove()
        return [y]

    with undisturbed(make, program) as (tool, model, x):
        assert_captured(tool.inputs("sine"), [model.a.forward(x) * 3])


def test_an_output_that_a_forward_hook_replaced_is_shown_as_the_caller_got_it() -> None:
    """An experiment; the hook may well have been registered after the tool."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        handle = model[0].register_forward_hook(lambda module, args, output: output * 10)
        y = model(x)
        y.sum().backward()
        handle.remove()
        return [y, x.grad]

    with undisturbed(two_layers, program) as (tool, model, x):
        replaced = model[0].forward(x) * 10
        assert_captured(tool.outputs("0"), [replaced])
        assert_captured(tool.inputs("1"), [replaced])
        assert_captured(tool.grad_outputs("0"), [1 - replaced.tanh() ** 2])


def test_gradients_that_backward_hooks_scale_are_scaled_in_the_layer_below() -> None:
    """On the hooked module itself the gradient from before or from after its hook may be shown.

    C63: pytorch/pytorch#117265; the contract of the two full backward hooks.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1)), leaf(2, 3)

    def scale_before(module: nn.Module, grad_output: Any) -> tuple[Tensor]:
        return (grad_output[0] * 2,)

    def scale_after(module: nn.Module, grad_input: Any, grad_output: Any) -> tuple[Tensor]:
        return (grad_input[0] * 5,)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        handles = [
            model[1].register_full_backward_pre_hook(scale_before),
            model[1].register_full_backward_hook(scale_after),
        ]
        y = model(x)
        y.sum().backward()
        for handle in handles:
            handle.remove()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        slope = 1 - model[0].forward(x).tanh() ** 2
        arriving = model.get_parameter("2.weight").expand(2, 3)
        assert_captured(tool.grad_outputs("0"), [arriving * 10 * slope])
        assert_captured(tool.grad_outputs("1"), [Either(arriving, arriving * 2)])
        assert_captured(tool.grad_inputs("1"), [Either(arriving * 10 * slope, arriving * 2 * slope)])


def test_a_gradient_that_a_tensor_hook_scales_is_scaled_in_the_layer_below() -> None:
    """Which of the two hooks on the tensor runs first decides which value is shown at the tensor.

    C64: the autograd note on the order of hooks; pytorch/pytorch#91667.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3)), leaf(2, 3)

    def shrink_gradient(module: nn.Module, args: object, output: Tensor) -> None:
        output.register_hook(lambda gradient: gradient * 0.1)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        handle = model[1].register_forward_hook(shrink_gradient)
        y = model(x)
        y.sum().backward()
        handle.remove()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, _):
        ones = torch.ones(2, 3)
        assert_captured(tool.grad_outputs("1"), [Either(ones, ones * 0.1)])
        assert_captured(tool.grad_outputs("0"), [(ones * 0.1) @ model.get_parameter("1.weight")])


def test_hooks_of_all_kinds_keep_their_order() -> None:
    """C65: pytorch/pytorch#87370, pytorch/pytorch#91667, which brought `prepend` and a fixed order."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        log: list[str] = []
        layer = model[0]
        weight = model.get_parameter("0.weight")

        def note_global(module: nn.Module, args: object, output: object) -> None:
            if module is layer:
                log.append("global forward")

        handles = [
            layer.register_forward_hook(lambda *args: log.append("forward")),
            layer.register_forward_hook(lambda *args: log.append("forward, first"), prepend=True),
            layer.register_forward_pre_hook(lambda *args: log.append("pre")),
            layer.register_forward_pre_hook(lambda *args: log.append("pre, first"), prepend=True),
            layer.register_full_backward_hook(lambda *args: log.append("backward")),
            layer.register_full_backward_hook(lambda *args: log.append("backward, first"), prepend=True),
            layer.register_full_backward_pre_hook(lambda *args: log.append("backward pre")),
            layer.register_full_backward_pre_hook(lambda *args: log.append("backward pre, first"), prepend=True),
            register_module_forward_hook(note_global),
            weight.register_hook(lambda gradient: log.append("tensor")),
            weight.register_post_accumulate_grad_hook(lambda tensor: log.append("accumulated")),
        ]
        model(x).sum().backward()
        for handle in handles:
            handle.remove()
        return [len(log), log]

    with undisturbed(two_layers, program) as (_, _, x):
        assert x.grad is not None


def test_hooks_that_remove_themselves_run_once() -> None:
    """They change the table of hooks while PyTorch walks through it.

    C66: pytorch/pytorch#60132, pytorch/pytorch#69158.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        log: list[str] = []
        layer = model[0]

        def once(module: nn.Module, args: object, output: object) -> None:
            log.append("once")
            forward_handle.remove()
            later.append(layer.register_forward_hook(lambda *args: log.append("put in its place")))

        def once_before(module: nn.Module, args: object) -> None:
            log.append("once, before")
            pre_handle.remove()

        later: list[torch.utils.hooks.RemovableHandle] = []
        forward_handle = layer.register_forward_hook(once)
        pre_handle = layer.register_forward_pre_hook(once_before)
        model(x)
        log.append("second run")
        y = model(x)
        later[0].remove()
        return [log, y]

    with undisturbed(two_layers, program) as (tool, model, x):
        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [hidden, hidden])


def test_a_model_with_a_legacy_backward_hook_can_be_watched() -> None:
    """A full backward hook on the same module is refused by PyTorch.

    C67: pytorch/pytorch#46163, and an experiment.
    """
    log: list[str] = []

    def make() -> tuple[nn.Sequential, Tensor]:
        model, x = two_layers()
        model[1].register_backward_hook(lambda module, grad_input, grad_output: log.append("legacy"))
        return model, x

    def program(model: nn.Sequential, x: Tensor) -> Results:
        log.clear()
        return [*step(model, x), list(log)]

    with undisturbed(make, program) as (tool, _, _):
        assert log == ["legacy"]
        assert_captured(tool.grad_outputs("1"), [torch.ones(2, 3)])


def test_an_optimizer_inside_of_backward_steps_as_without() -> None:
    """Its hook frees each gradient at once, so there is nothing left to look at or to keep alive.

    C71: pytorch/pytorch#107063, on hooks after accumulation.
    """

    def descend(parameter: Tensor) -> None:
        assert parameter.grad is not None
        with torch.no_grad():
            parameter.sub_(parameter.grad, alpha=0.1)
        parameter.grad = None

    def make() -> tuple[nn.Sequential, Tensor]:
        model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
        for parameter in model.parameters():
            parameter.register_post_accumulate_grad_hook(descend)
        return model, torch.randn(4, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        for _ in range(2):
            y = model(x)
            (y**2).sum().backward()
        return [y, *(parameter.detach().clone() for parameter in model.parameters())]

    with undisturbed(make, program) as (tool, _, _):
        assert len(tool.outputs("0")) == 2
