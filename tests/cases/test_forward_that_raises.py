"""A run that ends early is the user's to handle, and the next one is told as if it had not been."""

from torch import Tensor, nn, ones

from tests.cases.comparison import assert_captured
from tests.cases.modules import Wired, leaf
from tests.cases.watching import Results, undisturbed


class Faulty(nn.Module):
    def __init__(self, *faults: BaseException) -> None:
        super().__init__()
        self.faults = list(faults)

    def forward(self, x: Tensor) -> Tensor:
        if self.faults:
            raise self.faults.pop()
        return x * 2


def test_after_a_forward_that_raised_the_next_run_is_told_rightly() -> None:
    """The broken run must leave no value of a module it never reached, and `always_call` hooks run once.

    C68: documentation of register_forward_hook(always_call=True).
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), Faulty(ValueError("broken on purpose")), nn.Tanh()), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        log: list[object] = []
        handle = model[1].register_forward_hook(lambda module, args, out: log.append(out is None), always_call=True)
        try:
            model(x)
        except ValueError as error:
            log.append(str(error))
        y = model(x)
        y.sum().backward()
        handle.remove()
        return [log, y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        doubled = model[0].forward(x) * 2
        assert_captured(tool.outputs("1")[-1:], [doubled])
        assert_captured(tool.outputs("2"), [doubled.tanh()])
        assert_captured(tool.grad_outputs("2"), [ones(2, 3)])


def test_after_an_interrupt_deep_inside_the_next_run_is_told_rightly() -> None:
    """An experiment: KeyboardInterrupt passes by the hooks that run after other exceptions.

    It goes back to the same stack of calls as C39.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        inner = Wired(lambda m, x: m.faulty(x), faulty=Faulty(KeyboardInterrupt()))
        return nn.Sequential(nn.Linear(3, 3), inner, nn.Tanh()), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        interrupted = False
        try:
            model(x)
        except KeyboardInterrupt:
            interrupted = True
        y = model(x)
        y.sum().backward()
        return [interrupted, y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        doubled = model[0].forward(x) * 2
        assert_captured(tool.outputs("1.faulty"), [doubled])
        assert_captured(tool.outputs("1"), [doubled])
        assert_captured(tool.outputs(""), [doubled.tanh()])
        assert_captured(tool.grad_outputs("2"), [ones(2, 3)])
