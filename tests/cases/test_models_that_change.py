"""A model may be rebuilt, moved and patched while it is watched; what it is at the moment counts."""

import functools

import pytest
import torch
from torch import Tensor, nn

from tests.cases.comparison import assert_captured
from tests.cases.modules import Wired, leaf
from tests.cases.watching import Results, attached, step, undisturbed


def test_a_new_head_is_seen_under_the_name_of_the_old_one() -> None:
    """Hooks live on the old object, so the new one would be silent.

    C58: awslabs/slapo#27, and the usual way to fine-tune.
    """

    def classifier(classes: int) -> Wired:
        return Wired(lambda m, x: m.head(m.body(x)), body=nn.Linear(3, 3), head=nn.Linear(3, classes))

    model = classifier(5)

    with attached(model, becomes=classifier(2)) as tool:
        model.head = nn.Linear(3, 2)
        y = model(torch.randn(2, 3))
        (y * 2).sum().backward()

        assert_captured(tool.outputs("head"), [y])
        assert_captured(tool.grad_outputs("head"), [torch.full((2, 2), 2.0)])


def test_a_module_added_later_is_seen_from_its_first_call() -> None:
    """C59: an experiment, after adapters that are put into a model."""
    model = nn.Sequential(nn.Linear(3, 3))

    with attached(model, becomes=nn.Sequential(nn.Linear(3, 3), nn.Tanh())) as tool:
        model.append(nn.Tanh())
        y = model(torch.randn(2, 3))
        y.sum().backward()

        assert_captured(tool.outputs("1"), [y])
        assert_captured(tool.outputs(""), [y])
        assert_captured(tool.grad_outputs("1"), [torch.ones(2, 3)])


@pytest.mark.filterwarnings("ignore:Lazy modules are a new feature")
def test_a_lazy_module_finds_its_shape_and_its_class_while_watched() -> None:
    """Its first call removes its own hook, and its parameters have no shape before.

    C60: pytorch/pytorch#60132.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.LazyLinear(3), nn.Tanh()), leaf(2, 4)

    with undisturbed(make, step) as (tool, model, x):
        assert type(model[0]) is nn.Linear
        assert not model[0]._forward_pre_hooks
        assert_captured(tool.outputs("0"), [model[0].forward(x)])


def test_a_conversion_that_swaps_the_parameters_leaves_nothing_on_the_new_ones() -> None:
    """C79: an experiment with `double()` and torch.__future__.set_overwrite_module_params_on_conversion."""
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
    x = torch.randn(2, 3).double().requires_grad_()

    with attached(model) as tool:
        torch.__future__.set_overwrite_module_params_on_conversion(True)
        try:
            model.double()
        finally:
            torch.__future__.set_overwrite_module_params_on_conversion(False)
        model(x).sum().backward()

        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [hidden])
        assert_captured(tool.grad_outputs("0"), [1 - hidden.tanh() ** 2])


def test_a_patched_forward_is_seen_with_its_effect_and_without_once_undone() -> None:
    """A tool that patches `forward` itself would fight with such a patch.

    C102: openvinotoolkit/nncf#3310; accelerate does the same.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        original = model[0].forward

        @functools.wraps(original)
        def doubled(x: Tensor) -> object:
            return original(x) * 2

        model[0].forward = doubled
        return model, leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        patched = model(x)
        patched.sum().backward()
        del model[0].forward
        return [patched, x.grad, model(x)]

    with undisturbed(make, program) as (tool, model, x):
        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [hidden * 2, hidden])
