"""Which gradient is shown at which place: the one that flowed there, and none where none flowed."""

import torch
from torch import Tensor, nn
from torch.autograd import grad

from tests.cases.comparison import Either, assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, attached, step, undisturbed

ONES = torch.ones(3)


def test_data_that_needs_no_gradient_gets_none_and_causes_no_warning() -> None:
    """A full backward hook on the first layer fires early and warns.

    C08: pytorch/pytorch#56380, pytorch/pytorch#100528, pytorch/pytorch#155339.
    """
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(2, 3)

    with attached(model) as tool:
        model(x).sum().backward()

        hidden = model[0].forward(x)
        squashed = hidden.tanh()
        grad_hidden, grad_squashed = grad(model[2].forward(squashed).sum(), [hidden, squashed])
        assert_captured(tool.grad_inputs("0"), [None])
        assert_captured(tool.grad_outputs("0"), [grad_hidden])
        assert_captured(tool.grad_inputs("1"), [grad_hidden])
        assert_captured(tool.grad_outputs("1"), [grad_squashed])
        assert_captured(tool.grad_outputs("2"), [torch.ones(2, 1)])


def test_only_the_used_output_of_several_has_a_gradient() -> None:
    """Autograd calls the hooks of the others with None.

    C15: an experiment.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.split(x)[1] * 4, split=Apply(lambda x: (x * 1).unbind())), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("split"), [x[0], x[1], x[2]])
        assert_captured(tool.grad_outputs("split"), [None, torch.tensor(4.0), None])
        assert_captured(tool.grad_inputs("split"), [torch.tensor([0.0, 4.0, 0.0])])


def test_the_gradient_of_an_output_is_the_sum_over_its_uses() -> None:
    """C16: an experiment; what goes over one of the edges is only a part of it."""

    def use_twice(model: Wired, x: Tensor) -> Tensor:
        hidden: Tensor = model.a(x)
        return hidden * 2 + hidden.sin()

    def make() -> tuple[Wired, Tensor]:
        return Wired(use_twice, a=nn.Linear(3, 3)), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        assert_captured(tool.grad_outputs("a"), [2 + model.a.forward(x).cos()])


def test_one_tensor_given_as_two_arguments_has_a_share_for_each_or_the_total_in_both() -> None:
    """C19: an experiment; a hook on the tensor sees both positions together."""

    def give_twice(model: Wired, x: Tensor) -> object:
        hidden = x * 1
        return model.combine(hidden, hidden)

    def make() -> tuple[Wired, Tensor]:
        return Wired(give_twice, combine=Apply(lambda a, b: a * 2 + b * 7)), leaf(3)

    with undisturbed(make, step) as (tool, _, _):
        total = ONES * 9
        assert_captured(tool.grad_inputs("combine"), [Either(ONES * 2, total), Either(ONES * 7, total)])


def test_an_identity_in_a_residual_shows_its_share_or_the_total_of_the_tensor() -> None:
    """Identity, and Dropout in eval, return the very object they got: nothing separates the two.

    C22: pytorch/pytorch#61446.
    """

    def around_identity(model: Wired, x: Tensor) -> object:
        hidden = model.a(x)
        return hidden + model.identity(hidden) * 2

    def make() -> tuple[Wired, Tensor]:
        return Wired(around_identity, a=nn.Linear(3, 3), identity=nn.Identity()), leaf(2, 3)

    with undisturbed(make, step) as (tool, _, _):
        ones = torch.ones(2, 3)
        assert_captured(tool.grad_outputs("identity"), [Either(ones * 2, ones * 3)])
        assert_captured(tool.grad_outputs("a"), [ones * 3])


def test_the_gradient_of_an_input_is_the_share_through_this_call() -> None:
    """The tensor as a whole has 5 + 2: the rest goes around the module.

    C23: discuss.pytorch.org/t/14186, on the meaning of grad_input.
    """

    def around_twice(model: Wired, x: Tensor) -> object:
        hidden = model.a(x)
        return hidden * 5 + model.twice(hidden)

    def make() -> tuple[Wired, Tensor]:
        return Wired(around_twice, a=nn.Linear(3, 3), twice=Apply(lambda x: x * 2)), leaf(2, 3)

    with undisturbed(make, step) as (tool, _, _):
        assert_captured(tool.grad_inputs("twice"), [torch.full((2, 3), 2.0)])
        assert_captured(tool.grad_outputs("a"), [torch.full((2, 3), 7.0)])


def test_a_head_outside_of_the_loss_has_values_and_no_gradient() -> None:
    """C28: an experiment; compare pytorch/pytorch#38951."""

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: (m.a(x), m.b(x)), a=nn.Linear(3, 2), b=nn.Linear(3, 2)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        in_loss, outside = model(x)
        in_loss.sum().backward()
        return [in_loss, outside, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        assert_captured(tool.grad_outputs("a"), [torch.ones(2, 2)])
        assert_captured(tool.outputs("b"), [model.b.forward(x)])
        assert_captured(tool.grad_outputs("b"), [None])
        assert_captured(tool.grad_inputs("b"), [None])


def test_a_frozen_layer_has_values_and_no_gradient() -> None:
    """A hook on a tensor that requires no gradient raises.

    C29: pytorch/pytorch#117925, and an experiment.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
        model[0].requires_grad_(False)
        return model, torch.randn(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        assert_captured(tool.outputs("0"), [model[0].forward(x)])
        assert_captured(tool.grad_outputs("0"), [None])
        assert_captured(tool.grad_outputs("1"), [torch.ones(2, 1)])
        assert_captured(tool.grad_inputs("1"), [None])


class WithAuxiliaryLoss(nn.Module):
    aux: Tensor | None

    def forward(self, x: Tensor) -> Tensor:
        self.aux = x * 10
        return x * 2


def test_a_gradient_that_comes_in_through_an_attribute_is_counted_or_not_told_at_all() -> None:
    """Routers leave an auxiliary loss on the module, past its output: 2 * 3 + 10 * 3, not 2 * 3.

    C31: an experiment; compare pytorch/pytorch#42478.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.router(x * 1) + m.router.aux, router=WithAuxiliaryLoss()), leaf(3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        (y * 3).sum().backward()
        model.router.aux = None
        return [y, x.grad]

    with undisturbed(make, program) as (tool, _, _):
        assert_captured(tool.grad_outputs("router"), [ONES * 3])
        assert_captured(tool.grad_inputs("router"), [Either(ONES * 36, None)])


def test_an_output_that_the_module_used_inside_has_the_gradient_from_outside_or_the_total() -> None:
    """Mixtral's router returns its logits and scores computed from them; T5 its position bias.

    C106: an experiment with transformers.
    """

    def weigh(model: Wired, x: Tensor) -> object:
        logits, scores = model.router(x)
        return logits + 2 * scores

    def route(x: Tensor) -> tuple[Tensor, Tensor]:
        logits = x * 1
        return logits, logits.sin()

    def make() -> tuple[Wired, Tensor]:
        return Wired(weigh, router=Apply(route)), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        total = ONES + 2 * x.cos()
        assert_captured(tool.outputs("router"), [x, x.sin()])
        assert_captured(tool.grad_outputs("router"), [Either(ONES, total), ONES * 2])
        assert_captured(tool.grad_inputs("router"), [total])
