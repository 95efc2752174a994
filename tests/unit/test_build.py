"""A graph is built of what a model contains, and of what flowed in a run."""

import time
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from hookviz.graph.build import build_graph
from hookviz.graph.graph import Node
from hookviz.graph.likeness import Likeness
from hookviz.graph.unfolding import default_expanded, seen_graph
from hookviz.tracing.flow import Flow, FlowEdge, FlowNode
from tests.graphs import node_of, pairs, traced
from tests.models import fc, wired
from tests.tracing_seam import trace

X = torch.ones(2, 4)


def residual_block() -> Any:
    return wired(lambda self, x: functional.relu(self.norm(self.conv(x)) + x), conv=fc(), norm=nn.LayerNorm(4))


def test_a_traced_model_has_stable_ids_boxes_and_edges_with_shapes() -> None:
    model = wired(lambda self, x: self.head(self.block(x)), block=residual_block(), head=nn.Linear(4, 3))

    graph = traced(model, X)

    assert [node.id for node in graph.nodes] == [
        "input:x",
        "module:block.conv",
        "module:block.norm",
        "op:block:add:0",
        "op:block:relu:0",
        "module:head",
        "output",
    ]
    assert [edge.id for edge in graph.edges] == [
        "input:x->module:block.conv",
        "module:block.conv->module:block.norm",
        "module:block.norm->op:block:add:0",
        "input:x->op:block:add:0",
        "op:block:add:0->op:block:relu:0",
        "op:block:relu:0->module:head",
        "module:head->output",
    ]
    assert [edge.shape for edge in graph.edges][-2:] == [(2, 4), (2, 3)]
    assert [(group.id, group.name, group.type_name, group.parent, group.detail) for group in graph.groups] == [
        ("module:block", "block", "Wired", None, "28 params")
    ]
    assert node_of(graph, "module:head") == Node(
        "module:head", "module", "head", "head", "Linear", "4→3 · 15 params", None, shape=(2, 3)
    )
    assert node_of(graph, "op:block:add:0").group == "module:block"
    assert graph.is_traced


def test_a_module_has_the_shape_that_it_gave_and_an_edge_the_one_that_arrived_after_a_view() -> None:
    graph = traced(wired(lambda self, x: self.b(self.a(x).view(2, 1, 4)), a=fc(), b=nn.Flatten()), X)

    assert node_of(graph, "module:a").shape == (2, 4)
    assert next(edge.shape for edge in graph.edges if edge.source == "module:a") == (2, 1, 4)


def test_a_module_called_twice_has_the_shape_of_its_last_call() -> None:
    graph = traced(wired(lambda self, x: self.a(self.a(x)[:1]), a=fc()), X)

    assert node_of(graph, "module:a").shape == (1, 4)


def test_the_box_of_a_container_has_the_shape_that_it_gave() -> None:
    block = wired(lambda self, x: self.fc(x).unsqueeze(0), fc=fc())

    graph = traced(wired(lambda self, x: self.block(x), block=block), X)

    assert graph.groups[0].shape == (1, 2, 4)


def test_a_module_called_three_times_is_one_node_with_a_loop() -> None:
    def forward(self: Any, x: Any) -> Any:
        for _ in range(3):
            x = self.cell(x).tanh()
        return x

    graph = traced(wired(forward, cell=fc()), X)

    assert node_of(graph, "module:cell").calls == 3
    assert pairs(graph) == [
        ("input:x", "module:cell"),
        ("module:cell", "op::tanh:0"),
        ("op::tanh:0", "module:cell"),
        ("module:cell", "op::tanh:1"),
        ("op::tanh:1", "module:cell"),
        ("module:cell", "op::tanh:2"),
        ("op::tanh:2", "output"),
    ]


def test_operations_of_a_container_called_twice_are_counted_within_each_call() -> None:
    block = wired(lambda self, x: self.fc(x).relu(), fc=fc())
    graph = traced(wired(lambda self, x: self.block(self.block(x)), block=block), X)

    assert [(node.id, node.calls) for node in graph.nodes] == [
        ("input:x", 1),
        ("module:block.fc", 2),
        ("op:block:relu:0", 2),
        ("output", 1),
    ]
    assert graph.groups[0].calls == 2
    assert ("op:block:relu:0", "module:block.fc") in pairs(graph)


