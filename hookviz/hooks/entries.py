"""One hook's entry on the model, and how it is switched there; holds the model weakly."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any, Protocol

from torch.nn.modules.module import _WrappedHook

from hookviz.hooks import parking, stand_in
from hookviz.hooks.stand_in import AnyHook
from hookviz.hooks.written import WrittenHook

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
    if type(hook) is WrittenHook:
        return hook.function
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
        hook: AnyHook | None = unwrapped(self._value())
        return hook

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
        hook = stand_in.hidden(value)
        table[self._key] = hook if on else stand_in.off(hook)

    def remove(self) -> None:
        """Take it off for good, as its handle would."""
        for table in (self._table(), *(reference() for reference in self._flag_tables)):
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
