"""The widgets: a set of views of one session, to lay out as one likes, and one that has them all."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from hookviz.widget.bundle import read_bundle
from hookviz.widget.commands import answer
from hookviz.widget.presentation import Scene, presentation_of
from hookviz.widget.pump import let_through
from hookviz.widget.updates import updates_of

if TYPE_CHECKING:
    from hookviz.session import Session
    from hookviz.widget.wire import View

logger = logging.getLogger("hookviz")


class SessionWidget(anywidget.AnyWidget):
    """What the widgets have in common: they show one session and share its selection and folding.

    A widget keeps its session, but not the model. Closing the widget leaves the session as it is.
    """

    _view: View = "all"
    _room: Mapping[str, str] = MappingProxyType({})
    """Its share of a row of widgets; in a column and by itself, it takes the whole width."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    view = traitlets.Unicode(read_only=True).tag(sync=True)
    """Which panes are drawn."""
    svg = traitlets.Unicode(read_only=True).tag(sync=True)
    """The laid-out diagram; a new one only if the structure or the folding changed."""
    graph = traitlets.Dict(read_only=True).tag(sync=True)
    """What ``svg`` shows, as data."""
    numbers = traitlets.Bytes(read_only=True).tag(sync=True)
    """The numbers on all cards; ``card_lines.ROW`` is one card's."""
    node_data = traitlets.Dict(read_only=True).tag(sync=True)
    """What else stands on the cards: words."""
    status = traitlets.Dict(read_only=True).tag(sync=True)
    """Title and status line."""
    switches = traitlets.List(traitlets.Dict(), read_only=True).tag(sync=True)
    """The kinds of capture, and where each is off."""
    hooks = traitlets.List(traitlets.Dict(), read_only=True).tag(sync=True)
    """Every hook on the model, in the order in which they run."""
    hook_states = traitlets.Dict(read_only=True).tag(sync=True)
    """What each of them did in the shown run, and whether it is on."""
    selected = traitlets.Unicode().tag(sync=True)
    """Id of the selected node, such as ``module:layer1.conv1``, or empty; the browser sets it, and so may you."""
    expanded = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    """Paths of the unfolded containers."""

    def __init__(self, session: Session, **layout: Any) -> None:
        self._presentation = presentation_of(session)
        self._scene: Scene | None = None
        """What the traits hold."""
        script, style = read_bundle()
        # Before the comm opens, so that the page gets all in one message.
        self.set_trait("view", self._view)
        self._take(self._presentation.scene)
        super().__init__(_esm=script, _css=style, **{"layout": dict(self._room), **layout})
        let_through(self.comm)
        self._updates = updates_of(self._presentation, getattr(self.comm, "kernel", None))
        self._presentation.add(self)
        self.on_msg(self._answer)
        self.observe(self._select, "selected")

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self._presentation.session

    def show(self, scene: Scene) -> None:
        """Show this scene; only what differs from the last one crosses to the browser, in one message."""
        with self.hold_sync():
            self._take(scene)

    def close(self) -> None:
        """Take the widget off the page; the session stays open."""
        self._presentation.remove(self)
        super().close()

    def _take(self, scene: Scene) -> None:
        shown, self._scene = self._scene, scene
        for field in fields(scene):
            value = getattr(scene, field.name)
            # To check thousands of hooks that are the same as before would take longer than to send the rest.
            # The selection is set by others, too.
            if shown is None or value is not getattr(shown, field.name) or field.name == "selected":
                self.set_trait(field.name, value)

    def _answer(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        content, buffers = answer(self._presentation, message)
        self.send(content, buffers)

    def _select(self, change: Mapping[str, Any]) -> None:
        self._presentation.select(change["new"])

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle: tuple[dict[str, Any], dict[str, Any]] | None = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if bundle is not None else ({}, {})
        # What a page without a kernel shows in the widget's place.
        return data | {"text/plain": f"Live view of {self.session.name}."}, metadata

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.session.name}>"


class HookViz(SessionWidget):
    """Switches, diagram and inspector side by side, with a toolbar and a status line."""


class DiagramWidget(SessionWidget):
    """The diagram alone."""

    _view = "diagram"
    _room = MappingProxyType({"flex": "3 1 auto", "min_width": "280px"})


class InspectorWidget(SessionWidget):
    """What flowed at the selected node."""

    _view = "inspector"
    _room = MappingProxyType({"flex": "1 1 auto", "min_width": "296px"})


class HooksWidget(SessionWidget):
    """What is captured, and what is not."""

    _view = "switches"
    _room = MappingProxyType({"flex": "1 1 auto", "min_width": "212px"})
