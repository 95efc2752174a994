"""While a cell runs the model, other threads leave alone what autograd may be writing."""

import threading
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn

from hookviz.capture.call import ModuleCall
from hookviz.capture.store import TensorStore
from hookviz.errors import NotCapturedError
from hookviz.session import Session, watch
from hookviz.widget.entries import entries_of
from hookviz.widget.health_view import HealthView
from tests.views import at, parameter_at


@pytest.fixture
def session() -> Iterator[Session]:
    """Of a layer with a gradient, in whose cell another thread is."""
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model, every=1)
    model(torch.ones(1, 2)).sum().backward()
    session.cell_thread = _other_thread()
    yield session
    session.close()


def _other_thread() -> int:
    found: list[int] = []
    started, ended = threading.Event(), threading.Event()

    def run() -> None:
        found.append(threading.get_ident())
        started.set()
        ended.wait()

    thread = threading.Thread(target=run)
    thread.start()
    started.wait()
    ended.set()
    thread.join()
    return found[0]


def test_no_gradient_of_a_parameter_is_read(session: Session) -> None:
    with pytest.raises(
        NotCapturedError, match="not read while a cell or another thread runs the model: it may be writing it"
    ):
        parameter_at(session, "0.weight").grad  # noqa: B018  # reading is what raises
    assert parameter_at(session, "0.weight").tensor.shape == (2, 2)

    session.cell_thread = None
    assert parameter_at(session, "0.weight").grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_the_inspector_says_why(session: Session) -> None:
    notes = {entry.label: entry.note for entry in entries_of(at(session, "0"), 0, "parameters")}

    assert notes == {
        "weight": "",
        "weight.grad": "not read while a cell or another thread runs the model: it may be writing it",
        "bias": "",
        "bias.grad": "not read while a cell or another thread runs the model: it may be writing it",
    }


def test_nothing_is_judged(session: Session) -> None:
    health = HealthView()

    health.look(session, session.graph(), is_live=False)
    assert health.is_behind

    session.cell_thread = None
    health.look(session, session.graph(), is_live=False)
    assert not health.is_behind


def test_the_cell_itself_reads_all(session: Session) -> None:
    session.cell_thread = threading.get_ident()

    assert parameter_at(session, "0.weight").grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_thread_of_the_users_own_that_trains_is_left_alone_as_well() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    session = watch(model, every=1)
    has_run, may_end = threading.Event(), threading.Event()

    def train() -> None:
        model(torch.ones(1, 2)).sum().backward()
        has_run.set()
        may_end.wait()

    thread = threading.Thread(target=train)
    thread.start()
    has_run.wait()
    with pytest.raises(NotCapturedError, match="not read while a cell or another thread runs"):
        parameter_at(session, "0.weight").grad  # noqa: B018  # reading is what raises

    may_end.set()
    thread.join()
    assert parameter_at(session, "0.weight").grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_call_that_is_just_being_recorded_has_no_entries_yet() -> None:
    call = ModuleCall("a", 1, 0, 0)
    call.output_captures = [TensorStore(100).take(torch.ones(1), "a", is_gradient=False)]

    assert call.entries("output") == []
    assert call.entries("grad_output") == []


def test_values_are_read_in_one_thread_while_another_one_trains() -> None:
    model = nn.Sequential(*(nn.Linear(8, 8) for _ in range(6)))
    session = watch(model, every=1)
    model(torch.ones(4, 8)).sum().backward()
    raised: list[Exception] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            for path in ("0", "3", "5"):
                _try(lambda path=path: _read(session, path), raised)  # type: ignore[misc]  # of lambdas with defaults

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(60):
        model(torch.ones(4, 8)).sum().backward()
    is_over.set()
    reader.join()

    assert raised == []
    assert session.problem == ""
    assert session.runs_captured == 61


def _read(session: Session, path: str) -> None:
    view = at(session, path)
    for call in view.calls:
        for _, capture, _ in (*call.entries("output"), *call.entries("grad_output")):
            if capture is not None and capture.is_kept:
                assert capture.tensor.shape == (4, 8)
                assert capture.summary.shape == (4, 8)


def _try(read: Callable[[], None], raised: list[Exception]) -> None:
    try:
        read()
    except Exception as error:  # noqa: BLE001  # to be told in the thread of the test
        raised.append(error)
