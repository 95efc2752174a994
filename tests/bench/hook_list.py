"""Prints how long it takes to list the hooks of a large model, and to switch 1,000 of them.

Run it with ``python -m tests.bench.hook_list``. The best of several tries, in milliseconds.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

from torch import nn

import hookviz
from hookviz.hooks.hook import Hook

TRIES = 7
BLOCKS = 105
SWITCHED = 1000


def large() -> nn.Sequential:
    """631 modules with 630 parameters."""
    return nn.Sequential(
        *(
            nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 4), nn.Dropout())
            for _ in range(BLOCKS)
        )
    )


def look(*_: object) -> None:
    """A hook that only looks."""


def milliseconds(action: Callable[[], object]) -> float:
    """How long it takes once."""
    started = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - started)


def best(action: Callable[[], object]) -> float:
    """Milliseconds of the fastest try."""
    return min(milliseconds(action) for _ in range(TRIES))


def main() -> None:
    """Measure a model without hooks and one with two on each module."""
    out = sys.stdout
    model = large()
    session = hookviz.watch(model)
    out.write(f"{len(session.paths())} modules without hooks: list {best(lambda: session.hooks):.1f} ms\n")
    for module in model.modules():
        module.register_forward_hook(look)
        module.register_full_backward_hook(look)
    listed, looked = best(lambda: session.hooks), best(lambda: session.hooks_version)
    out.write(f"with {len(session.hooks)} hooks: list {listed:.1f} ms, see whether it changed {looked:.1f} ms\n")
    hooks = session.hooks[:SWITCHED]
    for way, switch in (("one by one", one_by_one), ("at once", session.switch_hooks)):
        off, on = (milliseconds(partial(switch, hooks, on=is_on)) for is_on in (False, True))
        out.write(f"{len(hooks)} hooks {way}: off {off:.1f} ms, on {on:.1f} ms\n")


def one_by_one(hooks: list[Hook], *, on: bool) -> None:
    """As somebody does who loops over the list."""
    for hook in hooks:
        if on:
            hook.enable()
        else:
            hook.disable()


if __name__ == "__main__":
    main()
