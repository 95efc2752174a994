"""What acts like a hook without being in a table: a replaced ``forward``, and a parametrization."""

from __future__ import annotations

import operator
import types
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from hookviz.hooks import stand_in
from hookviz.hooks.entries import Identity, unwrapped
from hookviz.hooks.stand_in import AnyHook


class ForwardEntry:
    """A ``forward`` that was replaced on the instance; while off, that of the class runs."""

    __slots__ = ("_module",)

    def __init__(self, module: nn.Module) -> None:
        self._module = weakref.ref(module)

    @property
    def identity(self) -> Identity:
        """Tells two entries apart."""
        return id(self._module()), "forward"

    def _value(self) -> AnyHook | None:
        module = self._module()
        return None if module is None else module.__dict__.get("forward")

    def function(self) -> AnyHook | None:
        """The callable that was set, None if it is gone."""
        forward: AnyHook | None = unwrapped(self._value())
        return forward

    def is_on(self) -> bool:
        """Whether it would run now."""
        value = self._value()
        return value is not None and type(value) is not OriginalForward

    def turn(self, *, on: bool) -> None:
        """Switch it now; what is gone stays gone."""
        module, value = self._module(), self._value()
        if module is None or value is None or self.is_on() is on:
            return
        module.__dict__["forward"] = stand_in.hidden(value) if on else OriginalForward(value, module)

    def remove(self) -> None:
        """Take it off for good."""
        module = self._module()
        if module is not None:
            module.__dict__.pop("forward", None)


def replaced_forward(module: nn.Module) -> AnyHook | None:
    """The ``forward`` that was set on an instance, on or off; None if that of its class runs."""
    value: AnyHook | None = module.__dict__.get("forward")
    is_its_own = (
        type(value) is types.MethodType
        and value.__self__ is module
        and value.__func__ is getattr(type(module), "forward", None)
    )
    is_generated = issubclass(type(module), (torch.fx.GraphModule, torch.jit.ScriptModule))
    # The result of torch.compile; by name, since the import of dynamo takes seconds.
    is_generated |= type(module).__module__ == "torch._dynamo.eval_frame"
    return None if value is None or is_its_own or is_generated or type(value) is Bypass else unwrapped(value)


class OriginalForward(stand_in.StandIn):
    """Stands for a replaced ``forward`` that is off: calls that of the class."""

    __slots__ = ("_module",)
    _module: weakref.ref[nn.Module]

    def __init__(self, hook: AnyHook, module: nn.Module) -> None:
        super().__init__(hook)
        self._module = weakref.ref(module)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the module's class computes."""
        module = self._module()
        assert module is not None, "it is the module's own"
        return type(module).forward(module, *args, **kwargs)


class ParametrizationEntry:
    """A parametrization of one tensor; while off, it gives the original tensor as it is."""

    __slots__ = ("_parametrization",)

    def __init__(self, parametrization: nn.Module) -> None:
        self._parametrization = weakref.ref(parametrization)

    @property
    def identity(self) -> Identity:
        """Tells two entries apart."""
        return id(self._parametrization()), "parametrization"

    def function(self) -> AnyHook | None:
        """The parametrization, None if it is gone."""
        return self._parametrization()

    def is_on(self) -> bool:
        """Whether it would run now."""
        parametrization = self._parametrization()
        return parametrization is not None and type(parametrization.__dict__.get("forward")) is not Bypass

    def turn(self, *, on: bool) -> None:
        """Switch it now; what is gone stays gone."""
        parametrization = self._parametrization()
        if parametrization is None or self.is_on() is on:
            return
        forward = parametrization.__dict__.get("forward")
        if type(forward) is not Bypass:
            parametrization.__dict__["forward"] = Bypass(parametrization, forward)
        elif forward.replaced is not None:
            parametrization.__dict__["forward"] = forward.replaced
        else:
            del parametrization.__dict__["forward"]

    def remove(self) -> None:
        """Not possible: parametrizations are removed by ``torch.nn.utils.parametrize``."""
        # Never reached: HookSwitches.remove refuses hooks that were not written through the session.
        raise NotImplementedError


class Bypass:
    """The ``forward`` of a parametrization that is off."""

    __slots__ = ("_parametrization", "replaced")

    def __init__(self, parametrization: nn.Module, replaced: AnyHook | None) -> None:
        self._parametrization = weakref.ref(parametrization)
        self.replaced = replaced
        """A ``forward`` that had been set on the instance before."""

    def __call__(self, original: Any) -> Any:
        """The tensor as it is."""
        return original

    # A copy's or a pickle's module has no forward of its own yet when this is read: it gets that of its class.
    def __reduce_ex__(self, _protocol: object) -> tuple[Callable[..., Any], tuple[object, ...]]:
        if self.replaced is not None:
            return operator.getitem, ((self.replaced,), 0)
        return getattr, (self._parametrization(), "forward")
