"""A tensor that was not kept can be asked for, and what stands in its way is told."""

import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.presentation import presentation_of
from tests.asker import Asker
from tests.models import fc, row


@pytest.fixture
def model() -> nn.Module:
    return nn.Sequential(nn.LeakyReLU(0.5), fc())


def test_a_tensor_that_was_not_kept_can_be_asked_for() -> None:
    model = nn.Sequential(nn.ReLU(), nn.LeakyReLU(0.5))
    session = watch(model, every=1, keep_bytes=24)  # 16 bytes are a quarter of it and more
    ask = Asker(presentation_of(session))
    place = {"node_id": "module:1", "call": 0, "tab": "output", "entry": 0}
    model(row())
    assert not ask.inspect("module:1")["entries"][0]["kept"]

    reply = ask("keep", **place, kept=True)
    model(row())

    assert reply["text"] == (
        "From the next captured run on, the tensors of 1 are kept before all others, 16 bytes for this one "
        "(limit 24 bytes), and in past steps they stay longest."
    )
    assert ask.inspect("module:1")["entries"][0]["kept"]
    assert ask.presentation.scene.playback["kept_first"] == ["1"]
    ask("keep", **place, kept=False)
    model(row())
    assert not ask.inspect("module:1")["entries"][0]["kept"]
    assert session.kept_first == ()


def test_what_can_never_be_kept_is_told_with_the_way_out() -> None:
    model = nn.ReLU()
    session = watch(model, every=1, keep_bytes=8)
    ask = Asker(presentation_of(session))
    model(torch.ones(1000))

    reply = ask("keep", node_id="module:", call=0, tab="output", entry=0, kept=True)

    assert reply["text"] == (
        "It cannot be kept: its 3.91 kB are more than keep_bytes allows, 8 bytes. "
        "hookviz.watch(model, keep_bytes=8_000) makes room."
    )
    assert session.kept_first == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("pause", "Capturing is paused: nothing comes before it is resumed."),
        ("disable", "But outputs are switched off here: switch them on as well."),
        ("every", "One of 5 runs is captured."),
        ("overhead", "When a run is captured depends on the cost limit."),
    ],
)
def test_the_promise_says_what_stands_in_its_way(change: str, sentence: str) -> None:
    model = nn.ReLU()
    session = watch(model, every=1)
    ask = Asker(presentation_of(session))
    model(row())
    match change:
        case "pause":
            session.pause()
        case "disable":
            session.disable("outputs", "")
        case "every":
            watch(model, every=5)
        case _:
            watch(model, overhead=0.1)

    reply = ask("keep", node_id="module:", call=0, tab="output", entry=0, kept=True)

    assert sentence in reply["text"]


def test_looking_at_a_module_leaves_what_was_asked_for_in_python(session: Session, ask: Asker) -> None:
    session.keep_first("1")

    ask.presentation.select("module:0")

    assert session.kept_first == ("1",)
    assert session._capturing.wanted == {"0", "1"}
