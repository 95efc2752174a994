"""Each command of the browser gets its reply or a sentence on what went wrong, never an exception."""

import json
import logging
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.session import Session
from hookviz.widget.commands import answer
from hookviz.widget.presentation import Presentation, presentation_of


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))


@pytest.fixture
def presentation(model: nn.Sequential, session: Session) -> Presentation:
    presentation = presentation_of(session)
    model(torch.tensor([[1.0, 2.0]])).sum().backward()
    presentation.refresh()
    return presentation


def ask(presentation: Presentation, command: str, **fields: Any) -> tuple[Any, list[bytes]]:
    content, buffers = answer(presentation, {"id": 7, "command": command, **fields})
    assert content["id"] == 7
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    return content.get("reply", content.get("error")), buffers


def test_inspect_tells_what_flowed(presentation: Presentation) -> None:
    reply, _ = ask(presentation, "inspect", node_id="module:0", call=0)

    assert (reply["path"], reply["type_name"], reply["tab"], reply["step"]) == ("0", "Linear", "output", 1)
    assert [(entry["label"], entry["kept"]) for entry in reply["entries"]] == [("output", True)]
    assert reply["entries"][0]["summary"]["shape"] == [1, 3]


def test_picture_sends_the_values_of_an_entry(model: nn.Sequential, presentation: Presentation) -> None:
    reply, buffers = ask(presentation, "picture", node_id="module:0", call=0, tab="parameters", entry=0)

    assert (reply["rows"], reply["columns"]) == (3, 2)
    assert np.frombuffer(buffers[0], np.float32).tolist() == model.get_parameter("0.weight").flatten().tolist()


def test_picture_of_an_entry_that_is_not_there_says_how_many_there_are(presentation: Presentation) -> None:
    error, _ = ask(presentation, "picture", node_id="module:0", call=0, tab="output", entry=3)

    assert error == "The tab 'output' of 0 has 1 entries, so none with number 3."


def test_picture_of_what_was_not_captured_gives_the_reason(presentation: Presentation) -> None:
    error, _ = ask(presentation, "picture", node_id="module:0", call=0, tab="input", entry=0)

    assert "inputs" in error


def test_fold_and_depth_change_the_picture(presentation: Presentation) -> None:
    ask(presentation, "fold", path="1", expanded=False)
    folded = presentation.scene.expanded
    reply, _ = ask(presentation, "depth", depth=1)

    assert (folded, presentation.scene.expanded, reply) == ([], ["1"], {})


def test_reveal_selects_a_module_that_is_folded_away(presentation: Presentation) -> None:
    ask(presentation, "fold", path="1", expanded=False)

    ask(presentation, "reveal", path="1.0")

    assert (presentation.scene.expanded, presentation.scene.selected) == (["1"], "module:1.0")


def test_switch_acts_from_the_next_run(model: nn.Sequential, session: Session, presentation: Presentation) -> None:
    ask(presentation, "switch", what="outputs", path="0", enabled=False)
    off = presentation.scene.switches[0]["off_paths"]
    model(torch.ones(1, 2))

    reply, _ = ask(presentation, "inspect", node_id="module:0", call=0)

    assert off == ["0"]
    assert reply["off"] == ["outputs"]
    assert [entry["summary"] for entry in reply["entries"]] in ([], [None])
    assert not session.is_enabled("outputs", "0")
    assert session.is_enabled("outputs", "1.1")


def test_switch_without_a_path_is_for_all_modules(session: Session, presentation: Presentation) -> None:
    ask(presentation, "switch", what="inputs", path=None, enabled=True)

    assert session.is_enabled("inputs")
    assert [switch["enabled"] for switch in presentation.scene.switches] == [True, True, True]


def test_pause_stops_capturing_until_resumed(
    model: nn.Sequential, session: Session, presentation: Presentation
) -> None:
    ask(presentation, "pause", paused=True)
    model(torch.ones(1, 2))
    paused = presentation.scene.status["state"], session.runs_captured

    ask(presentation, "pause", paused=False)
    model(torch.ones(1, 2))

    assert paused == ("paused", 1)
    assert (presentation.scene.status["state"], session.runs_captured) == ("live", 2)


@pytest.mark.parametrize(
    ("form", "begin", "media_type"),
    [
        ("svg", b"<svg", "image/svg+xml"),
        ("png", b"\x89PNG", "image/png"),
        ("dot", b"digraph", "text/vnd.graphviz"),
        ("json", b'{"format": "hookviz"', "application/json"),
        ("html", b"<!doctype html>", "text/html"),
    ],
)
def test_export_sends_the_picture_as_a_file(
    session: Session, presentation: Presentation, form: str, begin: bytes, media_type: str
) -> None:
    session.name = 'a/b "c"'

    reply, buffers = ask(presentation, "export", format=form)

    assert reply == {"file_name": f"a_b__c_.{form}", "media_type": media_type}
    assert buffers[0].startswith(begin)


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (None, "A command is an object with a number 'id', got {}."),
        ({"command": "pause", "paused": True}, "A command is an object with a number 'id', got {'command'"),
        (
            {"id": 1},
            "There is no command None; there are back, compare, depth, direction, effects, export, find, fold, ",
        ),
        ({"id": 1, "command": ["fold"]}, "There is no command ['fold']; there are "),
        ({"id": 1, "command": "fold"}, "The command 'fold' needs 'path' as str, got None."),
        ({"id": 1, "command": "depth", "depth": True}, "The command 'depth' needs 'depth' as int, got True."),
        ({"id": 1, "command": "depth", "depth": 10**400}, ""),
        (
            {"id": 1, "command": "switch", "what": "all", "path": None, "enabled": True},
            "The command 'switch' needs 'what' as one of outputs, gradients, inputs, got 'all'.",
        ),
        (
            {
                "id": 1,
                "command": "picture",
                "node_id": "module:0",
                "call": 0,
                "tab": "output",
                "entry": 0,
                "index": "x",
            },
            "The command 'picture' needs 'index' as list, got 'x'.",
        ),
        (
            {"id": 1, "command": "inspect", "node_id": "op::gone:0", "call": 0},
            "The picture of Sequential has no node 'op::gone:0' any more.",
        ),
        ({"id": 1, "command": "inspect", "node_id": "module:9", "call": 0}, "no module"),
        (
            {"id": 1, "command": "export", "format": {}},
            "The command 'export' needs 'format' as one of svg, png, dot, json, html",
        ),
    ],
)
def test_malformed_command_gets_an_error(presentation: Presentation, message: Any, error: str) -> None:
    content, buffers = answer(presentation, message)

    assert error in content.get("error", "")
    assert buffers == []
    assert len(content.get("error", "")) < 500


def test_unexpected_fault_is_named_and_logged(
    presentation: Presentation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("lamp burnt out")

    monkeypatch.setattr(presentation.session, "pause", broken)

    with caplog.at_level(logging.ERROR, "hookviz"):
        error, _ = ask(presentation, "pause", paused=True)

    assert error == "hookviz failed at 'pause': RuntimeError: lamp burnt out"
    assert "lamp burnt out" in caplog.text
