"""What several files of unit tests are given."""

import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from torch import nn
from traitlets.config import Config

from hookviz.magic.extension import load_ipython_extension, unload_ipython_extension
from hookviz.session import Session, watch
from hookviz.widget import updates as updates_file
from hookviz.widget import widget
from hookviz.widget.presentation import presentation_of
from tests.asker import Asker
from tests.live_picture import Clock, Picture

SETUP = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
models = {"a b": model}
x = torch.ones(1, 2)
"""


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    """IPython without a notebook, with the magics loaded and a model at hand."""
    config = Config()
    # Its thread would outlive the test.
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    # A shell puts a module of its own in the place of __main__, from which no process can be spawned.
    main = sys.modules["__main__"]
    shell = InteractiveShell.instance(config=config)
    load_ipython_extension(shell)
    shell.run_cell(SETUP).raise_error()
    yield shell
    unload_ipython_extension(shell)
    shell.reset(new_session=False)
    InteractiveShell.clear_instance()
    sys.modules["__main__"] = main


@pytest.fixture
def session(model: nn.Module) -> Iterator[Session]:
    """The session of the model that a file of tests has, which captures each run."""
    with watch(model, every=1) as session:
        yield session


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something in the bundle's place, whose inside is the front end's affair: it need not be built."""
    monkeypatch.setattr(widget, "read_bundle", lambda: ("export default {}", ""))


@pytest.fixture
def ask(session: Session) -> Asker:
    """What asks the session's presentation."""
    return Asker(presentation_of(session))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(updates_file, "time", clock)
    return clock


@pytest.fixture
def picture(clock: Clock) -> Picture:
    return Picture(clock)
