"""Beside each neighbour of ours in PyTorch a watched model computes the same bits, and what is shown is true.

So it is without hooks, with hooks of others on the model, and with some of these switched off and others
written through the session.
"""

import sys
import warnings
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

import hookviz
from hookviz.capture.call import What
from hookviz.session import Session, watch
from hookviz.widget.presentation import presentation_of
from tests.cases.appearance import appearance, by_name, changes
from tests.cases.comparison import Expected, assert_captured, same_bits
from tests.cases.neighbours import NEIGHBOURS, Neighbour
from tests.cases.watching import Results
from tests.views import at

pytestmark = [
    # Of torch's own, beside which hookviz must give none.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning"),
]


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    # A progress bar of the compiler would start a thread that watches all progress bars for ever.
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)


def is_number(value: object) -> bool:
    return isinstance(value, Tensor) and (value.is_floating_point() or value.is_complex())


def double_inputs(_module: nn.Module, args: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value * 2 if is_number(value) else value for value in args)  # type: ignore[operator]  # is_number() tells that it is one


def halve(_module: nn.Module, _args: object, output: object) -> object:
    return output * 0.5 if is_number(output) else None  # type: ignore[operator]  # is_number() tells that it is one


def triple(gradient: Tensor) -> Tensor:
    return gradient * 3


def look(*_: object) -> None:
    """Changes nothing."""


def hook_as_others(model: nn.Module, *, only_look: bool = False) -> None:
    """Hooks on the model, on its last part and on a parameter."""
    parts = [part for part in model.modules() if not isinstance(part, torch.jit.ScriptModule)]
    for part in (parts[0], parts[-1]):
        part.register_forward_pre_hook(look if only_look else double_inputs)
        part.register_forward_hook(look if only_look else halve)
        part.register_forward_hook(look)
    for parameter in model.parameters():
        if parameter.requires_grad and not is_lazy(parameter):
            parameter.register_hook(look if only_look else triple)
            parameter.register_post_accumulate_grad_hook(look)


def hook_backward(model: nn.Module) -> None:
    parts = [part for part in model.modules() if not isinstance(part, torch.jit.ScriptModule)]
    for part in (parts[0], parts[-1]):
        part.register_full_backward_pre_hook(look)
        part.register_full_backward_hook(look)


class Outcome:
    """What a program did."""

    def __init__(self, neighbour: Neighbour, model: nn.Module, x: object) -> None:
        torch.manual_seed(8)
        self.results: Results
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                self.results = neighbour.program(model, x)
            except Exception as error:  # noqa: BLE001  # beside backward hooks some of torch raises, watched or not
                self.results = [type(error), str(error).partition("Sequential(")[0]]
        self.warnings = {str(warning.message).partition(" at 0x")[0] for warning in caught}
        self.rest = [
            torch.get_rng_state(),
            [value for value in model.state_dict().values() if isinstance(value, Tensor) and not value.is_meta],
            [parameter.grad for parameter in model.parameters() if not parameter.is_meta],
        ]


def begin(neighbour: Neighbour) -> tuple[nn.Module, object]:
    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()
    torch.manual_seed(7)
    return neighbour.make()


def assert_same(watched: Outcome, unwatched: Outcome) -> None:
    assert same_bits(watched.results, unwatched.results), f"{watched.results} instead of {unwatched.results}"
    assert same_bits(watched.rest, unwatched.rest)
    assert watched.warnings <= unwatched.warnings


def assert_shown(neighbour: Neighbour, session: Session) -> None:
    """The picture and all beside it can be made, and say what is not in them."""
    presentation = presentation_of(session)
    presentation.refresh()
    for hook in session.hooks:
        session.report(hook)
    assert session.svg().startswith("<svg")
    assert session.problem == ""
    assert neighbour.less in session.text()
    assert neighbour.less in presentation.scene.status["message"]
    assert [path for path in session.paths() if isinstance(session[path], hookviz.ModuleView)] == session.paths()


@pytest.fixture(params=NEIGHBOURS, ids=lambda neighbour: neighbour.name.replace(" ", "_"))
def neighbour(request: pytest.FixtureRequest) -> Neighbour:
    found: Neighbour = request.param
    return found


def test_without_hooks_nothing_changes(neighbour: Neighbour) -> None:
    unwatched, x = begin(neighbour)
    expected = Outcome(neighbour, unwatched, x)
    model, x = begin(neighbour)

    with watch(model, every=1, inputs=True, exact=True) as session:
        outcome = Outcome(neighbour, model, x)

        assert_same(outcome, expected)
        assert_shown(neighbour, session)
    assert changes(by_name(appearance(unwatched)), by_name(appearance(model))) == []


