"""What makes other code of a model: compilers, tracers, exports, scripts, quantization."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from tests.cases.modules import leaf
from tests.cases.watching import Results, step


@contextmanager
def fresh_compiler() -> Iterator[None]:
    torch._dynamo.reset()
    try:
        yield
    finally:
        torch._dynamo.reset()


def compiled_whole(model: nn.Module, x: Tensor) -> Results:
    with fresh_compiler():
        # Whether it still exists is what a session can know of it.
        x.compiled = fast = torch.compile(model, backend="aot_eager")  # type: ignore[attr-defined]  # tensors take any
        return [*step(fast, x), *step(fast, x)]  # type: ignore[arg-type]  # it is called as a module is


def compiled_in_place(model: nn.Module, x: Tensor) -> Results:
    with fresh_compiler():
        model.compile(backend="aot_eager")
        return [*step(model, x), *step(model, x)]


def compiled_part(model: nn.Module, x: Tensor) -> Results:
    with fresh_compiler():
        model[1] = torch.compile(model[1], backend="aot_eager")  # type: ignore[index, operator]  # a Sequential
        return [*step(model, x), *step(model, x)]


def compiled_part_in_place(model: nn.Module, x: Tensor) -> Results:
    with fresh_compiler():
        model[1].compile(backend="aot_eager")  # type: ignore[index]  # a Sequential
        return [*step(model, x), *step(model, x)]


def traced(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    script: Any = torch.jit.trace(model, x.detach())
    return [script(x), *step(model, x)]


def exported(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    program = torch.export.export(model, (x.detach(),))
    return [[node.op for node in program.graph.nodes], program.module()(x.detach()), *step(model, x)]


def quantized() -> tuple[nn.Module, Tensor]:
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
    return torch.ao.quantization.quantize_dynamic(model, {nn.Linear}), torch.randn(2, 3)


def scripted_part() -> tuple[nn.Module, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), torch.jit.script(nn.Sequential(nn.Tanh(), nn.Linear(3, 3)))), leaf(2, 3)
