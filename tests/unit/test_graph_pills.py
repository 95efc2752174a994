"""Each hook has its mark where it acts, and a crowd of them shares one."""

from collections.abc import Collection
from dataclasses import replace

import pytest
from torch import nn

from hookviz.graph.graph import Graph, Group, Node
from hookviz.graph.pills import carrier_ids, hooks_at, hooks_off, pill_text, with_pills
from hookviz.hooks.hook import Hook, HookKind, HookOwner, HookPlace
from hookviz.hooks.interventions import Scale
from hookviz.session import watch
from tests import graphs


class Board:
    """A switchboard on which nothing can be turned: it only knows what is off."""

    def __init__(self, off: Collection[str] = ()) -> None:
        self.off = set(off)

    def is_on(self, hook: Hook) -> bool:
        return hook.id not in self.off

    def is_gone(self, hook: Hook) -> bool:
        return False

    def is_pending(self, hook: Hook) -> bool:
        return False

    def turn(self, hook: Hook, *, on: bool) -> None:
        raise AssertionError

    def remove(self, hook: Hook) -> None:
        raise AssertionError


ALL_ON = Board()


def hook(kind: HookKind, path: str, key: int = 0, label: str = "clip", *, board: Board = ALL_ON) -> Hook:
    return Hook(HookPlace(kind, path, key), print, label, "In [3]:7", "user", frozenset(), 0, "", board)


def shown(graph: Graph) -> dict[str, list[tuple[str, str]]]:
    items: tuple[Node | Group, ...] = (*graph.nodes, *graph.groups)
    return {item.id: [(pill.side, pill.text) for pill in item.pills] for item in items}


def test_pills_of_a_card_stand_in_the_order_in_which_the_hooks_run() -> None:
    hooks = [
        hook("post_accumulate_grad", "fc.weight", label="step"),
        hook("forward", "fc", label="after"),
        hook("backward_pre", "fc", label="grad_before"),
        hook("forward_pre", "fc", label="before"),
    ]

    graph = with_pills(graphs.one_card(), hooks)

    assert shown(graph) == {
        "module:fc": [("input", "before"), ("output", "after"), ("gradient", "grad_before"), ("parameter", "step")]
    }


def test_an_intervention_on_a_gradient_stands_among_the_gradients() -> None:
    model = nn.Linear(2, 2)
    with watch(model) as session:
        session.intervene("", Scale(0.5), on="grad_output", label="halve")

        (card,) = session.graph().nodes

    assert [(pill.side, pill.text) for pill in card.pills] == [("gradient", "halve")]


def test_more_than_four_hooks_share_the_last_pill() -> None:
    hooks = [hook("forward", "fc", key, label=f"hook{key}") for key in range(15)]

    (card,) = with_pills(graphs.one_card(), hooks).nodes

    assert [pill.text for pill in card.pills] == ["hook0", "hook1", "hook2", "+12"]
    assert card.pills[3].hook_ids == tuple(f"forward:{key}:fc" for key in range(3, 15))


def test_a_folded_container_tells_how_many_hooks_are_inside() -> None:
    folded = graphs.graph(Node("module:block", "module", "block", "block", "Block", is_foldable=True))
    hooks = [
        hook("forward", "block", label="own"),
        hook("forward", "block.fc"),
        hook("backward", "block.fc.inner"),
        hook("tensor", "block.fc.weight"),
    ]

    graph = with_pills(folded, hooks)

    assert shown(graph) == {"module:block": [("output", "own"), ("output", "3 hooks inside")]}
    assert graph.nodes[0].pills[1].hook_ids == (
        "forward:0:block.fc",
        "backward:0:block.fc.inner",
        "tensor:0:block.fc.weight",
    )


def test_a_module_that_is_not_in_an_unfolded_box_has_no_pill() -> None:
    box = Group("module:block", "block", "block", "Block", None)
    drawn = graphs.graph(graphs.module("block.fc", group=box.id), groups=(box,))

    graph = with_pills(drawn, [hook("forward", "block.unused")])

    assert shown(graph) == {"module:block.fc": [], "module:block": []}


