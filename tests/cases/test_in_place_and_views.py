"""A value stays shown as the caller received it, whatever is written into its memory afterwards."""

import torch
from torch import Tensor, nn
from torch.autograd import grad

from tests.cases.comparison import Either, assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, squared_step, step, undisturbed


def test_an_inplace_relu_does_not_change_the_output_shown_for_the_layer_before_it() -> None:
    """A full backward hook makes this very common pair of layers raise.

    C01: pytorch/pytorch#61519, spfrommer/torchexplorer#49, f-dangel/singd#56.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2)), leaf(2, 3)

    with undisturbed(make, squared_step) as (tool, model, x):
        before = model[0].forward(x)
        after = before.relu()
        y = model[2].forward(after)
        grad_before, grad_after = grad((y**2).sum(), [before, after])

        assert_captured(tool.outputs("0"), [before])
        assert_captured(tool.outputs("1"), [after])
        assert_captured(tool.grad_outputs("0"), [grad_before])
        assert_captured(tool.grad_outputs("1"), [grad_after])
        assert_captured(tool.grad_inputs("1"), [grad_before])
        assert_captured(tool.grad_inputs("2"), [grad_after])


def test_adding_in_place_to_an_output_does_not_change_what_is_shown_of_it() -> None:
    """The `out += identity` of residual networks.

    C02: shap/shap#3466, shap/shap#3565.
    """

    def add_in_place(model: Wired, x: Tensor) -> Tensor:
        out = model.block(x)
        out += x
        y: Tensor = model.head(out)
        return y

    def make() -> tuple[Wired, Tensor]:
        return Wired(add_in_place, block=nn.Linear(3, 3), head=nn.Linear(3, 1)), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        block_output = model.block.forward(x)
        (grad_block,) = grad(model.head.forward(block_output + x).sum(), block_output)

        assert_captured(tool.outputs("block"), [block_output])
        assert_captured(tool.grad_outputs("block"), [grad_block])
        assert_captured(tool.grad_inputs("block"), [grad_block @ model.block.weight])


def test_a_module_that_writes_into_its_input_shows_the_input_from_before() -> None:
    """C03: the warning of register_full_backward_hook on such modules; rwightman/efficientdet-pytorch#298."""

    def clear_first_column(x: Tensor) -> Tensor:
        x[:, 0] = 0
        return x * 2

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.writes(m.a(x)), a=nn.Linear(3, 3), writes=Apply(clear_first_column)), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        (y * 3).sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        at_entry = model.a.forward(x)
        others = torch.tensor([0.0, 1.0, 1.0]).expand(2, 3)

        assert_captured(tool.outputs("a"), [at_entry])
        assert_captured(tool.inputs("writes"), [at_entry])
        assert_captured(tool.outputs("writes"), [at_entry * others * 2])
        assert_captured(tool.grad_inputs("writes"), [others * 6])
        assert_captured(tool.grad_outputs("writes"), [torch.full((2, 3), 3.0)])


def test_a_returned_view_stays_as_it_was_when_its_base_is_edited() -> None:
    """Autograd then gives the view a new history, and the hooks on the old one are lost.

    The gradient at the view may be missing, but it must not be a wrong one.

    C05: pytorch/pytorch#8874.
    """

    def edit_base(model: Wired, x: Tensor) -> Tensor:
        base = model.a(x)
        view: Tensor = model.view(base)
        base.mul_(5)
        return view

    def make() -> tuple[Wired, Tensor]:
        return Wired(edit_base, a=nn.Linear(3, 4), view=Apply(lambda x: x.t())), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        y = model(x)
        (y * 3).sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        assert_captured(tool.outputs("view"), [model.a.forward(x).t()])
        assert_captured(tool.grad_outputs("view"), [Either(torch.full((4, 2), 15.0), None)])
        assert_captured(tool.grad_outputs("a"), [torch.full((2, 4), 15.0)])


def test_without_gradients_too_a_value_is_a_copy_and_not_an_alias() -> None:
    """Under no_grad nothing raises, and an alias would silently show the rectified values.

    C06: meta-pytorch/captum#156.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(inplace=True)), torch.randn(1, 1, 5, 5)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with torch.no_grad():
            return [model(x)]

    with undisturbed(make, program) as (tool, model, x):
        convolved = model[0].forward(x)
        assert convolved.min() < 0

        assert_captured(tool.outputs("0"), [convolved])
        assert_captured(tool.outputs("1"), [convolved.relu()])
        assert_captured(tool.grad_outputs("0"), [None])


def test_in_inference_mode_values_are_copies_and_gradients_are_absent() -> None:
    """Inference tensors can be neither saved for backward nor tracked as views.

    C40: pytorch/pytorch#128413, and an experiment.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True)), torch.randn(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with torch.inference_mode():
            return [model(x).clone()]

    with undisturbed(make, program) as (tool, model, x):
        hidden = model[0].forward(x)

        assert_captured(tool.outputs("0"), [hidden])
        assert_captured(tool.outputs("1"), [hidden.relu()])
        assert_captured(tool.grad_outputs("0"), [None])


def test_a_gradient_stays_as_it_flowed_when_the_users_grad_is_zeroed() -> None:
    """Autograd may hand the very buffer of the gradient on to `x.grad`.

    C07: an experiment; compare jacobgil/pytorch-grad-cam#88.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(Apply(lambda x: x * 2)), leaf(3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        (model(x) * 3).sum().backward()
        assert x.grad is not None
        flowed = x.grad.clone()
        x.grad.zero_()
        return [flowed]

    with undisturbed(make, program) as (tool, _, _):
        assert_captured(tool.grad_inputs("0"), [torch.full((3,), 6.0)])
