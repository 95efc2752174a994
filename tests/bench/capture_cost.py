"""Prints what capturing costs: medians of a training step's time over that of the bare step next to it.

Run it with ``python -m tests.bench.capture_cost [pairs]``. One thread; bare and watched steps take turns,
so that a slow moment of the machine meets both. ``default`` also tells how many steps were captured.
"""

import copy
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

import hookviz
from tests.bench.by_hand import capture_by_hand
from tests.bench.models import gpt, mlp, resnet

MODELS: dict[str, Callable[[], tuple[nn.Module, torch.Tensor]]] = {"mlp": mlp, "resnet": resnet, "gpt": gpt}
STATES = ("closed", "paused", "between", "default", "every=1", "by hand")
"""``between`` two captures; ``by hand`` is what the shortest loop would take for ``every=1``."""

SELDOM = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """What was measured in one state."""

    median: float
    """Median of the ratios of neighbouring steps."""
    total: float
    """All watched steps over all bare ones: what a training would take longer."""
    captured: int
    steps: int


def step(model: nn.Module, x: torch.Tensor) -> float:
    """Seconds that this thread computed for one forward and backward pass; other programs do not count."""
    model.zero_grad(set_to_none=True)
    started = time.thread_time()
    model(x).float().pow(2).mean().backward()
    return time.thread_time() - started


def cost_of(state: str, bare: nn.Module, x: torch.Tensor, pairs: int) -> Cost:
    """The ratio of the watched step to the bare one."""
    model = copy.deepcopy(bare)
    by_hand = capture_by_hand(model) if state == "by hand" else []
    session = hookviz.watch(model, every={"every=1": 1, "between": SELDOM}.get(state))
    if state in ("closed", "by hand"):
        session.close()
    elif state == "paused":
        session.pause()
    for _ in range(3):
        step(bare, x)
        step(model, x)
    seen, captured = session.runs_seen, session.runs_captured
    times: list[tuple[float, float]] = []
    for number in range(pairs):
        by_hand.clear()
        if number % 2:
            watched, alone = step(model, x), step(bare, x)
        else:
            alone, watched = step(bare, x), step(model, x)
        times.append((watched, alone))
    captured = session.runs_captured - captured
    steps = session.runs_seen - seen
    session.close()
    return Cost(
        statistics.median(watched / alone for watched, alone in times),
        sum(watched for watched, _ in times) / sum(alone for _, alone in times),
        captured,
        steps,
    )


def main(pairs: int) -> None:
    """Measure and print a table."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    out = sys.stdout
    out.write(f"{'':<10}" + "".join(f"{name:>26}" for name in MODELS) + "\n")
    models = {name: make() for name, make in MODELS.items()}
    for state in STATES:
        out.write(f"{state:<10}")
        for name, (model, x) in models.items():
            cost = cost_of(state, model, x, pairs * 10 if name == "mlp" else pairs)
            out.write(f"{cost.median:>10.3f} (Σ {cost.total:.3f}, {cost.captured:>3}/{cost.steps:<3})")
            out.flush()
        out.write("\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
