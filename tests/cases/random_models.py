"""Models put together at random, and what they compute worked out by hand, one number at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from hypothesis import strategies as st
from torch import Tensor, nn

SHAPE = (2, 4)
SIZE = 8
"""Numbers in each value of a random model."""

Kind = Literal[
    "layer", "again", "shared", "reshape", "halves", "add", "double_", "double_half_", "block", "fork", "drop"
]


@dataclass(frozen=True)
class Line:
    """One line of a forward: what is done with which of the values so far, counted from the last."""

    kind: Kind
    first: int
    second: int
    times: int = 1
    factor: int = 2
    block: "tuple[Line, ...]" = ()


def programs(depth: int) -> st.SearchStrategy[tuple[Line, ...]]:
    """Forwards with blocks in blocks down to a depth."""
    back = st.integers(0, 3)
    kinds: tuple[Kind, ...] = (
        "layer",
        "again",
        "shared",
        "reshape",
        "halves",
        "add",
        "double_",
        "double_half_",
        "drop",
    )
    any_line = st.builds(Line, st.sampled_from(kinds), back, back, st.integers(1, 3), st.sampled_from([-1, 1, 2]))
    if depth > 0:
        nested = st.sampled_from(["block", "fork"])
        any_line |= st.builds(Line, nested, back, back, st.integers(1, 2), st.just(1), programs(depth - 1))
    # A block begins with a layer, so that it has an inside.
    return st.lists(any_line, max_size=5).map(lambda rest: (Line("layer", 0, 0), *rest))


class Scaled(nn.Module):
    """Keeps nothing for backward, so that what it was given may be overwritten."""

    def __init__(self, factor: int) -> None:
        super().__init__()
        self.factor = factor
        self.bias = nn.Parameter(torch.arange(4, dtype=torch.float64))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor + self.bias


class Block(nn.Module):
    """Runs its lines; gives the last value, or with ``forks`` the last two in a dict and a tuple."""

    def __init__(self, lines: tuple[Line, ...], shared: Scaled, *, forks: bool = False) -> None:
        super().__init__()
        self.lines = lines
        self.forks = forks
        self.shared = shared
        self.layers = nn.ModuleList([Scaled(line.factor) for line in lines if line.kind == "layer"])
        self.blocks = nn.ModuleDict(
            {
                f"at{place}": Block(line.block, shared, forks=line.kind == "fork")
                for place, line in enumerate(lines)
                if line.kind in {"block", "fork"}
            }
        )

    def forward(self, x: Tensor) -> Any:
        values = [x]
        layers = iter(self.layers)
        for place, line in enumerate(self.lines):
            first, second = pick(values, line.first), pick(values, line.second)
            match line.kind:
                case "layer":
                    layer = next(layers)
                    for _ in range(line.times):
                        first = layer(first)
                    values.append(first)
                case "again":
                    values.append(self.layers[0](first))
                case "shared":
                    values.append(self.shared(first))
                case "block":
                    for _ in range(line.times):
                        first = self.blocks[f"at{place}"](first)
                    values.append(first)
                case "fork":
                    forked = self.blocks[f"at{place}"](first)
                    values += [forked["all"][1], forked["last"]]
                case "drop":
                    # A module of which nothing is used.
                    self.shared(first)
                case _:
                    values += _operation(line.kind, first, second)
        return {"last": values[-1], "all": (values[-1], pick(values, 1))} if self.forks else values[-1]


def _operation(kind: Kind, first: Tensor, second: Tensor) -> list[Tensor]:
    match kind:
        case "reshape":
            return [first.view(-1).unsqueeze(0).view(SHAPE)]
        case "halves":
            left, right = first.split(2, dim=1)
            return [torch.cat([right, left], dim=1)]
        case "add":
            return [first + second]
        case "double_":
            first.mul_(2)
        case "double_half_":
            first[:1].mul_(2)
    return []


def model_of(lines: tuple[Line, ...]) -> Block:
    """The model that runs these lines."""
    return Block(lines, Scaled(2))


def pick(values: Sequence[Any], back: int) -> Any:
    """One of the values so far, counted from the last."""
    return values[max(len(values) - 1 - back, 0)]


@dataclass
class Tape:
    """Numbers, and of which others each is a multiple."""

    values: list[float] = field(default_factory=list)
    sources: list[tuple[tuple[int, int], ...]] = field(default_factory=list)

    def write(self, value: float, *sources: tuple[int, int]) -> int:
        """A new number; the sources are pairs of a number and its factor."""
        self.values.append(value)
        self.sources.append(sources)
        return len(self.values) - 1

    def multiple(self, number: int, factor: int, more: float = 0.0) -> int:
        """A new number that is a multiple of another, and a constant."""
        return self.write(self.values[number] * factor + more, (number, factor))

    def gradients(self, weights: dict[int, float]) -> list[float]:
        """The derivative of the weighted sum by each number."""
        found = [weights.get(number, 0.0) for number in range(len(self.values))]
        for number in reversed(range(len(found))):
            for source, factor in self.sources[number]:
                found[source] += factor * found[number]
        return found


@dataclass
class Memory:
    """What the views of one tensor share."""

    numbers: list[int]
    writers: list[str]
    """Who wrote each of them."""
    views: "list[TrueTensor]" = field(default_factory=list)


@dataclass
class TrueTensor:
    """A tensor: all of its memory, or a view of all of it, which autograd knows as a tensor of its own."""

    tape: Tape
    memory: Memory
    own: list[int] | None = None

    @property
    def numbers(self) -> list[int]:
        """Its numbers on the tape as they are now."""
        return self.memory.numbers if self.own is None else self.own

    def view(self) -> "TrueTensor":
        """Another tensor on the same memory."""
        made = TrueTensor(self.tape, self.memory, [self.tape.multiple(number, 1) for number in self.numbers])
        self.memory.views.append(made)
        return made

    def double(self, places: Iterable[int], writer: str) -> None:
        """Overwrite some of the numbers: all views have new ones then."""
        chosen, memory = set(places), self.memory
        memory.numbers = [self.tape.multiple(n, 2 if at in chosen else 1) for at, n in enumerate(memory.numbers)]
        memory.writers = [writer if at in chosen else before for at, before in enumerate(memory.writers)]
        for view in memory.views:
            view.own = [self.tape.multiple(number, 1) for number in memory.numbers]


@dataclass(frozen=True)
class Moment:
    """The numbers of a tensor when it passed a module, and those of its memory."""

    numbers: tuple[int, ...]
    memory: tuple[int, ...]


def moment(tensor: TrueTensor) -> Moment:
    """A tensor as it is now."""
    return Moment(tuple(tensor.numbers), tuple(tensor.memory.numbers))
