"""The number of each card and box that a picture is coloured by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from torch import nn

from hookviz.capture.call import NO_BACKWARD, ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.cost import TRACED, Costs
from hookviz.capture.run import Run
from hookviz.graph.colour_by import ColourBy
from hookviz.graph.colouring import Colouring, colouring_of
from hookviz.graph.counts import count_parameters
from hookviz.graph.graph import Graph

NO_RUN = "run the model to see it"
OUTPUTS_OFF = "outputs are not captured"

Find = Callable[[str], nn.Module | None]
"""Gives the module at a path."""


def colouring_by(graph: Graph, by: ColourBy, run: Run | None, find: Find) -> Colouring:
    """The colouring of a picture by what a captured run tells.

    Args:
        graph: The picture; modules are coloured, operations are not.
        by: The number.
        run: The run; None before the first.
        find: Gives the module at a path.
    """
    cards = {node.id: node.members or (node.path,) for node in graph.nodes if node.kind == "module"}
    boxes = {group.id: (group.path,) for group in graph.groups}
    measuring = None if run is None else _Measuring(run, find)
    measure = _parameters(find) if by == "parameters" else _none if measuring is None else measuring.by(by)
    numbers = {node_id: number for node_id, paths in (cards | boxes).items() if (number := measure(paths)) is not None}
    return colouring_of(
        by,
        {node_id: numbers[node_id] for node_id in cards if node_id in numbers},
        {node_id: numbers[node_id] for node_id in boxes if node_id in numbers},
        note=NO_RUN if run is None else {"time": TRACED, "gradient": NO_BACKWARD}.get(by, OUTPUTS_OFF),
        is_about=measuring is not None and measuring.is_about,
    )


_Number = Callable[[Sequence[str]], float | None]
"""Gives the number of what stands for the modules at these paths; None where there is none."""


def _none(_paths: Sequence[str]) -> None:
    """Nothing ran."""


def _parameters(find: Find) -> _Number:
    def number(paths: Sequence[str]) -> float | None:
        return count_parameters(module for path in paths if (module := find(path)) is not None)

    return number


class _Measuring:
    """Measures what one run brought."""

    def __init__(self, run: Run, find: Find) -> None:
        self._run = run
        self._find = find
        self._costs = Costs(run)
        self.is_about = False
        """Whether some number was estimated."""

    def by(self, by: ColourBy) -> _Number:
        match by:
            case "time":
                return self._time
            case "memory":
                return self._memory
            case "gradient":
                return lambda paths: self._largest(paths, _gradient_norms)
            case "zeros":
                return lambda paths: self._largest(paths, self._shares_of_zeros)
            case _:
                return lambda paths: self._largest(paths, _scales)

    def _time(self, paths: Sequence[str]) -> float | None:
        seconds = [call.forward_seconds for call in self._calls(paths)]
        known = [one for one in seconds if one is not None]
        return sum(known) if known and len(known) == len(seconds) else None

    def _memory(self, paths: Sequence[str]) -> float | None:
        calls = self._calls(paths)
        return self._costs.bytes_of(calls) if calls else None

    def _largest(self, paths: Sequence[str], of_call: Callable[[ModuleCall], Iterable[float]]) -> float | None:
        numbers = [number for call in self._costs.tree.all_of(self._calls(paths)) for number in of_call(call)]
        # max() would give NaN or not, by their order.
        return next(filter(math.isnan, numbers), max(numbers, default=None))

    def _shares_of_zeros(self, call: ModuleCall) -> Iterable[float]:
        for capture in _captured(call.output_captures):
            summary = capture.summary
            if summary.zeros is not None and summary.numel:
                self.is_about |= summary.zeros_sampled
                yield summary.zeros / summary.numel

    def _calls(self, paths: Iterable[str]) -> list[ModuleCall]:
        """The calls of these modules; of one that is only a place for others, those of the modules in it."""
        found: dict[int, ModuleCall] = {}
        for path in paths:
            module = self._find(path)
            calls = [] if module is None else self._run.of_module(id(module))
            if module is not None and not calls:
                calls = self._calls(f"{path}.{name}" if path else name for name in module._modules)
            found |= {call.order: call for call in calls}
        return list(found.values())


def _scales(call: ModuleCall) -> Iterable[float]:
    for capture in _captured(call.output_captures):
        moments = capture.moments
        if moments.norm is not None and moments.count:
            yield moments.norm / math.sqrt(moments.count)


def _gradient_norms(call: ModuleCall) -> Iterable[float]:
    for capture in _captured(call.output_gradients()):
        if capture.moments.norm is not None:
            yield capture.moments.norm


def _captured(captures: Iterable[Capture | None]) -> Iterable[Capture]:
    return (capture for capture in captures if capture is not None)