@pytest.mark.parametrize("hook", [hook_as_others, hook_backward])
def test_with_hooks_of_others_nothing_changes(neighbour: Neighbour, hook: Callable[[nn.Module], None]) -> None:
    unwatched, x = begin(neighbour)
    hook(unwatched)
    expected = Outcome(neighbour, unwatched, x)
    model, x = begin(neighbour)
    hook(model)

    with watch(model, every=1, inputs=True, exact=True) as session:
        outcome = Outcome(neighbour, model, x)

        assert_same(outcome, expected)
        assert_shown(neighbour, session)
    assert changes(by_name(appearance(unwatched)), by_name(appearance(model))) == []


def test_hooks_that_are_off_are_absent_and_hooks_that_are_written_are_as_torchs_own(neighbour: Neighbour) -> None:
    unwatched, x = begin(neighbour)
    unwatched.register_forward_hook(halve)
    unwatched.register_forward_pre_hook(double_inputs)
    unwatched.register_forward_hook(halve)
    expected = Outcome(neighbour, unwatched, x)
    model, x = begin(neighbour)
    hook_as_others(model, only_look=neighbour.makes_copies)
    if not neighbour.makes_copies:
        hook_backward(model)

    with watch(model, every=1, inputs=True, exact=True) as session:
        for hook in session.hooks:
            if hook.function in (look, halve, double_inputs, triple):
                hook.disable()
        session.hook("", "forward", halve)
        session.hook("", "forward_pre", double_inputs)
        session.intervene("", hookviz.Scale(0.5))
        outcome = Outcome(neighbour, model, x)

        assert_same(outcome, expected)
        assert_shown(neighbour, session)


class Truth:
    """What ordinary hooks of PyTorch see of the last call of a model: outputs, and the gradients that arrive."""

    def __init__(self, model: nn.Module) -> None:
        self.outputs: dict[str, list[Tensor]] = {}
        self.gradients: dict[str, list[Tensor | None]] = {}
        self._handles = [model.register_forward_pre_hook(self._begin)]
        for path, part in model.named_modules():
            if not isinstance(part, torch.jit.ScriptModule):
                self._handles.append(part.register_forward_hook(self._of(path)))

    def _begin(self, *_: object) -> None:
        if torch._C._current_graph_task_id() == -1:
            self.outputs.clear()
            self.gradients.clear()

    def _of(self, path: str) -> Callable[..., None]:
        def see(_module: nn.Module, _args: object, output: Tensor) -> None:
            if torch._C._current_graph_task_id() != -1:
                return
            self.outputs.setdefault(path, []).append(output.detach().clone())
            arrived = self.gradients.setdefault(path, [])
            place = len(arrived)
            arrived.append(None)

            def receive(gradient: Tensor) -> None:
                arrived[place] = gradient.detach().clone()

            if output.requires_grad:
                output.register_hook(receive)

        return see

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()


PLAIN_VALUES = [
    neighbour
    for neighbour in NEIGHBOURS
    if neighbour.name
    in {
        "autocast",
        "GradScaler",
        "checkpoint without reentrance",
        "checkpoint of a sequence",
        "double backward",
        "accumulation of gradients",
        "several backward passes",
        "inference mode",
        "lazy modules",
        "parametrizations",
        "tied weights",
        "sparse tensors",
        "complex numbers",
        "workers of a DataLoader",
        "LBFGS",
    }
]
"""Those whose values ordinary hooks can see."""


def shown(session: Session, path: str, what: What) -> list[Tensor | None]:
    return [
        None if capture is None else capture.tensor
        for call in at(session, path).calls
        for _, capture, _ in call.entries(what)
    ]


def reached(session: Session, path: str, gradients: list[Tensor | None]) -> list[Expected]:
    """What is to be shown of gradients: nothing where it is said that the last pass did not come by."""
    reasons = [reason for call in at(session, path).calls for _, _, reason in call.entries("grad_output")]
    return [
        None if reason == "not reached by the last backward pass" else gradient
        for gradient, reason in zip(gradients, reasons, strict=True)
    ]


@pytest.mark.parametrize("has_hooks", [False, True])
@pytest.mark.parametrize("neighbour", PLAIN_VALUES, ids=lambda neighbour: neighbour.name.replace(" ", "_"))
def test_values_and_gradients_that_are_shown_are_those_that_hooks_see(neighbour: Neighbour, has_hooks: bool) -> None:
    unwatched, x = begin(neighbour)
    if has_hooks:
        hook_as_others(unwatched)
    truth = Truth(unwatched)
    Outcome(neighbour, unwatched, x)
    truth.remove()
    model, x = begin(neighbour)
    if has_hooks:
        hook_as_others(model)

    with watch(model, every=1) as session:
        Outcome(neighbour, model, x)

        assert list(truth.outputs) != []
        for path, outputs in truth.outputs.items():
            assert_captured(shown(session, path, "output"), outputs)
        for path, gradients in truth.gradients.items():
            assert_captured(shown(session, path, "grad_output"), reached(session, path, gradients))


@pytest.fixture(autouse=True)
def nothing_compiled_stays() -> Iterator[None]:
    yield
    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()
