"""The inspector shows what flowed at a node, and the Python that gives the same."""

import warnings
from collections.abc import Iterator

import pytest
import torch
from torch import nn

from hookviz.errors import UnknownModuleError
from hookviz.graph.graph import Graph, Node
from hookviz.session import Session, watch
from hookviz.widget.entries import quoted
from hookviz.widget.inspection import inspect
from hookviz.widget.wire import Tab


class Net(nn.Module):
    """One module called twice, one that gives several tensors, one that passes through."""

    def __init__(self) -> None:
        super().__init__()
        self.shared = nn.Linear(2, 2)
        self.rnn = nn.LSTM(2, 3, batch_first=True)
        self.drop = nn.Dropout()
        self.unused = nn.Linear(1, 1)
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.drop(self.shared(self.shared(x)) * self.scale)
        out: torch.Tensor = self.rnn(y)[0]
        return out.sum()


@pytest.fixture
def model() -> Net:
    return Net().eval()


@pytest.fixture
def session(model: Net) -> Iterator[Session]:
    with watch(model, every=1, inputs=True) as session:
        yield session


def test_module_has_a_tab_for_each_thing_that_can_be_seen(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))
    graph = session.graph()

    tabs = {path: inspect(session, graph, f"module:{path}")["tabs"] for path in ("shared", "drop")}

    assert tabs == {
        "shared": ["output", "input", "grad_output", "grad_input", "parameters"],
        "drop": ["output", "input", "grad_output", "grad_input"],
    }


def test_each_tensor_of_an_output_is_an_entry_of_its_own(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))

    seen = inspect(session, session.graph(), "module:rnn")

    assert [(entry["label"], entry["summary"]["shape"]) for entry in seen["entries"] if entry["summary"]] == [
        ("output[0]", [1, 4, 3]),
        ("output[1][0]", [1, 1, 3]),
        ("output[1][1]", [1, 1, 3]),
    ]


@pytest.mark.parametrize("tab", ["output", "input", "grad_output", "parameters"])
@pytest.mark.parametrize(("path", "call"), [("shared", 0), ("shared", 1), ("rnn", 0)])
def test_python_of_an_entry_gives_its_tensor(model: Net, session: Session, tab: Tab, path: str, call: int) -> None:
    model(torch.ones(1, 4, 2)).backward()

    entries = inspect(session, session.graph(), f"module:{path}", call, tab)["entries"]

    kept = [entry for entry in entries if entry["kept"]]
    assert kept
    for entry in kept:
        tensor = eval(entry["python"], {"session": session})
        assert entry["summary"] is not None
        assert list(tensor.shape) == entry["summary"]["shape"]
        assert float(tensor.detach().float().mean()) == pytest.approx(entry["summary"]["mean"], rel=1e-4, abs=1e-6)


def test_calls_are_told_apart(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))
    graph = session.graph()

    first, second = (inspect(session, graph, "module:shared", call) for call in (0, 1))

    assert (first["calls"], first["call"], second["call"]) == (2, 0, 1)
    assert first["entries"][0]["summary"] != second["entries"][0]["summary"]
    assert first["entries"][0]["python"] == 'session["shared"].calls[0].output.tensor'
    assert second["entries"][0]["python"] == 'session["shared"].output.tensor'


def test_call_and_tab_that_are_not_there_give_the_nearest(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))

    seen = inspect(session, session.graph(), "module:drop", 5, "parameters")

    assert (seen["call"], seen["tab"]) == (0, "output")


def test_before_any_run_only_parameters_are_there(session: Session) -> None:
    graph = session.graph()

    output = inspect(session, graph, "module:shared")
    parameters = inspect(session, graph, "module:shared", 0, "parameters")

    assert (output["entries"], output["notes"], output["step"]) == (
        [],
        ["no run was captured yet: run the model"],
        0,
    )
    assert [(entry["label"], entry["kept"]) for entry in parameters["entries"]] == [
        ("weight", True),
        ("weight.grad", False),
        ("bias", True),
        ("bias.grad", False),
    ]
    assert parameters["entries"][1]["note"] == "no backward yet"


def test_frozen_parameter_says_so_in_place_of_a_gradient(model: Net, session: Session) -> None:
    model.shared.weight.requires_grad_(False)

    entries = inspect(session, session.graph(), "module:shared", 0, "parameters")["entries"]

    assert [(entry["label"], entry["note"]) for entry in entries[:2]] == [
        ("weight", "frozen: does not require grad"),
        ("bias", ""),
    ]


