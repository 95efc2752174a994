"""Nothing is kept alive, nothing is left behind, and what a model can be used for it still can be."""

import copy
import gc
import io
import pickle
import warnings
import weakref
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import grad
from torch.nn.modules import module as torch_module

from tests.cases import adapter
from tests.cases.appearance import appearance, by_name, changes
from tests.cases.comparison import assert_captured, same_bits
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import attached, step, undisturbed


def two_layers() -> nn.Sequential:
    return nn.Sequential(nn.Linear(3, 3), nn.Tanh())


class Bias(nn.Module):
    """Returns its parameter itself."""

    def __init__(self) -> None:
        super().__init__()
        self.value = nn.Parameter(torch.randn(3))

    def forward(self) -> Tensor:
        return self.value


def test_a_parameter_that_is_returned_as_output_carries_no_hook_afterwards() -> None:
    """On a leaf a hook stays for ever, and fires for each later use.

    C30: an experiment; the autograd note on hooks of leaves.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.bias() * x, bias=Bias()), leaf(3)

    with undisturbed(make, step) as (tool, model, x):
        assert_captured(tool.outputs("bias"), [model.bias.value])
        assert_captured(tool.grad_outputs("bias"), [x])


def test_a_watched_model_can_be_pickled_and_saved_whole() -> None:
    """Closures that are registered as hooks cannot.

    C73: pytorch/pytorch#2847.
    """
    model = two_layers()
    x = leaf(2, 3)
    file = io.BytesIO()

    with attached(model):
        model(x).sum().backward()
        unpickled = pickle.loads(pickle.dumps(model))
        torch.save(model, file)
        file.seek(0)
        loaded = torch.load(file, weights_only=False)

        assert same_bits(unpickled(x), model(x))
        assert same_bits(loaded(x), model(x))


def test_a_deep_copy_computes_the_same_and_is_not_watched() -> None:
    """An experiment: hooks are copied along, and those of the copy report to the original."""
    model = two_layers()
    x = leaf(2, 3)

    with attached(model) as tool:
        y = model(x)
        copied = copy.deepcopy(model)

        assert changes(by_name(appearance(two_layers())), by_name(appearance(copied))) == []
        assert same_bits(copied(x), y)
        assert_captured(tool.outputs(""), [y])


def test_the_state_of_a_watched_model_has_the_same_keys_and_saves_without_warning() -> None:
    """PyTorch warns where a tensor that is saved carries a hook.

    C74: torch.utils.hooks.warn_if_has_hooks.
    """
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    keys, text = list(model.state_dict()), repr(model)

    with attached(model), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model(leaf(4, 3)).sum().backward()
        torch.save(model.get_parameter("0.weight"), io.BytesIO())
        torch.save(list(model.parameters()), io.BytesIO())
        state = model.state_dict()
        model.load_state_dict(copy.deepcopy(state))

        assert list(state) == keys
        assert repr(model) == text
        assert caught == []


def test_an_input_that_got_its_gradient_is_saved_without_warning() -> None:
    """C74: torch.utils.hooks.warn_if_has_hooks; parameters are exempt from it, other leaves are not."""
    model = two_layers()
    x = leaf(2, 3)

    with attached(model):
        model(x).sum().backward()
        torch.save(x, io.BytesIO())


class Token:
    """Lives as long as the graph that holds it."""


def test_a_graph_ends_when_the_user_drops_it_and_the_model_when_the_tool_is_gone() -> None:
    """Stored outputs that were not detached keep all activations of all steps.

    C75: meta-pytorch/opacus#176, jacobgil/pytorch-grad-cam#88, pytorch/pytorch#46386,
    Lightning-AI/lightning-thunder#1074.
    """
    graphs: list[weakref.ref[Token]] = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.token = Token()
            graphs.append(weakref.ref(ctx.token))
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Tensor) -> Tensor:
            return gradient * 2

    model = nn.Sequential(nn.Linear(3, 3), Apply(Double.apply), nn.Tanh())
    x = leaf(2, 3)
    tool = adapter.attach(model)

    y = model(x)
    loss = y.sum()
    del y, loss
    gc.collect()
    after_forward = graphs[0]()

    y = model(x)
    y.sum().backward()
    del y
    gc.collect()
    after_backward = graphs[1]()

    tool.detach()
    reference = weakref.ref(model)
    del model, tool
    gc.collect()

    assert after_forward is None
    assert after_backward is None
    assert reference() is None


def test_a_graph_of_second_order_ends_when_the_user_drops_it() -> None:
    """A gradient with a graph, stored by a hook on that graph, is a circle.

    C76: pytorch/pytorch#82528.
    """
    graphs: list[weakref.ref[Token]] = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            ctx.token = Token()
            graphs.append(weakref.ref(ctx.token))
            return x**2

        @staticmethod
        def backward(ctx: Any, gradient: Tensor) -> Tensor:
            (x,) = ctx.saved_tensors
            product: Tensor = 2 * x * gradient
            return product

    # The gradient of the square's output has a graph that reaches back through the square.
    model = nn.Sequential(nn.Linear(3, 3), Apply(Square.apply), Apply(torch.sin))
    x = leaf(2, 3)

    with attached(model):
        y = model(x)
        (slope,) = grad(y.sum(), x, create_graph=True)
        (slope**2).sum().backward()
        del y, slope
        gc.collect()

        assert graphs[0]() is None


def test_attaching_again_does_not_tell_calls_twice() -> None:
    """A notebook cell is run again, and what the first time put on the model is still there.

    C77: meta-pytorch/captum#834, pytorch/pytorch#70455, pytorch/pytorch#5037.
    """
    model = two_layers()
    x = leaf(2, 3)

    with attached(model), attached(model) as newer:
        model(x).sum().backward()

        assert_captured(newer.outputs("0"), [model[0].forward(x)])


def test_a_model_that_was_dropped_while_watched_is_freed() -> None:
    """`model = Net()` is run again in a notebook, and nobody closed anything.

    C78: an experiment.
    """
    model = two_layers()
    tool = adapter.attach(model)
    model(torch.randn(2, 3)).sum().backward()
    reference = weakref.ref(model)

    del model
    gc.collect()
    what_lives = reference()
    tool.detach()

    assert what_lives is None


def test_after_the_tool_a_legacy_backward_hook_is_accepted() -> None:
    """Once a module had a full backward hook, PyTorch refuses legacy ones even after its removal.

    C114: an experiment.
    """
    model = nn.Sequential(nn.Linear(3, 3))
    global_kind = torch_module._global_is_full_backward_hook

    with attached(model):
        model(torch.randn(2, 3)).sum().backward()
    handle = model[0].register_backward_hook(lambda module, grad_input, grad_output: None)
    handle.remove()

    assert torch_module._global_is_full_backward_hook is global_kind
