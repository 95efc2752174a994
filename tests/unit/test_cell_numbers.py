"""A hook that was written in a notebook says in which cell."""

import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from hookviz.hooks import origin
from hookviz.magic.extension import load_ipython_extension, unload_ipython_extension
from hookviz.session import watch
from tests.hooked import model_of


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setattr(origin, "_cells", origin._Cells())
    # A shell puts a module of its own in the place of __main__, from which no process can be spawned.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    config = Config()
    # Its thread would outlive the test.
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=config)
    load_ipython_extension(shell)
    yield shell
    unload_ipython_extension(shell)
    shell.reset(new_session=False)
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("magic", ["", "%%hookviz model\n"])
def test_a_hook_of_a_cell_says_its_number_and_line(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, magic: str
) -> None:
    # So does a notebook's kernel name what it compiles.
    monkeypatch.setattr(shell.compile, "get_code_name", lambda *_: "/var/ipykernel_7/99.py")
    shell.user_ns["model"] = model = model_of()
    shell.execution_count = 5

    shell.run_cell(
        f"{magic}import torch\ndef clip(*_): ...\n_ = model[0].register_forward_hook(clip)", store_history=True
    )

    (hook,) = watch(model).hooks
    assert (hook.label, hook.source, hook.owner) == ("clip", "In [5]:2", "user")
