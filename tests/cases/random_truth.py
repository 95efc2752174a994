"""What a random model does, worked out without running it: calls, values, gradients and edges."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.cases.random_models import SIZE, Line, Memory, Moment, Tape, TrueTensor, moment, pick
from tests.folded import Edges

BIAS = (0.0, 1.0, 2.0, 3.0) * 2
UPPER_HALF = (0, 1, 2, 3)
SWAPPED = (2, 3, 0, 1, 6, 7, 4, 5)


@dataclass
class TrueCall:
    """One call of a module: its path, what went in and what came out, in the order of the tensors."""

    path: str
    input: Moment
    outputs: tuple[Moment, ...] = ()


@dataclass
class Truth:
    """Filled by ``run``."""

    tape: Tape = field(default_factory=Tape)
    calls: list[TrueCall] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    biases: dict[str, list[int]] = field(default_factory=dict)
    """The numbers that a layer gave, of each of which its bias is a part."""

    def start(self, values: list[float]) -> TrueTensor:
        """The input of the model."""
        return TrueTensor(self.tape, Memory([self.tape.write(value) for value in values], ["input:x"] * SIZE))

    def block(self, lines: tuple[Line, ...], path: str, x: TrueTensor, *, forks: bool = False) -> Any:
        """One call of a block."""
        call = TrueCall(path, moment(x))
        self.calls.append(call)
        site = f"{path}:{len(self.calls)}"
        values = [x]
        prefix = f"{path}." if path else ""
        layers = (f"{prefix}layers.{number}" for number in range(len(lines)))
        for place, line in enumerate(lines):
            first, second = pick(values, line.first), pick(values, line.second)
            match line.kind:
                case "layer":
                    layer = next(layers)
                    for _ in range(line.times):
                        first = self.layer(layer, line.factor, first)
                    values.append(first)
                case "again":
                    values.append(self.layer(f"{prefix}layers.0", lines[0].factor, first))
                case "shared":
                    values.append(self.layer("shared", 2, first))
                case "block":
                    for _ in range(line.times):
                        first = self.block(line.block, f"{prefix}blocks.at{place}", first)
                    values.append(first)
                case "fork":
                    last, before = self.block(line.block, f"{prefix}blocks.at{place}", first, forks=True)
                    values += [before, last]
                case "drop":
                    self.layer("shared", 2, first)
                case _:
                    values += self.operation(line.kind, site, first, second)
        last, before = values[-1], pick(values, 1)
        call.outputs = (moment(last), moment(last), moment(before)) if forks else (moment(last),)
        return (last, before) if forks else last

    def layer(self, path: str, factor: int, x: TrueTensor) -> TrueTensor:
        """One call of a layer."""
        call = TrueCall(path, moment(x))
        self.calls.append(call)
        numbers = [self.tape.multiple(n, factor, more) for n, more in zip(x.numbers, BIAS, strict=True)]
        self.biases.setdefault(path, []).extend(numbers)
        made = TrueTensor(self.tape, Memory(numbers, [f"module:{path}"] * SIZE))
        self.edges += [(writer, f"module:{path}") for writer in x.memory.writers]
        call.outputs = (moment(made),)
        return made

    def operation(self, kind: str, site: str, first: TrueTensor, second: TrueTensor) -> list[TrueTensor]:
        """What is done in the forward of a block itself."""
        tape = self.tape
        match kind:
            case "reshape":
                return [first.view()]
            case "halves":
                node = self.node(site, "cat", first.memory.writers)
                numbers = [tape.multiple(first.numbers[at], 1) for at in SWAPPED]
                return [TrueTensor(tape, Memory(numbers, [node] * SIZE))]
            case "add":
                node = self.node(site, "add", first.memory.writers + second.memory.writers)
                pairs = zip(first.numbers, second.numbers, strict=True)
                numbers = [tape.write(tape.values[a] + tape.values[b], (a, 1), (b, 1)) for a, b in pairs]
                return [TrueTensor(tape, Memory(numbers, [node] * SIZE))]
            case "double_" | "double_half_":
                places = range(SIZE) if kind == "double_" else UPPER_HALF
                node = self.node(site, "mul", [first.memory.writers[at] for at in places])
                first.double(places, node)
        return []

    def node(self, site: str, name: str, writers: list[str]) -> str:
        """A new node of an operation in one call of a block, fed by what these wrote."""
        node = f"op:{site}:{name}:{len(self.edges)}"
        self.edges += [(writer, node) for writer in writers]
        return node


def true_edges(truth: Truth, output: TrueTensor) -> Edges:
    """Who fed whom. Operations that reach nothing are left out.

    The others are numbered within one call of their block, so that further calls lead to the same nodes.
    """
    edges = [*truth.edges, *((writer, "output") for writer in output.memory.writers)]
    while True:
        sources = {source for source, _ in edges}
        kept = [edge for edge in edges if not edge[1].startswith("op:") or edge[1] in sources]
        if kept == edges:
            break
        edges = kept
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for _, target in edges:
        if target.startswith("op:") and target not in names:
            _, path, call, name, _ = target.split(":")
            names[target] = f"op:{path}:{name}:{counts[f'{call}:{name}']}"
            counts[f"{call}:{name}"] += 1
    return {(names.get(source, source), names.get(target, target)) for source, target in edges}
