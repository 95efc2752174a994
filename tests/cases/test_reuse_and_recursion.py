"""Every call of a module has an entry of its own, in order, with its own gradient."""

from torch import Tensor, nn
from torch.autograd import grad

from tests.cases.comparison import assert_captured
from tests.cases.modules import Wired, leaf
from tests.cases.watching import Results, squared_step, step, undisturbed


def test_two_calls_of_one_module_keep_their_order_and_their_gradients() -> None:
    """Backward comes by in reverse order, which swaps the gradients of a tool that just counts.

    C17: meta-pytorch/captum#1082, meta-pytorch/captum#200, jmschrei/tangermeme#54.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.a(m.a(x)), a=nn.Linear(3, 3)), leaf(2, 3)

    with undisturbed(make, squared_step) as (tool, model, x):
        first = model.a.forward(x)
        second = model.a.forward(first)
        grad_first, grad_second = grad((second**2).sum(), [first, second])
        assert_captured(tool.outputs("a"), [first, second])
        assert_captured(tool.grad_outputs("a"), [grad_first, grad_second])
        assert_captured(tool.grad_inputs("a"), [grad_first @ model.a.weight, grad_first])


def test_a_module_with_two_names_answers_under_both() -> None:
    """named_modules() tells only the first name of a shared module.

    C56: documentation of named_modules; meta-pytorch/captum#1082.
    """

    def make() -> tuple[Wired, Tensor]:
        shared = nn.Linear(3, 3)
        return Wired(lambda m, x: m.decode(m.encode(x).tanh()), encode=shared, decode=shared), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        encoded = model.encode.forward(x)
        decoded = model.encode.forward(encoded.tanh())
        gradients = grad(decoded.sum(), [encoded, decoded])
        for name in ("encode", "decode"):
            assert_captured(tool.outputs(name), [encoded, decoded])
            assert_captured(tool.grad_outputs(name), gradients)


class Recursive(nn.Module):
    """Calls itself, as a tree's module does."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Tensor, depth: int) -> Tensor:
        below = x if depth == 0 else self(x, depth - 1).tanh()
        y: Tensor = self.linear(below)
        return y


def test_a_module_that_calls_itself_pairs_each_output_with_its_own_gradient() -> None:
    """C70: an experiment; one slot for each module is overwritten by the inner call."""

    def make() -> tuple[Recursive, Tensor]:
        return Recursive(), leaf(2, 3)

    def program(model: Recursive, x: Tensor) -> Results:
        y = model(x, 2)
        y.sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        innermost = model.linear.forward(x)
        middle = model.linear.forward(innermost.tanh())
        outermost = model.linear.forward(middle.tanh())
        gradients = grad(outermost.sum(), [innermost, middle, outermost])
        assert_captured(tool.outputs("linear"), [innermost, middle, outermost])
        assert_captured(tool.grad_outputs("linear"), gradients)
        assert_captured(tool.outputs(""), [innermost, middle, outermost])
