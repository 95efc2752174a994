"""A picture runs the way in which it can be seen larger, or the way that somebody chose."""

from itertools import pairwise

import pytest
import torch
from torch import nn

from hookviz.diagram.direction import Direction, natural_direction
from hookviz.errors import OptionError
from hookviz.session import watch
from tests.graphs import edge, graph, module
from tests.models import fc, wired


def test_a_chain_runs_down() -> None:
    nodes = [module(f"fc{number}") for number in range(12)]
    edges = tuple(edge(a.id, b.id) for a, b in pairwise(nodes))

    assert natural_direction(graph(*nodes, edges=edges)) == "TB"


def test_a_picture_that_is_wider_than_high_runs_to_the_right() -> None:
    parts = [module(f"part{number}") for number in range(8)]
    first, last = module("first"), module("last")
    edges = [edge(first.id, part.id) for part in parts] + [edge(part.id, last.id) for part in parts]

    assert natural_direction(graph(first, *parts, last, edges=tuple(edges))) == "LR"


def test_a_picture_too_large_to_be_read_as_a_whole_is_scrolled_down_rather_than_sideways() -> None:
    parts = [module(f"part{number}") for number in range(24)]
    ends = [module(f"end{number}") for number in range(10)]
    edges = [edge(part.id, ends[0].id) for part in parts] + [edge(a.id, b.id) for a, b in pairwise(ends)]
    behind = [module(f"behind{number}") for number in range(30)]
    longer = [*edges, *(edge(a.id, b.id) for a, b in pairwise([ends[-1], *behind]))]

    assert natural_direction(graph(*parts, *ends, edges=tuple(edges))) == "LR"
    assert natural_direction(graph(*parts, *ends, *behind, edges=tuple(longer))) == "TB"


def test_edges_that_lead_back_do_not_lengthen_it() -> None:
    parts = [module(f"part{number}") for number in range(8)]
    back = [edge(part.id, parts[0].id) for part in parts[1:]]

    assert natural_direction(graph(*parts, edges=tuple(back))) == "LR"


def test_an_empty_picture_runs_down() -> None:
    assert natural_direction(graph()) == "TB"


@pytest.mark.parametrize(("direction", "line"), [("LR", "rankdir=LR"), ("TB", "rankdir=TB"), (None, "rankdir=LR")])
def test_a_session_draws_in_the_direction_that_is_asked_for(direction: Direction | None, line: str) -> None:
    layers = {f"fc{size}": nn.Linear(4, size) for size in range(1, 10)}
    model = wired(lambda self, x: [layer(x) for layer in self.children()], **layers)

    with watch(model) as session:
        model(torch.ones(1, 4))

        assert line in session.dot(direction=direction)


def test_what_is_no_direction_is_refused() -> None:
    model = nn.Sequential(fc())

    with watch(model) as session, pytest.raises(OptionError, match="got 'down'"):
        session.svg(direction="down")  # type: ignore[arg-type]  # that is the point
