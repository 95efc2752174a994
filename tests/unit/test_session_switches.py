"""What a session captures can be switched at any time, from the next run on."""

from typing import Literal

import pytest
from torch import nn

from hookviz.capture.call import What
from hookviz.errors import NotCapturedError
from hookviz.session import watch
from tests.models import fc, row
from tests.views import at


@pytest.mark.parametrize("what", ["outputs", "gradients"])
def test_a_switch_of_one_module_acts_from_the_next_run_on(what: Literal["outputs", "gradients"]) -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model, every=1)

    def captured() -> list[bool]:
        model(row()).sum().backward()
        kind: What = "output" if what == "outputs" else "grad_output"
        return [at(session, path).calls[0].entries(kind)[0][1] is not None for path in ("0", "1")]

    before = captured()
    session.disable(what, "0")
    still_there = at(session, "0").output is not None
    off = captured()
    session.enable(what, "0")
    on_again = captured()

    assert (before, still_there, off, on_again) == ([True, True], True, [False, True], [True, True])


def test_switches_say_how_they_stand() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)

    session.disable("gradients", "0")
    session.disable("outputs")

    assert (session.is_enabled("gradients"), session.is_enabled("gradients", "0")) == (True, False)
    assert (session.is_enabled("outputs"), session.is_enabled("outputs", "1")) == (False, False)
    assert not session.is_enabled("inputs")
    assert session.off_paths("gradients") == ("0",)


def test_only_and_exclude_leave_modules_out() -> None:
    model = nn.Sequential(fc(), nn.ReLU(), fc())
    session = watch(model, only=nn.Linear, exclude="2")

    model(row())

    assert at(session, "0").output is not None
    with pytest.raises(NotCapturedError):
        at(session, "2").output  # noqa: B018  # reading is what raises


def test_a_paused_session_sees_runs_and_captures_none() -> None:
    model = fc()
    session = watch(model, every=1)
    model(row())
    first = session.run

    session.pause()
    model(row())
    paused = (session.run is first, session.runs_seen, session.runs_captured, session.is_paused)
    session.resume()
    model(row())

    assert paused == (True, 2, 1, True)
    assert (session.runs_seen, session.runs_captured) == (3, 2)


def test_every_second_run_is_captured_with_every_2() -> None:
    model = fc()
    session = watch(model, every=2)

    for _ in range(5):
        model(row())

    assert (session.runs_seen, session.runs_captured) == (5, 3)
