"""Prints what capturing really takes beside what its own account says of it, over a while of training steps.

Run it with ``python -m tests.bench.account [seconds]``. One thread; the bare model is trained before and after
the watched one, not in turns with it: while it ran, the limit would let credit for captures collect.
"""

import copy
import sys
import time
from collections.abc import Callable

import torch
from torch import nn

import hookviz
from tests.bench.models import gpt, mlp, resnet

LIMIT = 0.05


def small_layers() -> tuple[nn.Module, torch.Tensor]:
    """Twenty linear layers of 64, batch 16: so little work that noticing a run shows."""
    return nn.Sequential(*(nn.Linear(64, 64) for _ in range(20))), torch.randn(16, 64)


MODELS: dict[str, Callable[[], tuple[nn.Module, torch.Tensor]]] = {
    "20 × Linear(64)": small_layers,
    "mlp": mlp,
    "resnet": resnet,
    "gpt": gpt,
}


def seconds_a_step(model: nn.Module, x: torch.Tensor, seconds: float) -> float:
    """What this thread computed for a step, on average over a while."""
    steps, began, started = 0, time.perf_counter(), time.thread_time()
    while time.perf_counter() - began < seconds:
        model.zero_grad(set_to_none=True)
        model(x).float().pow(2).mean().backward()
        steps += 1
    return (time.thread_time() - started) / steps


def row(make: Callable[[], tuple[nn.Module, torch.Tensor]], seconds: float, every: int | None) -> str:
    """What one model's training takes longer, and what the account says."""
    bare, x = make()
    model = copy.deepcopy(bare)
    seconds_a_step(bare, x, seconds / 10)
    before = seconds_a_step(bare, x, seconds / 4)
    with hookviz.watch(model, every=every, overhead=LIMIT) as session:
        watched = seconds_a_step(model, x, seconds)
        said, captured, seen = session.overhead_now, session.runs_captured, session.runs_seen
    after = seconds_a_step(bare, x, seconds / 4)
    really = 1 - (before + after) / 2 / watched
    return f"{1 / (1 - really):>8.3f}{really:>10.3f}{said:>10.3f}{captured:>8,}/{seen:<8,}"


def main(seconds: float) -> None:
    """Measure and print a table."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    sys.stdout.write(f"{'':<18}{'ratio':>8}{'share':>10}{'account':>10}{'captured/steps':>16}\n")
    for name, make in MODELS.items():
        for every in (None, 1):
            state = "default" if every is None else f"every={every}"
            sys.stdout.write(f"{name:<18}{row(make, seconds, every)}  {state}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
