"""The widgets: a set of views of one session, to lay out as one likes, and one that has them all."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from hookviz.errors import HookvizError, OptionError
from hookviz.session import Session
from hookviz.widget.bundle import read_bundle
from hookviz.widget.choices import chosen_colour, chosen_containers, chosen_node
from hookviz.widget.commands import answer
from hookviz.widget.presentation import presentation_of
from hookviz.widget.pump import let_through
from hookviz.widget.scene import Scene
from hookviz.widget.updates import updates_of

if TYPE_CHECKING:
    from hookviz.widget.wire import View

logger = logging.getLogger("hookviz")

_CHOICES = ("selected", "expanded", "colour_by")
"""Traits that users set, in Python or in the browser."""


class _Trust(threading.local):
    """Whether what this thread sets the traits to comes from the presentation or the browser, and not from a user."""

    depth = 0

    @property
    def is_given(self) -> bool:
        return self.depth > 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class SessionWidget(anywidget.AnyWidget):
    """What the widgets have in common: they show one session and share its selection and folding.

    A widget keeps its session, but not the model. Closing the widget leaves the session as it is.

    Raises:
        OptionError: if it is given no session, but a model, say.
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
    health = traitlets.Dict(read_only=True).tag(sync=True)
    """What looks wrong, the most suspicious first."""
    hooks = traitlets.List(traitlets.Dict(), read_only=True).tag(sync=True)
    """Every hook on the model, in the order in which they run."""
    hook_states = traitlets.Dict(read_only=True).tag(sync=True)
    """What each of them did in the shown run, and whether it is on."""
    colours = traitlets.Dict(read_only=True).tag(sync=True)
    """How the cards are coloured, and what the legend says."""
    playback = traitlets.Dict(read_only=True).tag(sync=True)
    """Which captured steps there are, which of them is shown, and what is pinned to compare with."""
    selected = traitlets.Unicode().tag(sync=True)
    """Id of the selected node, such as ``module:layer1.conv1`` or ``op:layer1:add:0``; empty where nothing is.

    Can be set in Python, to the path of a module too: all views of the session then select it.
    """
    expanded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Paths of the unfolded containers, as ``layer1.0``, in alphabetical order.

    Can be set in Python: just these and the containers around them are unfolded then, in all views of the session.
    """
    colour_by = traitlets.Unicode(allow_none=True).tag(sync=True)
    """The number that cards are coloured by: ``scale``, ``gradient``, ``zeros``, ``time``, ``memory``, ``parameters``.

    Empty where they are not. Can be set in Python, None taking the colours off: all views of the session follow.
    """

    def __init__(self, session: Session, **layout: Any) -> None:
        if not isinstance(session, Session):
            raise OptionError(
                f"A widget shows a session; got {type(session).__name__}. "
                f"Give hookviz.watch(model): {type(self).__name__}(hookviz.watch(model))."
            )
        self._presentation = presentation_of(session)
        self._scene: Scene | None = None
        """What the traits hold."""
        self._trust = _Trust()
        script, style = read_bundle()
        # Before the comm opens, so that the page gets all in one message.
        self.set_trait("view", self._view)
        with self._trust:
            self._take(self._presentation.scene)
        super().__init__(_esm=script, _css=style, **{"layout": dict(self._room), **layout})
        let_through(self.comm)
        self._updates = updates_of(self._presentation, getattr(self.comm, "kernel", None))
        self._presentation.add(self)
        self.on_msg(self._answer)
        self.observe(self._choose, ["selected", "expanded", "colour_by"])

    @property
    def session(self) -> Session:
        """The session that is shown."""
        return self._presentation.session

    def show(self, scene: Scene) -> None:
        """Show this scene; only what differs from the last one crosses to the browser, in one message."""
        with self.hold_sync(), self._trust:
            self._take(scene)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what the browser says, which is not always of the newest picture: it is not refused."""
        with self._trust:
            super().set_state(sync_data)

    def close(self) -> None:
        """Take the widget off the page; the session stays open."""
        # ipywidgets also closes what was refused by __init__, once it is dropped.
        if hasattr(self, "_presentation"):
            self._presentation.remove(self)
        super().close()

    def _take(self, scene: Scene) -> None:
        shown, self._scene = self._scene, scene
        for field in fields(scene):
            value = getattr(scene, field.name)
            # To check thousands of hooks that are the same as before would take longer than to send the rest.
            # The choices are set by others, too.
            if shown is None or value is not getattr(shown, field.name) or field.name in _CHOICES:
                self.set_trait(field.name, value)

    def _answer(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        before = self._presentation.layout_under_way
        content, buffers = answer(self._presentation, message)
        under_way = self._presentation.layout_under_way
        if under_way is None or under_way is before:
            self.send(content, buffers)
            return

        def tell(problem: str) -> None:
            self.send({"id": content["id"], "error": problem} if problem else content, buffers)

        # A running cell goes on; what was asked for comes with a later step of it, and its answer then.
        self._presentation.tell_when_drawn(tell)

    @traitlets.validate("selected", "expanded", "colour_by")
    def _understand(self, proposal: Mapping[str, Any]) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if name == "colour_by":
            return chosen_colour(value)
        if self._trust.is_given:
            return value
        return (chosen_node if name == "selected" else chosen_containers)(self._presentation, value)

    def _choose(self, change: Mapping[str, Any]) -> None:
        name, value = change["name"], change["new"]
        if value == getattr(self._presentation.scene, name):
            return
        try:
            match name:
                case "selected":
                    self._presentation.select(value)
                case "expanded":
                    self._presentation.expand(value)
                case _:
                    self._presentation.colour(value or None)
        except HookvizError:
            # What cannot be shown is not shown by this view alone either.
            self.show(self._presentation.scene)
            raise

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
