"""A watched model can be compiled, scripted, traced and exported, and the tool says what it cannot see."""

import sys
import warnings
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn

from tests.cases.comparison import assert_captured, mismatches, same_bits
from tests.cases.modules import leaf
from tests.cases.watching import Results, attached, step, undisturbed


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leaves nothing compiled for others."""
    # A progress bar of the compiler would start a thread that watches all progress bars for ever.
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)
    yield
    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()


def layers_and_data() -> tuple[nn.Sequential, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), torch.randn(2, 3)


def test_a_watched_model_compiles_without_a_break_in_the_graph() -> None:
    """Hooks are traced into the graph or break it, and backward hooks make `fullgraph=True` fail.

    C80: pytorch/pytorch#91665, pytorch/pytorch#117584.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        torch._dynamo.reset()
        y = torch.compile(model, backend="aot_eager", fullgraph=True)(x)
        y.sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (_, _, x):
        assert x.grad is not None


def test_a_watched_model_compiles_with_breaks_in_the_graph() -> None:
    """An experiment: after a break the children are called from code that is compiled anew."""

    class Breaking(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(3, 3)
            self.tanh = nn.Tanh()

        def forward(self, x: Tensor) -> Tensor:
            hidden = self.linear(x)
            torch._dynamo.graph_break()
            y: Tensor = self.tanh(hidden)
            return y

    def program(model: Breaking, x: Tensor) -> Results:
        torch._dynamo.reset()
        y = torch.compile(model, backend="aot_eager")(x)
        y.sum().backward()
        return [y, x.grad]

    with undisturbed(lambda: (Breaking(), leaf(2, 3)), program) as (_, _, x):
        assert x.grad is not None


def double(_module: object, _args: object, output: Tensor) -> Tensor:
    return output * 2


class Doubling:
    """A hook that is an object."""

    def __call__(self, _module: object, _args: object, output: Tensor) -> Tensor:
        return output * 2


@pytest.mark.parametrize("double", [double, Doubling()])
def test_a_compiled_model_sees_that_a_hook_goes_off_and_on_and_off(double: Callable[..., Tensor]) -> None:
    """An experiment: the compiler looks at a hook, and through what stands in its place."""
    model, x = nn.Sequential(nn.Linear(3, 3)), torch.randn(2, 3)
    model[0].register_forward_hook(double)
    compiled = torch.compile(model, backend="eager", fullgraph=True)

    with attached(model) as tool:
        (hook,) = tool.hooks()
        on = compiled(x)
        outputs = []
        for is_on in (False, True, False):
            tool.set_enabled(hook, is_on)
            outputs.append(compiled(x))

        assert same_bits(outputs, [on / 2, on, on / 2])


def test_a_watched_model_can_be_compiled_in_place() -> None:
    """An experiment: Module.compile stands in the very attribute of the seam."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        torch._dynamo.reset()
        model.compile(backend="aot_eager")
        return [model(x)]

    with undisturbed(layers_and_data, program) as (_, model, _):
        assert model._compiled_call_impl is not None


def test_a_run_of_a_model_compiled_before_is_captured_or_said_to_be_unobservable() -> None:
    """Compiled code calls no hook that came later, so old values would stand there as if they were new.

    C81: pytorch/pytorch#117758, pytorch/pytorch#115750, pytorch/pytorch#117265, pytorch/pytorch#186507.
    """
    model, x = layers_and_data()
    other = torch.randn(2, 3)
    compiled = torch.compile(model, backend="aot_eager")
    expected = compiled(other).detach()
    compiled(x)

    with attached(model) as tool:
        model(x)
        y = compiled(other)

        eager_run, compiled_run = model[0].forward(x), model[0].forward(other)
        assert same_bits(y.detach(), expected)
        told = tool.outputs("0")
        if len(told) == 1:
            assert_captured(told, [eager_run])
            assert tool.unobservable() != []
        else:
            assert_captured(told, [eager_run, compiled_run])


def test_a_watched_model_can_be_scripted() -> None:
    """TorchScript tries to compile the hooks of a module.

    C82: pytorch/pytorch#34329, pytorch/pytorch#53421, pytorch/pytorch#76026.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        return [torch.jit.script(model)(x)]

    with undisturbed(layers_and_data, program) as (tool, model, x):
        model(x)
        assert_captured(tool.outputs("")[-1:], [model[1].forward(model[0].forward(x))])


def test_a_watched_model_is_traced_to_the_same_operations() -> None:
    """Tracing refuses modules with backward hooks, and records every operation that a hook makes.

    C83: pytorch/pytorch#17571, pytorch/pytorch#23613, pytorch/pytorch#56935.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        traced = torch.jit.trace(model, x)
        kinds = [node.kind() for node in traced.inlined_graph.nodes()]
        return [traced(x), sorted(kind for kind in kinds if kind.startswith("aten"))]

    with undisturbed(layers_and_data, program) as (tool, model, x):
        model(x)
        assert_captured(tool.outputs("")[-1:], [model[1].forward(model[0].forward(x))])


def test_a_scripted_child_does_not_keep_the_rest_from_being_seen() -> None:
    """Hooks cannot be registered on it.

    C84: pytorch/pytorch#86818, pytorch/pytorch#29037.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        with warnings.catch_warnings():
            # TorchScript is deprecated, which is not the point here.
            warnings.simplefilter("ignore")
            scripted = torch.jit.script(nn.Sequential(nn.Linear(3, 3), nn.Tanh()))
        return nn.Sequential(nn.Linear(3, 3), scripted), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [hidden])
        assert mismatches(tool.outputs(""), [model[1](hidden)]) == []


def test_a_watched_model_is_exported_to_the_same_graph() -> None:
    """Export fails on hooks or makes them a part of the program.

    C85: pytorch/pytorch#167329.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        exported = torch.export.export(model, (x,))
        return [[str(node.target) for node in exported.graph.nodes], exported.module()(x)]

    with undisturbed(layers_and_data, program) as (tool, model, x):
        model(x)
        assert_captured(tool.outputs("")[-1:], [model[1].forward(model[0].forward(x))])