def test_a_list_of_modules_is_a_box_although_it_is_never_called() -> None:
    def forward(self: Any, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    graph = traced(wired(forward, layers=nn.ModuleList([nn.Sequential(fc(), nn.ReLU()), fc()])), X)

    assert [(group.id, group.parent, group.calls) for group in graph.groups] == [
        ("module:layers", None, 0),
        ("module:layers.0", "module:layers", 1),
    ]
    assert [node.group for node in graph.nodes] == [
        None,
        "module:layers.0",
        "module:layers.0",
        "module:layers",
        None,
    ]


def test_modules_that_were_not_called_are_left_out_of_a_run() -> None:
    graph = traced(wired(lambda self, x: self.used(x), used=fc(), unused=nn.Sequential(fc())), X)

    assert [node.id for node in graph.nodes] == ["input:x", "module:used", "output"]
    assert graph.groups == ()


def test_a_parameter_used_directly_stands_in_the_box_of_its_user() -> None:
    class Scale(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.by = nn.Parameter(torch.ones(4))
            self.fc = fc()

        def forward(self, x: torch.Tensor) -> Any:
            return self.fc(x) * self.by

    graph = traced(wired(lambda self, x: self.scale(x), scale=Scale()), X)

    assert node_of(graph, "parameter:scale.by") == Node(
        "parameter:scale.by", "parameter", "scale.by", "by", detail="4", group="module:scale", shape=(4,)
    )
    assert ("parameter:scale.by", "op:scale:mul:0") in pairs(graph)


def test_marks_of_a_call_are_marks_of_its_node() -> None:
    model = wired(lambda self, x: self.drop(self.act(self.fc(x))), fc=fc(), act=nn.ReLU(True), drop=nn.Dropout())

    graph = traced(model.eval(), X)

    assert [(node.name, node.in_place, node.passes_through) for node in graph.nodes if node.kind == "module"] == [
        ("fc", False, False),
        ("act", True, False),
        ("drop", False, True),
    ]


def test_a_model_that_is_one_layer_is_one_card_named_after_its_class() -> None:
    graph = traced(fc(), X)

    assert node_of(graph, "module:") == Node("module:", "module", "", "Linear", "", "4→4 · 20 params", shape=(2, 4))
    assert pairs(graph) == [("input:input", "module:"), ("module:", "output")]


def test_a_part_called_by_itself_is_a_box() -> None:
    model = wired(lambda self, x: self.encoder(x), encoder=nn.Sequential(fc()))

    graph = build_graph(model, trace(model, run=lambda: model.encoder(X)), title="Model")

    assert [group.id for group in graph.groups] == ["module:encoder"]
    assert pairs(graph) == [("input:input", "module:encoder.0"), ("module:encoder.0", "output")]


def test_a_container_with_nothing_to_show_inside_is_a_card() -> None:
    inner = wired(lambda self, x: (self.unused is None, x.isnan())[1], unused=fc())
    model = wired(lambda self, x: (self.inner(x), self.fc(x))[1], inner=inner, fc=fc())

    graph = traced(model, X)

    assert [node.id for node in graph.nodes] == ["input:x", "module:inner", "module:fc", "output"]


def test_a_call_that_skipped_the_inside_hands_its_edges_on() -> None:
    # The second call of the block gave back what it was given: no card of its own, so x goes to fc directly.
    flow = Flow(
        (
            FlowNode(0, "input", "x", "", None),
            FlowNode(1, "container", "Model", "", None),
            FlowNode(2, "container", "Block", "block", 1),
            FlowNode(3, "module", "Linear", "block.fc", 2),
            FlowNode(4, "module", "Block", "block", 1, call=1),
            FlowNode(5, "module", "Linear", "fc", 1),
        ),
        (FlowEdge(0, 3, (2, 4)), FlowEdge(0, 4, (2, 4)), FlowEdge(3, 5, (2, 4)), FlowEdge(4, 5, (2, 4))),
    )
    model = wired(lambda self, x: x, block=wired(lambda self, x: x, fc=fc()), fc=fc())

    assert pairs(build_graph(model, flow, title="Model")) == [
        ("input:x", "module:block.fc"),
        ("module:block.fc", "module:fc"),
        ("input:x", "module:fc"),
    ]


def test_a_module_that_is_gone_since_the_run_keeps_its_place() -> None:
    model = wired(lambda self, x: self.b(self.a(x)), a=fc(), b=nn.Sequential(fc()))
    flow = trace(model, X)
    del model.a, model.b

    graph = build_graph(model, flow, title="Model")

    assert [node.id for node in graph.nodes] == ["input:x", "module:a", "module:b.0", "output"]
    assert node_of(graph, "module:a").detail == ""


def test_before_a_run_the_tree_of_modules_is_in_order_of_registration() -> None:
    model = wired(
        lambda self, x: x,
        stem=fc(),
        layers=nn.ModuleList([nn.Sequential(fc(), nn.ReLU()), nn.MultiheadAttention(4, 2)]),
        nothing=nn.ModuleList(),
        head=fc(),
    )
    model.again = model.stem

    graph = build_graph(model, None, title="Model")

    assert [(node.id, node.group) for node in graph.nodes] == [
        ("module:stem", None),
        ("module:layers.0.0", "module:layers.0"),
        ("module:layers.0.1", "module:layers.0"),
        ("module:layers.1", "module:layers"),
        ("module:head", None),
    ]
    assert [(group.id, group.parent) for group in graph.groups] == [
        ("module:layers", None),
        ("module:layers.0", "module:layers"),
    ]
    assert pairs(graph) == [
        ("module:stem", "module:layers.0.0"),
        ("module:layers.0.0", "module:layers.0.1"),
        ("module:layers.0.1", "module:layers.1"),
        ("module:layers.1", "module:head"),
    ]
    assert {edge.kind for edge in graph.edges} == {"order"}
    assert not graph.is_traced


def test_the_same_ids_name_a_module_before_and_after_a_run() -> None:
    model = wired(lambda self, x: self.block(x), block=residual_block())

    before, after = build_graph(model, None, title="Model"), traced(model, X)

    assert {node.id for node in before.nodes} < {node.id for node in after.nodes}
    assert before.groups[0].id == after.groups[0].id


def test_a_model_of_5000_modules_is_built_and_folded_in_half_a_second() -> None:
    model = nn.Sequential(*[nn.Sequential(*[nn.Sequential(fc(), nn.ReLU()) for _ in range(17)]) for _ in range(97)])
    assert len(list(model.modules())) == 5045

    start = time.process_time()
    graph = build_graph(model, None, title="Model")
    likeness = Likeness(graph)
    visible = seen_graph(graph, likeness, default_expanded(graph, likeness))
    seconds = time.process_time() - start

    assert [node.id for node in visible.nodes] == ["module:0.0.0", "module:0.0.1", "module:0.1", "module:1"]
    assert [node.repeats for node in visible.nodes] == [1, 1, 16, 96]
    assert seconds < 0.5
