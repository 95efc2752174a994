"""One hook's entry on the model, and how it is switched there; holds the model weakly."""

from __future__ import annotations

import types
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

from torch import nn
from torch.nn.modules.module import _WrappedHook

from hookviz.hooks import parking, stand_in
from hookviz.hooks.stand_in import AnyHook

Identity = tuple[int, int | str]


class Entry(Protocol):
    """Where a hook stands, whether it is on or off."""

    @property
    def identity(self) -> Identity:
        """Tells two entries apart."""

    def function(self) -> AnyHook | None:
        """The callable that was registered, None if it is gone."""

    def is_on(self) -> bool:
        """Whether it would run now."""

    def turn(self, *, on: bool) -> None:
        """Switch it now; what is gone stays gone."""

    def remove(self) -> None:
        """Take it off for good."""


def unwrapped(value: object) -> Any:
    """The callable that was registered, of what stands in a hook table."""
    hook = stand_in.hidden(value)
    # PyTorch wraps hooks on loading.
    return hook.hook if type(hook) is _WrappedHook else hook


class TableEntry:
    """An entry of one of PyTorch's hook tables; while off, a stand-in has its place there."""

    __slots__ = ("_flag_tables", "_key", "_table")

    def __init__(
        self, table: OrderedDict[int, AnyHook], key: int, flag_tables: tuple[OrderedDict[int, bool], ...] = ()
    ) -> None:
        self._table = weakref.ref(table)
        self._key = key
        self._flag_tables = tuple(weakref.ref(table) for table in flag_tables)

    @property
    def identity(self) -> Identity:
        """Tells two entries apart."""
        return id(self._table()), self._key

    def _value(self) -> AnyHook | None:
        table = self._table()
        return None if table is None else table.get(self._key)

    def function(self) -> AnyHook | None:
        """The callable that was registered, None if it is gone."""
        return unwrapped(self._value())

    def is_on(self) -> bool:
        """Whether it would run now."""
        value = self._value()
        return value is not None and not stand_in.is_off(value)

    def turn(self, *, on: bool) -> None:
        """Switch it now; what is gone stays gone."""
        table, value = self._table(), self._value()
        if table is None or value is None or on is not stand_in.is_off(value):
            return
        # An assignment to a key that is there keeps the order and disturbs nobody who iterates.
        table[self._key] = stand_in.hidden(value) if on else stand_in.off(value)

    def remove(self) -> None:
        """Take it off for good, as its handle would."""
        for reference in (self._table, *self._flag_tables):
            table = reference()
            if table is not None:
                table.pop(self._key, None)


class ParkedEntry(TableEntry):
    """An entry that acts by being there; while off, it is taken out."""

    __slots__ = ()

    def _value(self) -> AnyHook | None:
        table = self._table()
        parked = parking.parked_in(table)
        return parked.hook(self._key) if parked is not None and self._key in parked else super()._value()

    def is_on(self) -> bool:
        """Whether it would run now."""
        table = self._table()
        return table is not None and self._key in table

    def turn(self, *, on: bool) -> None:
        """Switch it now; what is gone stays gone."""
        table = self._table()
        if table is None or self._value() is None or self.is_on() is on:
            return
        if on:
            parking.unpark(table, self._key)
        else:
            parking.park(table, self._key)

    def remove(self) -> None:
        """Take it off for good, as its handle would."""
        table = self._table()
        if table is not None:
            parking.drop(table, self._key)
        super().remove()


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
        return unwrapped(self._value())

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


class OriginalForward(stand_in.StandIn):
    """Stands for a replaced ``forward`` that is off: calls that of the class."""

    __slots__ = ("_module",)

    def __init__(self, hook: AnyHook, module: nn.Module) -> None:
        super().__init__(hook)
        object.__setattr__(self, "_module", weakref.ref(module))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the module's class computes."""
        module = self._module()
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
        replaced = parametrization.__dict__.get("forward")
        if not on:
            parametrization.__dict__["forward"] = Bypass(parametrization, replaced)
        elif (before := replaced.replaced) is not None:
            parametrization.__dict__["forward"] = before
        else:
            del parametrization.__dict__["forward"]

    def remove(self) -> None:
        """Not possible: parametrizations are removed by ``torch.nn.utils.parametrize``."""
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

    # In a copy it becomes the method of the copy's class.
    def __deepcopy__(self, memo: dict[int, Any]) -> object:
        return self.replaced or types.MethodType(
            type(self._parametrization()).forward, memo[id(self._parametrization())]
        )

    def __reduce_ex__(self, _protocol: object) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return getattr, (self._parametrization(), "forward")
