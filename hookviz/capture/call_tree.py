"""Which calls of a run were made within which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hookviz.capture.call import ModuleCall


class CallTree:
    """The calls of one run by the call that they were made in."""

    def __init__(self, calls: Iterable[ModuleCall]) -> None:
        self._inside: dict[int, list[ModuleCall]] = {}
        above: list[ModuleCall] = []
        for call in calls:
            del above[call.depth :]
            if above:
                self._inside.setdefault(above[-1].order, []).append(call)
            above.append(call)

    def inside(self, call: ModuleCall) -> list[ModuleCall]:
        """The calls that it made itself, in order."""
        return self._inside.get(call.order, [])

    def all_of(self, calls: Iterable[ModuleCall]) -> Iterator[ModuleCall]:
        """These calls and all within them, each once."""
        waiting = list(calls)
        seen: set[int] = set()
        while waiting:
            call = waiting.pop()
            if call.order not in seen:
                seen.add(call.order)
                waiting += self.inside(call)
                yield call
