"""Cases: what hooks and capturing must get right, each drawn from a public report or from an experiment.

The docstring of a test tells the report that it goes back to, and the number of the case, C01 and up;
numbers stay when cases move, and have gaps. "An experiment" without a number is a case that joined later.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import distributed


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.fixture
def process_group(tmp_path: Path) -> Iterator[None]:
    """A group of this process alone."""
    distributed.init_process_group("gloo", init_method=f"file://{tmp_path / 'rendezvous'}", rank=0, world_size=1)
    yield
    distributed.destroy_process_group()
