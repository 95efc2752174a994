"""The cases do notice a tool that disturbs a program or leaves something behind."""

import warnings

import pytest
import torch
from torch import Tensor, nn

from tests.cases import adapter
from tests.cases.watching import attached, step, undisturbed


class Quiet:
    """A tool that does nothing at all; the others here spoil one thing each."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def detach(self) -> None: ...


class Forgetful(Quiet):
    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        model.get_submodule("0").register_forward_hook(lambda module, args, output: None)


class OnParameter(Quiet):
    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        model.get_parameter("0.weight").register_hook(lambda gradient: None)


class Marking(Quiet):
    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        model.mark = "was here"  # type: ignore[assignment]  # any attribute


class Hooking(Quiet):
    """Hooks the first layer and takes the hook off again."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        self.handle = model.get_submodule("0").register_forward_hook(self.hook)

    def hook(self, module: nn.Module, args: object, output: Tensor) -> Tensor | None:
        """Leaves the output as it is, but for those that say otherwise."""
        return None

    def detach(self) -> None:
        self.handle.remove()


class Rounding(Hooking):
    def hook(self, module: nn.Module, args: object, output: Tensor) -> Tensor:
        return torch.nextafter(output, output + 1)


class Gambling(Hooking):
    def hook(self, module: nn.Module, args: object, output: Tensor) -> None:
        torch.rand(1)


class Training(Hooking):
    def hook(self, module: nn.Module, args: object, output: Tensor) -> None:
        self.model.eval()


class Nagging(Hooking):
    def hook(self, module: nn.Module, args: object, output: Tensor) -> None:
        warnings.warn("something is odd", stacklevel=1)


class Counting(Hooking):
    def hook(self, module: nn.Module, args: object, output: Tensor) -> None:
        self.model.get_buffer("1.running_mean").add_(1)


def make() -> tuple[nn.Sequential, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)), torch.randn(4, 3)


def complaint(monkeypatch: pytest.MonkeyPatch, tool: type[Quiet]) -> str:
    """What the comparison with an unwatched run says of this tool."""
    monkeypatch.setattr(adapter, "attach", tool)
    with pytest.raises(AssertionError) as caught, undisturbed(make, step):
        pass
    return str(caught.value)


def test_a_tool_that_does_nothing_is_no_disturbance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "attach", Quiet)

    with undisturbed(make, step) as (tool, model, _):
        assert isinstance(tool, Quiet)
        assert tool.model is model


@pytest.mark.parametrize(
    ("tool", "sign"),
    [
        (Rounding, "result 0: "),
        (Gambling, "random numbers: "),
        (Training, "training: True became False"),
        (Nagging, "new warning: something is odd"),
        (Counting, "state: "),
        (Forgetful, "_forward_hooks of '0': "),
        (OnParameter, "hooks on '0'.weight: "),
        (Marking, "attributes of '': "),
    ],
)
def test_a_tool_that_disturbs_or_leaves_something_is_told(
    monkeypatch: pytest.MonkeyPatch, tool: type[Quiet], sign: str
) -> None:
    assert sign in complaint(monkeypatch, tool)


def test_what_is_left_on_a_model_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "attach", Forgetful)
    model, _ = make()

    with pytest.raises(AssertionError, match="_forward_hooks of '0'"), attached(model):
        pass


def test_a_rebuilt_model_is_compared_with_one_built_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "attach", Quiet)
    model = nn.Sequential(nn.Linear(3, 3))

    with attached(model, becomes=nn.Sequential(nn.Linear(3, 3), nn.Tanh())):
        model.append(nn.Tanh())
    with pytest.raises(AssertionError, match="type of '1'"), attached(model, becomes=model[:1]):
        pass