def test_buffer_and_parameter_that_is_not_made_yet_have_no_gradient() -> None:
    with warnings.catch_warnings():
        # Some versions of torch warn that lazy modules are new.
        warnings.simplefilter("ignore")
        model = nn.Sequential(nn.BatchNorm1d(2, affine=False), nn.LazyLinear(3))
    with watch(model) as session:
        graph = session.graph()

        buffers = inspect(session, graph, "module:0", 0, "parameters")["entries"]
        lazy = inspect(session, graph, "module:1", 0, "parameters")["entries"]

    assert [(entry["label"], entry["kept"], entry["note"]) for entry in buffers] == [
        ("running_mean", True, ""),
        ("running_var", True, ""),
        ("num_batches_tracked", True, ""),
    ]
    assert [(entry["label"], entry["kept"]) for entry in lazy] == [("weight", False), ("bias", False)]
    assert lazy[0]["note"] == "not initialized yet: a lazy module makes it in its first call"


def test_module_that_was_not_called_says_so(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))

    seen = inspect(session, session.graph(), "module:unused")

    assert seen["notes"] == ["not called in this run"]
    assert (seen["calls"], seen["entries"]) == (0, [])


def test_what_passes_through_says_so(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2))

    seen = inspect(session, session.graph(), "module:drop")

    assert "passes through: it returned the very object that it was given" in seen["notes"]


def test_forward_that_raised_is_told_with_its_error(model: Net, session: Session) -> None:
    with pytest.raises(RuntimeError):
        model(torch.ones(1, 4, 7))

    seen = inspect(session, session.graph(), "module:shared")

    assert any("its forward raised" in note and "shapes" in note for note in seen["notes"])


def test_only_what_is_off_here_alone_is_listed(model: Net, session: Session) -> None:
    session.disable("outputs", "drop")
    session.disable("gradients")
    model(torch.ones(1, 4, 2))

    seen = inspect(session, session.graph(), "module:drop")

    assert seen["off"] == ["outputs"]


def test_input_and_output_of_the_model_show_what_it_took_and_gave(model: Net, session: Session) -> None:
    model(torch.full((1, 4, 2), 3.0))
    graph = session.graph()
    ends = {node.kind: node.id for node in graph.nodes if node.kind in ("input", "output")}

    taken, given = inspect(session, graph, ends["input"]), inspect(session, graph, ends["output"])

    assert (taken["tab"], given["tab"]) == ("input", "output")
    assert taken["entries"][0]["summary"] is not None
    assert (taken["entries"][0]["summary"]["mean"], taken["entries"][0]["summary"]["shape"]) == (3.0, [1, 4, 2])
    assert given["entries"][0]["summary"] is not None
    assert given["entries"][0]["summary"]["shape"] == []


def test_parameter_that_forward_uses_itself_shows_value_and_gradient(model: Net, session: Session) -> None:
    model(torch.ones(1, 4, 2)).backward()
    graph = session.graph()
    (node,) = [node for node in graph.nodes if node.kind == "parameter"]

    seen = inspect(session, graph, node.id)

    assert seen["tabs"] == ["parameters"]
    assert [(entry["label"], entry["python"]) for entry in seen["entries"]] == [
        ("scale", 'session["scale"].tensor'),
        ("scale.grad", 'session["scale"].grad'),
    ]
    assert seen["entries"][1]["kept"]


def test_operation_says_where_to_look_instead(session: Session) -> None:
    graph = Graph("Net", (Node("op:layer1:add:0", "op", "layer1", "add", in_place=True),), (), (), True)

    seen = inspect(session, graph, "op:layer1:add:0")

    assert (seen["name"], seen["entries"]) == ("add", [])
    assert seen["notes"][:2] == [
        "an operation in the forward of layer1; values are captured where a module returns",
        "writes into its input",
    ]


def test_module_that_is_folded_away_can_still_be_inspected() -> None:
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 3)))
    with watch(model, every=1) as session:
        model(torch.ones(1, 2))

        seen = inspect(session, session.graph(expanded=[]), "module:0.0")

    assert (seen["name"], seen["type_name"], len(seen["entries"])) == ("0", "Linear", 1)


def test_siblings_that_are_drawn_as_one_are_told(session: Session) -> None:
    graph = Graph("Net", (Node("module:drop", "module", "drop", "drop", "Dropout", repeats=48),), (), (), False)

    seen = inspect(session, graph, "module:drop")

    assert "stands for 48 equal siblings; this is the first of them" in seen["notes"]


def test_node_that_is_not_there_is_named(session: Session) -> None:
    with pytest.raises(UnknownModuleError, match="no node 'op::add:7' any more"):
        inspect(session, session.graph(), "op::add:7")


@pytest.mark.parametrize("path", ['a"b', "a\\b", "층.0", "a\nb", "<script>"])
def test_path_is_quoted_as_python_reads_it(path: str) -> None:
    assert eval(quoted(path)) == path
