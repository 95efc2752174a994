"""Takes hooks out of a table whose mere entries act, and puts them back where they were.

A module with a full backward hook wraps its inputs and outputs in views, whatever the hook does, so
there a stand-in would not be off enough. What was taken out hangs on the table itself and lives as long
as it: an ``OrderedDict`` has room for attributes. They also make sure that copies and pickles of the
table have the hook, and that an owner who clears the table or uses a handle gets rid of it for good.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from torch.utils.hooks import RemovableHandle

from hookviz.hooks.stand_in import AnyHook

Table = OrderedDict[int, AnyHook]

# copy and pickle ask an object, not only its class, for the first; the second hides the method of the class.
_REDUCE, _CLEAR = "__reduce_ex__", "clear"


@dataclass(frozen=True, slots=True)
class _Place:
    hook: AnyHook
    before: tuple[int, ...]
    after: tuple[int, ...]

    def among(self, keys: list[int], key: int) -> int:
        """Where it belongs among other keys: behind the last that was before it, or before the first behind it."""
        behind = [keys.index(each) + 1 for each in self.before if each in keys]
        if behind:
            return max(behind)
        # With all old neighbours gone, what was registered later runs later: PyTorch counts its keys up.
        in_front = [keys.index(each) for each in keys if each in self.after or each > key]
        return min(in_front, default=len(keys))


class Parked:
    """What was taken out of one table."""

    def __init__(self, table: Table) -> None:
        self._table = weakref.ref(table)
        self._places: dict[int, _Place] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def __contains__(self, key: int) -> bool:
        return key in self._places

    def __call__(self, _protocol: object) -> tuple[Any, ...]:
        """What a copy or a pickle of the table is made of: all hooks, as if none were off."""
        return OrderedDict, (), None, None, iter(self.items())

    def hook(self, key: int) -> AnyHook:
        """What was taken out under this key."""
        return self._places[key].hook

    def add(self, key: int) -> None:
        """Take an entry out of the table."""
        table = self._living_table()
        order = [each for each, _ in self.items()]
        place = order.index(key)
        self._places[key] = _Place(table.pop(key), tuple(order[:place]), tuple(order[place + 1 :]))

    def forget(self, key: int) -> None:
        """Its owner removed it, or it is back in the table."""
        self._places.pop(key, None)

    def clear(self) -> None:
        """What the table's own ``clear`` is meanwhile."""
        table = self._living_table()
        self._places.clear()
        _end(table)
        table.clear()

    def items(self) -> list[tuple[int, AnyHook]]:
        """The table's items with the parked ones in their old places, next to neighbours that are still there."""
        items = list(self._living_table().items())
        for key, place in self._places.items():
            items.insert(place.among([each for each, _ in items], key), (key, place.hook))
        return items

    def _living_table(self) -> Table:
        table = self._table()
        assert table is not None, "it hangs on the table"
        return table


def parked_in(table: object) -> Parked | None:
    """What was taken out of a table, None if nothing was."""
    if type(table) is not OrderedDict:
        return None
    found = vars(table).get(_REDUCE)
    return found if type(found) is Parked else None


def is_any_parked() -> bool:
    """Whether anything is parked in any table of this process."""
    return bool(_living)


def is_there(table: object, key: int) -> bool:
    """Whether a table has a hook under this key, parked or not."""
    parked = parked_in(table)
    return (isinstance(table, dict) and key in table) or (parked is not None and key in parked)


def all_items(table: dict[Any, AnyHook]) -> Iterator[tuple[Any, AnyHook]]:
    """Keys and values of a hook table, with what is parked in its old place."""
    parked = parked_in(table)
    yield from list(table.items()) if parked is None else parked.items()


def park(table: Table, key: int) -> None:
    """Take a hook out; its owner's handle still removes it, and a copy of the table has it."""
    parked = parked_in(table)
    if parked is None:
        parked = Parked(table)
        vars(table)[_REDUCE], vars(table)[_CLEAR] = parked, parked.clear
        _watch_handles(parked)
    parked.add(key)


def unpark(table: Table, key: int) -> None:
    """Put a hook back in its old place."""
    parked = parked_in(table)
    if parked is None or key not in parked:
        return
    items = parked.items()
    table[key] = parked.hook(key)
    keys = [each for each, _ in items]
    for following in keys[keys.index(key) + 1 :]:
        if following in table:
            table.move_to_end(following)
    drop(table, key)


def drop(table: Table, key: int) -> None:
    """Forget a parked hook for good."""
    parked = parked_in(table)
    if parked is not None:
        parked.forget(key)
        if not parked:
            _end(table)


def _end(table: Table) -> None:
    """The last parked hook is gone: the table is an ordinary one again."""
    vars(table).pop(_REDUCE, None)
    vars(table).pop(_CLEAR, None)


_remove: Callable[[RemovableHandle], None] = RemovableHandle.remove
_living: set[weakref.ref[Parked]] = set()
"""While there is anything parked in this process, handles are told of it."""


def _remove_parked_too(handle: RemovableHandle) -> None:
    """Remove the hook that this handle is for."""
    table: Any = handle.hooks_dict_ref()
    if parked_in(table) is not None:
        drop(table, handle.id)
    _remove(handle)


def _watch_handles(parked: Parked) -> None:
    _living.add(weakref.ref(parked, _forget))
    RemovableHandle.remove = _remove_parked_too  # type: ignore[method-assign,assignment]  # for as long as one is parked


def _forget(reference: weakref.ref[Parked]) -> None:
    _living.discard(reference)
    # Somebody who patched it after us calls ours, which then does what PyTorch's does.
    if not _living and RemovableHandle.remove is _remove_parked_too:
        RemovableHandle.remove = _remove  # type: ignore[method-assign,assignment]  # the original again
