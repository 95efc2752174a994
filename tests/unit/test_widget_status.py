"""Title, status line and switches say how the session is doing."""

import gc
import threading
import warnings

import pytest
import torch
from torch import nn

from hookviz.graph.graph import Graph, Group, Node
from hookviz.package import Package
from hookviz.session import Session, watch
from hookviz.widget.status import count_text, status_of, switches_of, visible_node
from tests.models import wired
from tests.spoiler import Spoiler


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 2), nn.Sequential(Spoiler(), nn.Identity()))


def test_session_waits_before_the_first_run(session: Session) -> None:
    status = status_of(session, session.graph())

    assert (status["state"], status["step"], status["runs"]) == ("waiting", 0, 0)
    assert (status["name"], status["parameters"], status["mode"]) == ("Sequential", "6 params", "train")
    assert status["trouble"] is None


def test_a_model_without_parameters_is_named_by_its_class_and_has_no_mode() -> None:
    relu = nn.ReLU()

    with watch(relu, every=1) as session:
        status = status_of(session, session.graph())

    assert (status["parameters"], status["mode"]) == ("ReLU", "")


def test_runs_are_counted(model: nn.Sequential, session: Session) -> None:
    model(torch.ones(1, 2))
    session.pause()
    model(torch.ones(1, 2))
    session.resume()
    model.eval()
    model(torch.ones(1, 2))

    status = status_of(session, session.graph())

    assert (status["state"], status["step"], status["runs"], status["captured"]) == ("live", 3, 3, 2)
    assert status["mode"] == "eval"


def test_mode_is_mixed_if_only_a_part_is_in_eval(model: nn.Sequential, session: Session) -> None:
    model[0].eval()

    assert status_of(session, session.graph())["mode"] == "mixed"


def test_what_the_first_run_took_is_told_as_settling(model: nn.Sequential) -> None:
    with watch(model) as session:
        model(torch.ones(1, 2))
        status = status_of(session, session.graph())

    assert status["overhead"] > 0.05
    assert status["overhead_settles"]
    assert 0 < status["overhead_seconds"] < 20


def test_fixed_interval_has_no_overhead_limit(model: nn.Sequential) -> None:
    limits = []
    for options in ({"every": 3}, {"overhead": 0.02}):
        with watch(model, **options) as session:
            limits.append(status_of(session, session.graph())["overhead_limit"])

    assert limits == [None, 0.02]


def test_paused_closed_and_gone_are_told_apart(model: nn.Sequential) -> None:
    session = watch(model)
    graph = session.graph()

    session.pause()
    paused = status_of(session, graph)["state"]
    session.close()
    closed = status_of(session, graph)["state"]
    dropped = nn.Sequential(nn.ReLU())
    other = watch(dropped)
    del dropped
    gc.collect()
    gone = status_of(other, graph)

    assert (paused, closed, gone["state"]) == ("paused", "closed", "gone")
    assert (gone["parameters"], gone["mode"]) == ("", "")


def test_runs_in_other_threads_at_the_same_time_are_said_not_to_be_captured() -> None:
    is_inside, both_inside = threading.Event(), threading.Barrier(2, timeout=60)

    def meet(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        is_inside.set()
        both_inside.wait()
        return x

    model = wired(meet)
    with watch(model, every=1) as session:
        threads = [threading.Thread(target=model, args=(torch.ones(1),)) for _ in range(2)]
        for thread in threads:
            thread.start()
            assert is_inside.wait(60)
        for thread in threads:
            thread.join()

        status = status_of(session, session.graph())

    assert status["message"] == "another run went on in another thread: it was not captured"
    assert (status["runs"], status["captured"]) == (2, 1)


def test_switches_tell_where_they_are_off(session: Session) -> None:
    session.disable("outputs", "1.0")

    switches = switches_of(session)

    assert [(switch["what"], switch["enabled"], switch["off_paths"]) for switch in switches] == [
        ("outputs", True, ["1.0"]),
        ("gradients", True, []),
        ("inputs", False, []),
    ]


def test_plain_programs_have_no_switch_of_gradients_unless_a_model_is_among_them() -> None:
    plain = Package([str.split, len])
    mixed = Package([torch.tensor, nn.Linear(2, 2)])

    with watch(plain) as of_plain, watch(mixed) as of_mixed:
        assert [switch["what"] for switch in switches_of(of_plain)] == ["outputs", "inputs"]
        assert [switch["what"] for switch in switches_of(of_mixed)] == ["outputs", "gradients", "inputs"]


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (nn.ReLU(), "ReLU"),
        (nn.Linear(1, 1, bias=False), "1 param"),
        (nn.Linear(20, 22), "462 params"),
        (nn.Linear(100, 198), "20.0k params"),
        (nn.Linear(2000, 600, device="meta"), "1.2M params"),
        (nn.Linear(70_000, 100_000, bias=False, device="meta"), "7.0B params"),
    ],
)
def test_parameters_are_counted_in_words(module: nn.Module, text: str) -> None:
    assert count_text(module) == text


def test_parameters_that_are_not_made_yet_do_not_count() -> None:
    with warnings.catch_warnings():
        # Some versions of torch warn that lazy modules are new.
        warnings.simplefilter("ignore")
        lazy = nn.LazyLinear(4)

    assert count_text(nn.Sequential(lazy, nn.Linear(1, 1))) == "2 params"


def test_module_in_a_folded_container_is_shown_by_the_container() -> None:
    graph = Graph(
        "Net",
        (Node("module:a.b", "module", "a.b", "b", group="module:a"), Node("op:a:add:0", "op", "a", "add")),
        (Group("module:a", "a", "a", "Sequential", None),),
        (),
        True,
    )

    assert [visible_node(graph, path) for path in ("a.b.c.d", "a.b", "a.x", "a", "z")] == [
        "module:a.b", "module:a.b", "module:a", "module:a", "",
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")
def test_status_says_that_the_model_was_compiled_from_outside() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    compiled = torch.compile(model)

    with watch(model) as session:
        message = status_of(session, session.graph())["message"]

    assert compiled is not model
    assert message == "torch.compile(model) was made: calls of its result are not observable, those of the model are"


def test_a_module_in_a_row_of_identical_siblings_is_seen_in_the_first() -> None:
    model = nn.ModuleDict({"layers": nn.ModuleList(nn.Sequential(nn.Linear(2, 2), nn.ReLU()) for _ in range(5))})
    session = watch(model)

    graph = session.graph(expanded=["layers"])

    assert [visible_node(graph, path) for path in ("layers.3", "layers.3.0", "layers")] == [
        "module:layers.0",
        "module:layers.0",
        "module:layers",
    ]
    session.close()
