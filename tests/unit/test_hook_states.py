"""What of the hooks changes from run to run crosses apart from what does not."""

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import torch
from torch import nn

from hookviz.session import Session
from hookviz.widget import hook_wire
from hookviz.widget.hook_entries import listed_and_states
from hookviz.widget.widget import HooksWidget

HOOKS: Any = json.loads((Path(__file__).parents[1] / "wire" / "hooks.json").read_text(encoding="utf-8"))


pytestmark = pytest.mark.usefixtures("bundle")


@pytest.fixture
def model() -> nn.Sequential:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    for module in model:
        module.register_forward_hook(lambda module, args, output: None)
    return model


def test_list_and_states_together_are_the_hooks() -> None:
    listed, states = listed_and_states(HOOKS)

    assert [{**hook, **states["states"][number]} for hook, number in zip(listed, states["of"], strict=True)] == HOOKS


def test_each_has_the_fields_of_its_type() -> None:
    listed, states = listed_and_states(HOOKS)

    assert set(listed[0]) == set(get_type_hints(hook_wire.ListedHookWire))
    assert set(states) == set(get_type_hints(hook_wire.HookStatesWire))
    assert set(states["states"][0]) == set(get_type_hints(hook_wire.HookStateWire))


def test_hooks_that_are_in_one_state_share_it() -> None:
    hooks: Any = [{**HOOKS[0], "id": f"forward:{number}:fc"} for number in range(4800)]

    listed, states = listed_and_states(hooks)

    assert len(listed) == 4800
    assert (len(states["states"]), set(states["of"])) == (1, {0})
    assert len(json.dumps(states)) < 15_000


def test_run_changes_the_states_alone(model: nn.Sequential, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    widget = HooksWidget(session)
    sent: list[set[str]] = []
    monkeypatch.setattr(widget, "_send", lambda message, buffers=None: sent.append(set(message["state"])))
    model(torch.ones(1, 2))
    widget._presentation.refresh()
    sent.clear()

    session.hooks[0].disable()
    model(torch.ones(1, 2))
    widget._presentation.refresh()

    assert "hook_states" in sent[-1]
    assert not any("hooks" in names for names in sent)
    assert [widget.hook_states["states"][number]["enabled"] for number in widget.hook_states["of"]] == [False, True]
    widget.close()