def test_a_parameter_with_a_card_of_its_own_carries_its_hooks() -> None:
    weight = Node("parameter:block.W", "parameter", "block.W", "W", group="module:block")
    box = Group("module:block", "block", "block", "Block", None)

    graph = with_pills(graphs.graph(weight, groups=(box,)), [hook("tensor", "block.W"), hook("tensor", "block.b")])

    assert shown(graph) == {"parameter:block.W": [("parameter", "clip")], "module:block": [("parameter", "clip")]}


def test_hooks_of_the_model_itself_are_at_its_input_and_output() -> None:
    ends = graphs.graph(graphs.node("input", "x"), graphs.module("fc"), Node("output", "output", "", "output"))
    before, after = hook("forward_pre", ""), hook("backward", "")

    graph = with_pills(ends, [before, after])

    assert shown(graph) == {"input:x": [("input", "clip")], "module:fc": [], "output": [("gradient", "clip")]}
    assert carrier_ids(before, ends) == ["module:", "input:x"]
    assert carrier_ids(after, ends) == ["module:", "output"]


def test_hooks_at_a_card_are_its_own_and_those_inside() -> None:
    folded = graphs.graph(Node("module:block", "module", "block", "block", "Block", is_foldable=True))
    inner, own, other = hook("forward", "block.fc"), hook("backward", "block"), hook("forward", "fc")

    assert hooks_at("module:block", folded, [inner, own, other]) == [own, inner]
    assert hooks_at("module:fc", folded, [inner, own, other]) == [other]


def test_kinds_without_a_value_have_no_pill() -> None:
    hooks = [hook("state_dict", "fc"), hook("global_forward", "global")]

    graph = with_pills(graphs.one_card(), hooks)

    assert graph == graphs.one_card()
    assert carrier_ids(hooks[0], graph) == []


def test_a_hook_that_is_off_is_named_at_its_card() -> None:
    board = Board(off=["forward:1:fc"])
    hooks = [hook("forward", "fc", 0, board=board), hook("forward", "fc", 1, board=board)]

    graph = with_pills(graphs.one_card(), hooks)

    assert hooks_off(graph, hooks) == {"module:fc": frozenset({"forward:1:fc"})}


@pytest.mark.parametrize(
    ("label", "owner", "text"),
    [
        ("clip.<locals>.hook", "user", "hook"),
        ("SpectralNorm.__call__", "other", "SpectralNorm"),
        ("scale by 0.5", "hookviz", "scale by 0.5"),
    ],
)
def test_a_pill_has_the_short_name(label: str, owner: HookOwner, text: str) -> None:
    assert pill_text(replace(hook("forward", "fc", label=label), owner=owner)) == text


def test_the_pointer_shows_label_kind_and_source_of_each_hook() -> None:
    hooks = [hook("forward", "fc", key, label=f"hook{key}") for key in range(15)]

    (card,) = with_pills(graphs.one_card(), hooks).nodes

    assert card.pills[0].title == "hook0 · forward · In [3]:7"
    assert card.pills[3].title.splitlines()[0] == "hook3 · forward · In [3]:7"
    assert card.pills[3].title.splitlines()[-1] == "and 2 more"


def test_a_row_of_identical_siblings_has_the_hooks_of_its_first_and_counts_those_of_the_others() -> None:
    row = replace(graphs.module("layers.0"), repeats=4, members=("layers.0", "layers.1", "layers.2", "layers.3"))
    hooks = [hook("forward", "layers.0"), hook("forward", "layers.2"), hook("forward", "layers.3.fc")]

    assert shown(with_pills(graphs.graph(row), hooks)) == {
        "module:layers.0": [("output", "clip"), ("output", "2 hooks inside")]
    }
