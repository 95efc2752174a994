"""A run that fails is recorded as far as it went; a fault of ours ends no run."""

import traceback
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.models import fc, row, wired
from tests.views import at


def failing(error: BaseException) -> Any:
    def wiring(model: nn.Module, value: torch.Tensor) -> torch.Tensor:
        if value.sum() > 100:
            raise error
        return value

    return nn.Sequential(fc(), nn.Sequential(wired(wiring)))


def big() -> torch.Tensor:
    return torch.full((1, 4), 1e6)


@pytest.fixture
def breaking() -> tuple[nn.Module, BaseException]:
    error = ValueError("too large\nby far")
    model = failing(error)
    nn.init.ones_(model[0].weight)
    return model, error


def test_the_failing_module_and_the_text_are_told_and_what_came_before_is_there(
    breaking: tuple[nn.Module, BaseException],
) -> None:
    model, error = breaking
    session = watch(model)

    with pytest.raises(ValueError, match="too large") as caught:
        model(big())

    assert caught.value is error
    assert session.run is not None
    assert (session.run.failed_path, session.run.exception) == ("1.0", "ValueError: too large")
    assert at(session, "0").output.summary.shape == (1, 4)


def test_the_traceback_below_the_first_call_has_no_frame_of_ours(breaking: tuple[nn.Module, BaseException]) -> None:
    model, _ = breaking
    session = watch(model)

    with pytest.raises(ValueError, match="too large") as caught:
        model(big())

    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    below = files[next(i for i, file in enumerate(files) if file.endswith("container.py")) :]
    assert [file for file in below if "/hookviz/" in file] == []
    assert session.is_open


def test_after_an_interrupt_the_next_run_is_whole() -> None:
    model = failing(KeyboardInterrupt())
    nn.init.ones_(model[0].weight)
    session = watch(model, every=1)
    with pytest.raises(KeyboardInterrupt):
        model(big())

    model(row())

    assert session.run is not None
    assert (session.run.exception, session.run.failed_path) == (None, None)
    assert [call.path for call in session.run.calls] == ["", "0", "1", "1.0"]
    assert all(call.returned >= 0 for call in session.run.calls)


def test_a_fault_of_ours_warns_once_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fc()
    session = watch(model, every=1)

    def broken(*_: object, **__: object) -> None:
        raise OSError("disk")

    monkeypatch.setattr("hookviz.capture.recorder.Recorder.leave", broken)
    with pytest.warns(UserWarning, match="Capturing failed with OSError: disk. The model's run is not affected"):
        first = model(row())
    second = model(row())

    assert torch.equal(first, second)
    assert session.problem == "Capturing failed with OSError: disk"
