"""A hook that is off does nothing, and one that is on again stands where it stood."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import weight_norm

from hookviz.errors import HookvizError
from tests.cases.adapter import Tool
from tests.cases.comparison import same_bits
from tests.cases.watching import attached


def switch(tool: Tool, function: Callable[..., object], *, on: bool) -> None:
    """Switch a hook, which must be listed exactly once."""
    (listed,) = (hook for hook in tool.hooks() if hook["fn"] is function)
    switch_listed(tool, listed, on=on)


def switch_listed(tool: Tool, hook: dict[str, Any], *, on: bool) -> None:
    assert hasattr(tool, "set_enabled"), "this tool cannot switch hooks"
    tool.set_enabled(hook, on)


class Calls(list[str]):
    """Makes forward hooks that write down their name and change the output."""

    def hook(self, name: str, change: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
        def forward_hook(module: nn.Module, *args: object) -> Tensor:
            self.append(name)
            output = args[-1]
            assert isinstance(output, Tensor)
            return change(output)

        return forward_hook


def test_a_forward_hook_comes_back_in_its_old_place_with_its_flags() -> None:
    """Registered anew it would come last, and without its flags.

    C108: pytorch/pytorch#87370, pytorch/pytorch#89389, and an experiment.
    """
    calls = Calls()
    double = calls.hook("double", lambda y: y * 2)
    later = calls.hook("later", lambda y: y)

    def hooked() -> nn.Sequential:
        model = nn.Sequential(nn.Linear(3, 3))
        model[0].register_forward_hook(calls.hook("add", lambda y: y + 1))
        model[0].register_forward_hook(double, with_kwargs=True, always_call=True)
        model[0].register_forward_hook(calls.hook("subtract", lambda y: y - 3))
        return model

    model, looks = hooked(), hooked()
    looks[0].register_forward_hook(later)
    x = torch.randn(2, 3)
    at_first = model(x)
    calls.clear()

    with attached(model, becomes=looks) as tool:
        switch(tool, double, on=False)
        while_off = model(x)
        calls_while_off = list(calls)
        calls.clear()
        model[0].register_forward_hook(later)
        switch(tool, double, on=True)
        on_again = model(x)

        assert same_bits(while_off, model[0].forward(x) + 1 - 3)
        assert calls_while_off == ["add", "subtract"]
        assert same_bits(on_again, at_first)
        assert calls == ["add", "double", "subtract", "later"]


def test_a_hook_that_its_owner_removed_while_it_was_off_stays_gone() -> None:
    """C109: the contract of RemovableHandle; pytorch/pytorch#70455, and an experiment."""
    calls: list[str] = []

    def on_forward(module: nn.Module, args: object, output: object) -> None:
        calls.append("forward")

    def on_gradient(gradient: Tensor) -> None:
        calls.append("gradient")

    model = nn.Sequential(nn.Linear(3, 3))
    handles = [
        model[0].register_forward_hook(on_forward),
        model.get_parameter("0.weight").register_hook(on_gradient),
    ]

    with attached(model, becomes=nn.Sequential(nn.Linear(3, 3))) as tool:
        listed = [hook for hook in tool.hooks() if hook["fn"] in (on_forward, on_gradient)]
        switch(tool, on_forward, on=False)
        switch(tool, on_gradient, on=False)
        for handle in handles:
            handle.remove()

        assert not [hook for hook in tool.hooks() if hook["fn"] in (on_forward, on_gradient)]
        for hook in listed:
            # That there is nothing to switch may be said by an error.
            with suppress(HookvizError):
                switch_listed(tool, hook, on=True)
        model(torch.randn(2, 3)).sum().backward()
        assert calls == []


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated:FutureWarning")
def test_a_hook_that_computes_a_weight_is_protected_or_two_steps_go_well_without_it() -> None:
    """Without the hook of weight_norm a weight of an old graph stays, and the second step raises.

    C112: pytorch/pytorch#28594, and an experiment.
    """
    model = nn.Sequential(weight_norm(nn.Linear(3, 3)))
    x = torch.randn(2, 3)
    model(x).sum().backward()
    (hook,) = model[0]._forward_pre_hooks.values()

    with attached(model) as tool:
        with suppress(HookvizError):
            switch(tool, hook, on=False)
        for _ in range(2):
            model(x).sum().backward()
