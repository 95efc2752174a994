"""Whether memory grows: many steps of a tiny model, watched, with hooks of several kinds on it.

Run ``python -m tests.bench.leak [steps]``. It prints what the process holds, in MB, after each twentieth of
the steps, for a model whose every step is captured. After the first twentieth the figure should stand still.
"""

import gc
import os
import sys
import time
from pathlib import Path

import torch
from torch import Tensor, nn

import hookviz

STEPS = 100_000
REPORTS = 20
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident_mb() -> float:
    """Memory of this process that is in use, from Linux's own account."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * PAGE / 2**20


def halve(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * 0.5


def look(*_: object) -> None:
    """A hook that changes nothing."""


def main(steps: int) -> None:
    """Train and report."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    model[0].register_forward_hook(look)
    model[1].register_forward_hook(look)
    model[2].register_full_backward_hook(look)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    # It requires a gradient and lives as long as the training: what stayed on it would pile up.
    x = torch.randn(8, 4, requires_grad=True)
    session = hookviz.watch(model, every=1, inputs=True)
    session.hook("0", "forward", halve)
    next(hook for hook in session.hooks if hook.path == "1").disable()
    out = sys.stdout
    out.write(f"{'steps':>8} {'MB':>8} {'objects':>9} {'hooks on x':>10} {'seconds':>8}\n")
    started = time.perf_counter()
    for step in range(steps + 1):
        if step % max(1, steps // REPORTS) == 0:
            gc.collect()
            hooks = len(x._backward_hooks or ())
            elapsed = time.perf_counter() - started
            out.write(f"{step:8} {resident_mb():8.1f} {len(gc.get_objects()):9} {hooks:10} {elapsed:8.1f}\n")
            out.flush()
        optimizer.zero_grad()
        model(x).square().sum().backward()
        optimizer.step()
    session.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS)
