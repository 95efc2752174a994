"""Whoever counts or logs what happens to tensors sees the operations of the model and no others."""

from collections.abc import Callable
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from tests.cases.comparison import assert_captured
from tests.cases.modules import leaf
from tests.cases.watching import Results, undisturbed


def two_layers() -> tuple[nn.Sequential, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)


class Operations(TorchDispatchMode):
    """The operations that ran while it was active."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch gives it no types
        self.operations: list[str] = []

    def __torch_dispatch__(
        self, func: Callable[..., object], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> object:
        self.operations.append(str(func))
        return func(*args, **(kwargs or {}))


class Functions(TorchFunctionMode):
    """The functions that were called while it was active, attributes that were read included."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(
        self, func: Callable[..., object], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> object:
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


class Tagged(Tensor):
    """A tensor that writes down what is done with it."""

    names: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        Tagged.names.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[no-untyped-call]  # as above


def test_the_users_dispatch_mode_sees_no_operation_of_the_tool() -> None:
    """Counters of operations and memory trackers are such modes.

    C50: an experiment; torch.utils.flop_counter.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with Operations() as log:
            model(x).sum().backward()
        return [log.operations]

    with undisturbed(two_layers, program) as (_, _, x):
        assert x.grad is not None


def test_saved_tensor_hooks_and_anomaly_mode_see_no_tensor_of_the_tool() -> None:
    """C103: documentation of saved_tensors_hooks and of set_detect_anomaly."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        packed: list[torch.Size] = []

        def pack(tensor: Tensor) -> Tensor:
            packed.append(tensor.shape)
            return tensor

        hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
        with torch.autograd.set_detect_anomaly(True), hooks:
            y = model(x)
            y.sum().backward()
        return [y, x.grad, packed]

    with undisturbed(make, program) as (_, _, x):
        assert x.grad is not None


def test_the_users_function_mode_sees_no_function_of_the_tool() -> None:
    """An experiment."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with Functions() as functions:
            model(x).sum().backward()
        return [functions.names]

    with undisturbed(two_layers, program) as (tool, model, x):
        assert_captured(tool.outputs("0"), [model[0].forward(x)])


def test_a_tensor_subclass_sees_no_function_of_the_tool() -> None:
    """An experiment, after subclasses that log or that count."""

    def program(model: nn.Sequential, x: Tensor) -> Results:
        Tagged.names.clear()
        y = model(x.as_subclass(Tagged))
        y.sum().backward()
        return [list(Tagged.names), type(y).__name__]

    with undisturbed(two_layers, program) as (tool, _, _):
        assert len(tool.outputs("0")) == 1
