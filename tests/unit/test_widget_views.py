"""The widgets themselves: what crosses to the browser, and what comes back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import BundleMissingError, OptionError
from hookviz.session import Session
from hookviz.widget.bundle import read_bundle
from hookviz.widget.card_lines import ROW
from hookviz.widget.widget import DiagramWidget, HooksWidget, HookViz, InspectorWidget, SessionWidget

pytestmark = pytest.mark.usefixtures("bundle")


@pytest.fixture
def model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU())


@pytest.fixture
def widget(session: Session) -> Iterator[HookViz]:
    widget = HookViz(session)
    yield widget
    widget.close()


@pytest.mark.parametrize(
    ("kind", "view"),
    [(HookViz, "all"), (DiagramWidget, "diagram"), (InspectorWidget, "inspector"), (HooksWidget, "switches")],
)
def test_each_widget_has_its_view(session: Session, kind: type[SessionWidget], view: str) -> None:
    widget = kind(session)

    assert widget.view == view
    assert widget.get_state("view") == {"view": view}
    widget.close()


@pytest.mark.parametrize(
    ("given", "name"), [(nn.Linear(2, 3), "Linear"), (3, "int"), (None, "NoneType")], ids=["model", "number", "none"]
)
@pytest.mark.parametrize("kind", [HookViz, DiagramWidget, InspectorWidget, HooksWidget])
def test_what_is_no_session_is_refused_with_the_way_to_one(kind: type[SessionWidget], given: Any, name: str) -> None:
    with pytest.raises(OptionError) as caught:
        kind(given)

    assert str(caught.value) == (
        f"A widget shows a session; got {name}. Give hookviz.watch(model): {kind.__name__}(hookviz.watch(model))."
    )


def test_a_widget_that_was_refused_goes_without_a_word() -> None:
    refused = InspectorWidget.__new__(InspectorWidget)

    refused.close()

    assert refused.comm is None


def test_widgets_share_the_width_of_a_row_unless_the_user_lays_them_out(session: Session) -> None:
    given, laid_out = DiagramWidget(session), DiagramWidget(session, layout={"width": "500px"})

    assert (given.layout.flex, given.layout.min_width) == ("3 1 auto", "280px")
    assert (laid_out.layout.flex, laid_out.layout.width) == (None, "500px")
    given.close()
    laid_out.close()


def test_widget_brings_all_that_a_page_needs_to_draw_it(widget: HookViz) -> None:
    state = widget.get_state()

    assert state["svg"].startswith("<svg")
    assert [node["id"] for node in state["graph"]["nodes"] if node["kind"] == "module"] == ["module:0", "module:1"]
    assert len(state["numbers"]) == ROW.size * len(state["graph"]["nodes"])
    assert state["node_data"] == {}
    assert (state["hooks"], state["hook_states"]) == ([], {"states": [], "of": []})
    assert state["status"]["state"] == "waiting"
    assert [switch["what"] for switch in state["switches"]] == ["outputs", "gradients", "inputs"]
    assert (state["selected"], state["expanded"]) == ("", [])
    assert state["_esm"] == "export default {}"


def test_only_what_changed_is_sent(model: nn.Sequential, widget: HookViz, monkeypatch: pytest.MonkeyPatch) -> None:
    model(torch.ones(1, 2))
    widget._presentation.refresh()
    sent: list[tuple[set[str], list[list[str]]]] = []

    def send(message: dict[str, Any], buffers: object = None) -> None:
        sent.append((set(message["state"]), message["buffer_paths"]))

    monkeypatch.setattr(widget, "_send", send)

    model(torch.full((1, 2), 5.0))
    widget._presentation.refresh()

    assert sent == [({"status", "playback"}, [["numbers"]])]


def test_command_is_answered_to_the_widget_that_asked(widget: HookViz, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append((content["id"], buffers)))

    widget._handle_custom_msg({"id": 3, "command": "pause", "paused": True}, [])

    assert sent == [(3, [])]
    assert widget.session.is_paused


def test_selection_made_in_the_browser_is_shared(session: Session, widget: HookViz) -> None:
    other = InspectorWidget(session)

    widget.set_state({"selected": "module:1"})

    assert other.selected == "module:1"
    other.close()


def test_selection_made_in_python_is_shared(session: Session, widget: HookViz) -> None:
    other = DiagramWidget(session)

    other.selected = "module:0"

    assert widget.selected == "module:0"
    other.close()


def test_state_that_python_owns_cannot_be_set_by_mistake(widget: HookViz) -> None:
    with pytest.raises(Exception, match="read-only"):
        widget.svg = "<svg/>"


def test_closed_widget_leaves_the_session_open(session: Session) -> None:
    widget = HookViz(session)

    widget.close()

    assert session.is_open
    assert widget.comm is None


def test_text_of_a_widget_is_the_same_in_each_process(session: Session, widget: HookViz) -> None:
    session.name = "net"

    bundle = widget._repr_mimebundle_()

    assert bundle[0]["text/plain"] == "Live view of net."
    assert repr(widget) == "<HookViz of net>"


def test_bundle_that_was_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    (tmp_path / "widget.js").write_text("")

    with pytest.raises(BundleMissingError) as caught:
        read_bundle(tmp_path)

    assert str(caught.value) == (
        f"The widget's front end is not built: {tmp_path / 'widget.css'} is missing. "
        "In a checkout of hookviz, run: pip install -e .   (or: npm ci && npm run build, in hookviz/frontend)."
    )
