"""The check that runs after every test does see what it is for."""

import threading

import pytest
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.overrides import TorchFunctionMode

from tests.left_behind import left_behind


def test_nothing_left_is_an_empty_list() -> None:
    assert left_behind(threading.enumerate()) == []


def test_a_global_hook_is_seen() -> None:
    handle = register_module_forward_hook(lambda module, args, output: None)

    found = left_behind(threading.enumerate())
    handle.remove()

    assert len(found) == 1
    assert found[0].startswith("global hooks in torch.nn.modules.module._global_forward_hooks: ")


def test_an_active_mode_is_seen() -> None:
    with TorchFunctionMode() as mode:
        found = left_behind(threading.enumerate())

    assert found == [f"an active mode: {mode!r}"]


def test_a_patched_module_class_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(nn.Module, "_compiled_call_impl", print)
        patch.setattr(nn.Module, "__call__", print)
        found = left_behind(threading.enumerate())

    assert found == ["nn.Module.__call__ is replaced", "the class nn.Module carries a call seam"]


def test_a_thread_that_goes_on_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.left_behind.PATIENCE_SECONDS", 0.1)
    before = threading.enumerate()
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()

    found = left_behind(before)
    end.set()
    thread.join()

    assert found == ["a thread: forgotten"]
