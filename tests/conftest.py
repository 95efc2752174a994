"""What holds for every test: it leaves nothing behind."""

import gc
import math
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import hookviz

# So that tests find ``tests.models``; at the end, since ``hookviz`` is to be the installed one.
sys.path.append(str(Path(__file__).parents[1]))

from tests.left_behind import left_behind


@pytest.fixture(scope="module", autouse=True)
def garbage_is_looked_for_among_the_new() -> None:
    """What was there before a file's tests is set aside: to go through all of PyTorch takes a third of a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def a_busy_machine_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left for later where it takes too long is done at once; the tests of that have limits of their own."""
    monkeypatch.setattr("hookviz.health.checkup.CREDIT_SECONDS", math.inf)
    monkeypatch.setattr("hookviz.widget.shown.GRACE_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    threads = set(threading.enumerate())

    yield

    assert left_behind(threads) == []


def pytest_report_header() -> str:
    return f"hookviz: {next(iter(hookviz.__path__))}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.notebook)
