"""Hooks are listed, switched, written and explained in the browser as in Python."""

import json
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.session import Session
from hookviz.widget.commands import answer
from hookviz.widget.presentation import Presentation, presentation_of


def add_five(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output + 5


@pytest.fixture
def model() -> nn.Sequential:
    model = nn.Sequential(nn.Identity(), nn.Sequential(nn.ReLU()))
    model[0].register_forward_hook(add_five)
    return model


@pytest.fixture
def presentation(session: Session) -> Presentation:
    return presentation_of(session)


def ask(presentation: Presentation, command: str, **fields: Any) -> Any:
    content, _ = answer(presentation, {"id": 7, "command": command, **fields})
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    return content.get("reply", content.get("error"))


def row() -> Tensor:
    return torch.tensor([1.5, 0.5])


def test_a_hook_is_listed_with_what_it_did(model: nn.Sequential, session: Session, presentation: Presentation) -> None:
    before = presentation.hooks

    model(row())
    presentation.refresh()
    (hook,) = presentation.hooks

    assert [(each["fired"], each["outcome"], each["note"]) for each in before] == [(0, "", "no run yet")]
    assert (hook["fired"], hook["outcome"], hook["note"]) == (1, "changed", "(1.5, 0.5) → (6.5, 5.5)")
    assert (hook["id"], hook["label"], hook["side"]) == (session.hooks[0].id, "add_five", "output")
    assert hook["node_ids"] == ["module:0"]


def test_a_hook_has_a_pill_on_its_card(session: Session, presentation: Presentation) -> None:
    (card, _) = (node for node in presentation.scene.graph["nodes"] if node["kind"] == "module")

    assert [(pill["text"], pill["side"], pill["hook_ids"]) for pill in card["pills"]] == [
        ("add_five", "output", [session.hooks[0].id])
    ]


def test_a_hook_that_comes_is_drawn_at_the_next_look(model: nn.Sequential, presentation: Presentation) -> None:
    drawing = presentation.drawing

    model[1].register_forward_hook(add_five)
    presentation.refresh()

    assert presentation.drawing is not drawing
    assert [hook["path"] for hook in presentation.hooks] == ["0", "1"]


def test_a_switch_needs_no_new_layout(model: nn.Sequential, session: Session, presentation: Presentation) -> None:
    drawing, hook_id = presentation.drawing, session.hooks[0].id

    reply = ask(presentation, "hook_switch", hook_ids=[hook_id], enabled=False)

    assert reply == {"refused": []}
    assert presentation.drawing is drawing
    assert presentation.node_data["module:0"].hooks_off == frozenset({hook_id})
    assert [hook["enabled"] for hook in presentation.hooks] == [False]
    assert model(row()).tolist() == [1.5, 0.5]


def test_a_hook_that_cannot_be_switched_is_told_with_the_reason(presentation: Presentation) -> None:
    reply = ask(presentation, "hook_switch", hook_ids=["forward:99:0"], enabled=False)

    assert reply["refused"] == [
        {
            "hook_id": "forward:99:0",
            "reason": "The hook 'forward:99:0' is not there any more: its owner removed it.",
        }
    ]


def test_effects_of_a_node_have_the_values_before_and_after(model: nn.Sequential, presentation: Presentation) -> None:
    model(row())
    presentation.refresh()

    reply = ask(presentation, "effects", node_id="module:0", call=0)

    (effect,) = reply["effects"]
    (entry,) = effect["entries"]
    assert (effect["outcome"], effect["text"]) == ("changed", "replaced the output")
    assert (entry["before_values"], entry["after_values"]) == ("(1.5, 0.5)", "(6.5, 5.5)")
    assert entry["difference"] == "mean changed by +5, largest change 5"
    assert reply["targets"] == ["output", "input", "grad_output", "grad_input"]
    assert reply["replacements"] == ["run 1"]


def test_an_intervention_is_made_from_its_form(model: nn.Sequential, presentation: Presentation) -> None:
    reply = ask(
        presentation, "intervene", node_id="module:1", intervention="scale", target="output",
        arguments={"factor": 2}, at="[0]",
    )  # fmt: skip

    assert model(row()).tolist() == [13, 5.5]
    assert [(hook["label"], hook["removable"]) for hook in presentation.hooks if hook["id"] == reply["hook_id"]] == [
        ("Scale(2) on output[0]", True)
    ]


def test_a_written_hook_can_be_removed(model: nn.Sequential, presentation: Presentation) -> None:
    reply = ask(
        presentation, "intervene", node_id="module:1", intervention="zero", target="output", arguments={}, at=""
    )

    ask(presentation, "hook_remove", hook_id=reply["hook_id"])

    assert model(row()).tolist() == [6.5, 5.5]
    assert [hook["label"] for hook in presentation.hooks] == ["add_five"]


def test_the_output_of_an_earlier_run_takes_the_place_of_later_ones(
    model: nn.Sequential, presentation: Presentation
) -> None:
    model(row())

    ask(
        presentation, "intervene", node_id="module:0", intervention="replace", target="output",
        arguments={"run": "run 1"}, at="",
    )  # fmt: skip

    assert model(torch.zeros(2)).tolist() == [6.5, 5.5]
    assert presentation.hooks[1]["label"] == "Replace by run 1"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        (
            {"node_id": "op::add:0", "intervention": "zero", "arguments": {}},
            "An intervention is made at a module; 'op::add:0' is none.",
        ),
        (
            {"node_id": "module:0", "intervention": "scale", "arguments": {"by": 2}},
            "Scale takes factor; got {'by': 2}.",
        ),
        (
            {"node_id": "module:0", "intervention": "replace", "arguments": {"run": "run 4"}},
            "No output of 'run 4' can be put in place here: none was kept. Run the model, and choose again.",
        ),
    ],
)
def test_an_intervention_that_cannot_be_is_explained(
    presentation: Presentation, fields: dict[str, Any], error: str
) -> None:
    assert ask(presentation, "intervene", target="output", at="", **fields) == error
