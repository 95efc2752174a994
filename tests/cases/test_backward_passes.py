"""One entry for each call, with the gradient of the last backward pass, whichever way that pass was made."""

import torch
from torch import Tensor, nn
from torch.autograd import grad

from tests.cases.comparison import assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, undisturbed


def test_of_a_gradient_penalty_the_second_pass_is_shown() -> None:
    """Hooks fire in both passes, and the values of the two are easily mixed or added.

    C24: pytorch/pytorch#88312, pytorch/pytorch#88357, pytorch/pytorch#89928.
    """

    def make() -> tuple[Wired, Tensor]:
        model = Wired(lambda m, x: m.cube(m.twice(x)), twice=Apply(lambda x: x * 2), cube=Apply(lambda h: h**3))
        return model, leaf(3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        (slope,) = grad(y.sum(), x, create_graph=True)
        (slope**2).sum().backward()
        return [y, slope, x.grad]

    with undisturbed(make, program) as (tool, _, used):
        x = used.detach().requires_grad_()
        doubled = x * 2
        (slope,) = grad((doubled**3).sum(), x, create_graph=True)
        (grad_doubled,) = grad((slope**2).sum(), doubled)
        assert_captured(tool.outputs("twice"), [doubled])
        assert_captured(tool.grad_outputs("twice"), [grad_doubled])


def test_of_two_passes_over_one_graph_the_last_is_shown_and_nothing_adds_up() -> None:
    """C25: the autograd note on retain_graph; facebookresearch/fairscale#918."""

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.a(x), a=nn.Linear(3, 3)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        y.sum().backward(retain_graph=True)
        (y * 5).sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        fives = torch.full((2, 3), 5.0)
        assert_captured(tool.outputs("a"), [model.a.forward(x)])
        assert_captured(tool.grad_outputs("a"), [fives])
        assert_captured(tool.grad_inputs("a"), [fives @ model.a.weight])


def test_the_gradient_of_an_activation_that_the_user_asked_for_is_shown_too() -> None:
    """A full backward hook would make the activation of the user's hook another one than the one used.

    C26: pytorch/pytorch#57157.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.b(m.a(x)), a=nn.Linear(3, 3), b=nn.Linear(3, 1)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        activations: list[Tensor] = []
        handle = model.a.register_forward_hook(lambda module, args, output: activations.append(output))
        y = model(x)
        handle.remove()
        return list(grad((y**2).sum(), activations))

    with undisturbed(make, program) as (tool, model, x):
        y = model.b.forward(model.a.forward(x))
        assert_captured(tool.grad_outputs("b"), [2 * y])
        assert_captured(tool.grad_outputs("a"), [(2 * y) @ model.b.weight])


def test_a_pass_to_the_weights_alone_has_no_gradient_of_the_input() -> None:
    """Autograd then leaves out the nodes on the way to the input, and a full backward hook is silent.

    C27: pytorch/pytorch#35802, and the autograd note on which hooks fire.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.a(x), a=nn.Linear(3, 2)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        (y * 3).sum().backward(inputs=list(model.parameters()))
        return [y, x.grad]

    with undisturbed(make, program) as (tool, _, x):
        assert x.grad is None
        assert_captured(tool.grad_outputs("a"), [torch.full((2, 2), 3.0)])
        assert_captured(tool.grad_inputs("a"), [None])


def test_a_pass_through_another_head_replaces_the_gradients_that_it_reaches() -> None:
    """An experiment: two losses over one trunk, each with a backward of its own."""

    def make() -> tuple[Wired, Tensor]:
        def forward(model: Wired, x: Tensor) -> tuple[Tensor, Tensor]:
            hidden = model.trunk(x)
            return model.a(hidden), model.b(hidden)

        return Wired(forward, trunk=nn.Linear(3, 3), a=nn.Linear(3, 2), b=nn.Linear(3, 2)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        y, z = model(x)
        y.sum().backward(retain_graph=True)
        (z * 2).sum().backward()
        return [y, z, x.grad]

    with undisturbed(make, program) as (tool, model, _):
        twos = torch.full((2, 2), 2.0)
        assert_captured(tool.grad_outputs("b"), [twos])
        assert_captured(tool.grad_outputs("trunk"), [twos @ model.b.weight])
        assert_captured(tool.grad_inputs("b"), [twos @ model.b.weight])


def test_a_later_use_of_the_input_elsewhere_changes_nothing_that_is_shown() -> None:
    """An experiment; the autograd note on hooks of leaves, as in C30."""

    def make() -> tuple[nn.Linear, Tensor]:
        return nn.Linear(3, 2), leaf(2, 3)

    def program(model: nn.Linear, x: Tensor) -> Results:
        y = model(x)
        y.sum().backward()
        (x * 100).sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, _):
        ones = torch.ones(2, 2)
        assert_captured(tool.grad_outputs(""), [ones])
        assert_captured(tool.grad_inputs(""), [ones @ model.weight])


def test_an_evaluation_between_steps_does_not_shift_gradients_to_another_call() -> None:
    """C107: meta-pytorch/opacus#176, and an experiment."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with torch.no_grad():
            evaluated = model(x * 2)
        y = model(x)
        y.sum().backward()
        return [evaluated, y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [model[0].forward(x * 2), hidden])
        assert_captured(tool.grad_outputs("0"), [None, 1 - hidden.tanh() ** 2])
