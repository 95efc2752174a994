"""The session's picture follows the hooks: new ones are laid out, switches are not."""

import torch
from torch import nn

from hookviz.graph.graph import Graph
from hookviz.session import watch
from tests.models import fc, row


def nothing(*_: object) -> None:
    """A hook that does nothing."""


def texts(graph: Graph) -> dict[str, list[str]]:
    return {node.id: [pill.text for pill in node.pills] for node in graph.nodes if node.pills}


def test_a_hook_that_appeared_is_laid_out_from_the_next_captured_run_on() -> None:
    model = fc()
    with watch(model, every=1) as session:
        model(row())
        before = session.structure_version

        model.register_forward_hook(nothing)
        model(row())

        assert session.structure_version > before
        assert texts(session.graph()) == {"module:": ["nothing"]}


def test_a_switch_changes_the_data_and_not_the_structure() -> None:
    model = fc()
    model.register_forward_hook(nothing)
    with watch(model, every=1) as session:
        model(row())
        structure, data = session.structure_version, session.data_version

        session.hooks[0].disable()

        assert session.structure_version == structure
        assert session.data_version > data
        assert session.node_data(session.graph())["module:"].hooks_off == frozenset({session.hooks[0].id})


def test_a_run_without_new_hooks_needs_no_new_layout() -> None:
    model = nn.Sequential(fc(), fc())
    model[0].register_forward_hook(nothing)
    model[1].register_full_backward_hook(nothing)
    with watch(model, every=1) as session:
        model(torch.ones(1, 4, requires_grad=True)).sum().backward()
        before = session.structure_version

        model(torch.ones(1, 4, requires_grad=True)).sum().backward()

        assert session.structure_version == before


def test_the_exported_picture_names_the_hook() -> None:
    model = fc()
    model.register_forward_hook(nothing)
    with watch(model) as session:
        assert "nothing" in session.svg()
