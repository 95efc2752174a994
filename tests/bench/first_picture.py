"""Prints the time from ``watch()`` to the picture, before and after the first run: medians of five.

Run it with ``python -m tests.bench.first_picture``.
"""

import gc
import statistics
import sys
import time

import torch

import hookviz
from tests.bench.models import five_thousand, gpt, resnet

REPEATS = 5
MODELS = {
    "ResNet-18": resnet,
    "GPT, 48 layers": lambda: gpt(layers=48, width=64, length=16, batch=1),
    "5,000 modules": five_thousand,
}


def seconds_of(name: str) -> tuple[int, float, float]:
    """Number of modules, time to the structure-only picture, and time of the run with the picture after it."""
    model, x = MODELS[name]()
    started = time.perf_counter()
    session = hookviz.watch(model)
    session.svg()
    before_run = time.perf_counter() - started
    session.close()
    session = hookviz.watch(model)
    with torch.no_grad():
        model(x)
        bare = time.perf_counter()
        session.svg()
        after_run = time.perf_counter() - bare
    session.close()
    return len(list(model.modules())), before_run, after_run


def main() -> None:
    """Measure and print a table."""
    seconds_of("ResNet-18")  # the first picture of a process loads the layout engine
    out = sys.stdout
    out.write(f"{'model':<16}{'modules':>8}{'watch → svg':>14}{'svg after run':>15}\n")
    for name in MODELS:
        rows = []
        for _ in range(REPEATS):
            gc.collect()
            rows.append(seconds_of(name))
        before, after = (statistics.median(row[place] for row in rows) for place in (1, 2))
        out.write(f"{name:<16}{rows[0][0]:>8,}{before:>12.3f} s{after:>13.3f} s\n")


if __name__ == "__main__":
    main()
