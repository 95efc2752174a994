"""Title, status line and switches say how the session is doing."""

import gc
import math
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


class Spoiler(nn.Module):
    """Gives what it is told to give in place of every number."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 1.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.value


def spoil(model: nn.Module, value: float) -> None:
    (spoiler,) = (module for module in model.modules() if isinstance(module, Spoiler))
    spoiler.value = value


class Fails(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError("no more\nand a second line")


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


def test_nan_is_told_with_the_step_in_which_it_first_came(model: nn.Sequential, session: Session) -> None:
    for value in (1.0, math.nan, 1.0, math.nan, math.nan):
        spoil(model, value)
        model(torch.ones(1, 2))

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {"node_id": "module:1.0", "path": "1.0", "text": "NaN made in 1.0, step 4"}


def test_infinity_is_told_as_such(model: nn.Sequential, session: Session) -> None:
    spoil(model, math.inf)
    model(torch.ones(1, 2))

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble is not None
    assert trouble["text"] in ("Inf made in 1.0, step 1", "NaN made in 1.0, step 1")


def test_operation_that_made_a_nan_is_what_the_trouble_leads_to() -> None:
    model = wired(lambda m, x: m.b(m.a(x) * math.nan), a=nn.Linear(2, 2), b=nn.Linear(2, 2))
    with watch(model, every=1) as session:
        model(torch.ones(1, 2))

        trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {"node_id": "op::mul:0", "path": "b", "text": "NaN made by mul before b, step 1"}


def test_gradient_that_is_not_finite_is_a_trouble_if_all_values_are(model: nn.Sequential, session: Session) -> None:
    (model(torch.ones(1, 2)) * math.nan).sum().backward()

    trouble = status_of(session, session.graph())["trouble"]

    assert trouble is not None
    assert trouble["text"] == "NaN gradient came in at the model's output: its loss made it, step 1"


def test_a_hook_that_raised_is_named() -> None:
    def clip(*_: object) -> None:
        raise ValueError("no")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    model[0].register_forward_hook(clip)
    with watch(model) as session:
        with pytest.raises(ValueError, match="no"):
            model(torch.ones(1))

        trouble = status_of(session, session.graph())["trouble"]

    assert trouble == {"node_id": "module:0", "path": "0", "text": "hook clip on 0 raised ValueError: no"}


def test_a_hook_that_raised_in_a_run_that_was_not_captured_is_named() -> None:
    def clip(*_: object) -> None:
        raise ValueError("no")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    with watch(model, every=100) as session:
        model(torch.ones(1))
        model[0].register_forward_hook(clip)
        with pytest.raises(ValueError, match="no"):
            model(torch.ones(1))

        graph = session.graph()
        trouble = status_of(session, graph)["trouble"]
        data = session.node_data(graph)

    assert trouble == {"node_id": "module:0", "path": "0", "text": "hook clip on 0 raised ValueError: no"}
    assert (data["module:0"].state, data["module:0"].trouble) == ("failed", "hook clip raised ValueError: no")


def test_forward_that_raised_is_told_where_it_can_be_seen() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(Fails()))
    with watch(model, every=1) as session:
        with pytest.raises(ValueError, match="no more"):
            model(torch.ones(1, 2))

        trouble = status_of(session, session.graph(expanded=[]))["trouble"]

    assert trouble is not None
    assert trouble["node_id"] == "module:1"
    assert trouble["path"] == "1.0"
    assert trouble["text"].startswith("raised in 1.0: ")
    assert "no more" in trouble["text"]
    assert "second line" not in trouble["text"]


def test_raise_in_a_run_that_was_not_captured_is_told_with_its_step() -> None:
    inner = nn.Sequential(nn.Linear(2, 2))
    model = nn.Sequential(nn.Linear(2, 2), inner)
    with watch(model, every=100) as session:
        model(torch.ones(1, 2))
        inner.append(Fails())
        with pytest.raises(ValueError, match="no more"):
            model(torch.ones(1, 2))

        graph = session.graph(expanded=[])
        trouble = status_of(session, graph)["trouble"]
        data = session.node_data(graph)

    assert trouble == {
        "node_id": "module:1", "path": "1.1", "text": "raised in 1.1: ValueError: no more, step 2 (not captured)"
    }  # fmt: skip
    assert data["module:1"].state == "failed"
    assert data["module:1"].trouble == "raised in 1.1: ValueError: no more"
    assert data["module:0"].state == "captured"


def test_the_next_captured_run_replaces_a_raise_that_was_not_captured() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    with watch(model, every=2) as session:
        model(torch.ones(1, 2))
        with pytest.raises(RuntimeError, match="shapes"):
            model(torch.ones(1, 3))
        model(torch.ones(1, 2))

        assert session.failure is None
        assert status_of(session, session.graph())["trouble"] is None


def test_runs_in_other_threads_at_the_same_time_are_said_not_to_be_captured() -> None:
    both_inside = threading.Barrier(2, timeout=60)

    def meet(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        both_inside.wait()
        return x

    model = wired(meet)
    with watch(model, every=1) as session:
        threads = [threading.Thread(target=model, args=(torch.ones(1),)) for _ in range(2)]
        for thread in threads:
            thread.start()
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
