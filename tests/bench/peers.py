"""Prints, as a table in Markdown, what a training step costs under hookviz and under other tools.

    python -m tests.bench.peers [--seconds 20] [--write README.md]

Each tool is measured in a process of its own, since some of them change torch for good: the bare step and the
step with the tool take turns, and the table has the median of the ratios of neighbours. One thread. A tool that
is not installed, or that fails, is told as such. ``--write`` puts the table between two comments of that file.
"""

import argparse
import copy
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from tests.bench.models import gpt, mlp, resnet
from tests.bench.peer_steps import STEPS, Step, bare_step

MODELS: dict[str, Callable[[], tuple[nn.Module, torch.Tensor]]] = {"mlp": mlp, "resnet": resnet, "gpt": gpt}
PACKAGES = {
    "nnsight 'cache'": "nnsight",
    "TransformerLens 'get_caching_hooks'": "transformer-lens",
    "torch-module-monitor": "torch-module-monitor",
    "wandb.watch": "wandb",
    "nansense": "nansense",
    "torchlens": "torchlens",
}
"""The packages behind the names, for their versions."""
WARM_UP_STEPS = 3
LONGER = 3
"""So much longer hookviz is measured: it spaces its captures, and looks closer at the first ones of a training."""
FEWEST_PAIRS = 12
BEGIN, END = "<!-- costs: written by python -m tests.bench.peers --write README.md -->", "<!-- end of costs -->"


def seconds_of(step: Step) -> float:
    """How long one step takes."""
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def ratio(tool: str, model: str, seconds: float) -> tuple[float, float, int]:
    """Median of the ratios of neighbouring steps, ratio of all to all, and pairs."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    bare, x = MODELS[model]()
    watched = STEPS[tool](copy.deepcopy(bare), x)
    alone = bare_step(bare, x)
    for _ in range(WARM_UP_STEPS):
        alone()
        watched()
    pairs: list[tuple[float, float]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(pairs) < FEWEST_PAIRS:
        if len(pairs) % 2:
            with_tool, without = seconds_of(watched), seconds_of(alone)
        else:
            without, with_tool = seconds_of(alone), seconds_of(watched)
        pairs.append((with_tool, without))
    every = [with_tool / without for with_tool, without in pairs]
    return statistics.median(every), sum(pair[0] for pair in pairs) / sum(pair[1] for pair in pairs), len(pairs)


def cell(tool: str, model: str, seconds: float) -> str:
    """The text in the table for one tool and model, measured in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.peers", "--one", tool, model, "--seconds", str(seconds)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        sys.stderr.write(f"{tool}, {model}: {reason}\n")
        return "not installed" if "ModuleNotFoundError" in reason else "fails"
    median, total, pairs = json.loads(done.stdout.splitlines()[-1])
    sys.stderr.write(f"{tool}, {model}: median {median:.3f}, sums {total:.3f}, {pairs} pairs\n")
    # Captures of the default are few, so that no median sees them: there, the sums are what a training feels.
    shown = total if tool == "hookviz, default" else median
    return f"{shown:.2f}" if shown < 10 else f"{shown:.0f}"


def machine() -> str:
    """The processor, its cores, torch, Python and the system."""
    described = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.partition(":")[2].strip() for line in described.splitlines() if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    versions = f"torch {torch.__version__}, Python {platform.python_version()}, {platform.system()}"
    return f"{processor}, {os.cpu_count()} cores, of which one is used; {versions}"


def named(tool: str) -> str:
    """The tool's name in Markdown, with its version."""
    text = tool.replace("'", "`")
    try:
        return f"{text} {importlib.metadata.version(PACKAGES[tool])}" if tool in PACKAGES else text
    except importlib.metadata.PackageNotFoundError:
        return text


def table(seconds: float) -> str:
    """All tools over all models."""
    lines = ["| step with | " + " | ".join(MODELS) + " |", "|---" * (len(MODELS) + 1) + "|"]
    for tool in STEPS:
        length = LONGER * seconds if tool.startswith("hookviz") else seconds
        lines.append(f"| {named(tool)} | " + " | ".join(cell(tool, model, length) for model in MODELS) + " |")
    return "\n".join(lines) + f"\n\n{machine()}.\n"


def main() -> None:
    """Measure one pair of tool and model, or print and write the whole table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("TOOL", "MODEL"), help="measure only this, and print JSON")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each pair of tool and model is measured")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the table between the two comments of this file"
    )
    given = parser.parse_args()
    if given.one:
        tool, model = given.one
        measured = ratio(tool, model, given.seconds)
        sys.stdout.write(json.dumps(measured) + "\n")
        # Some tools hold threads that wait for a browser.
        sys.stdout.flush()
        os._exit(0)
    text = table(given.seconds)
    sys.stdout.write(text)
    if given.write:
        before, _, rest = given.write.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        given.write.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
