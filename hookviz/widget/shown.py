"""What is shown of a session: one layout with its values, brought up to date, and told to all views."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import TYPE_CHECKING, Final

from hookviz.errors import ClosedSessionError, ModelGoneError
from hookviz.widget.layout import Layout
from hookviz.widget.layout_job import LayoutJob, LayoutJobs
from hookviz.widget.scene import Scene, View
from hookviz.widget.scene_parts import SceneParts
from hookviz.widget.status import visible_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hookviz.graph.badges import Badges
    from hookviz.graph.node_data import NodeData
    from hookviz.session import Session
    from hookviz.session.step import Step
    from hookviz.widget.compare_commands import Pinned
    from hookviz.widget.drawing import Drawing
    from hookviz.widget.hook_wire import HookWire
    from hookviz.widget.step_source import Source
    from hookviz.widget.updates import Updates

GRACE_SECONDS: Final = 0.1
"""So long a running cell waits for a layout: most pictures are small, and take less."""


class Shown:
    """Keeps the picture of a session up to date, and tells its views when that changes.

    Lays out once for all views. Its methods may be called from any thread: clicks are answered by the
    main thread or by a thread of the kernel's own. When the session is closed or its model is gone, the
    last picture stays.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._views: weakref.WeakSet[View] = weakref.WeakSet()
        self._lock = threading.RLock()
        self.held: Step | None = None
        """The past step that is shown for as long as nobody goes on."""
        self.pinned: Pinned | None = None
        """What others are compared with."""
        self.updates: Updates | None = None
        """What calls ``refresh`` while cells run; made for the first widget."""
        self.problem = ""
        """What a fault in showing switched off, else empty."""
        self._layout = Layout(session)
        self._jobs = LayoutJobs()
        self._revealed: str | None = None
        """A module that is selected once it is shown."""
        self._waiting_cell: int | None = None
        """The thread that a running cell lends us between two runs of the model."""
        self._told_when_drawn: list[Callable[[str], None]] = []
        session.when_closed(self._jobs.stop)
        # Also at the end of the process.
        weakref.finalize(self, self._jobs.stop)
        self._parts = SceneParts(session)
        self.colours = self._parts.colours
        self.scene = self._look("")

    @property
    def drawing(self) -> Drawing:
        """The layout that is shown."""
        return self._layout.drawing

    @property
    def node_data(self) -> dict[str, NodeData]:
        """What the cards of the drawing show."""
        return self._parts.node_data

    @property
    def badges(self) -> Badges:
        """What the cards of the drawing show of what looks wrong."""
        return self._parts.badges(self.drawing, self.held)

    @property
    def hooks(self) -> list[HookWire]:
        """The hooks on the model."""
        return self._parts.hooks

    def add(self, view: View) -> None:
        """Tell a view of each change from now on, as long as it lives."""
        with self._lock:
            self._views.add(view)
            view.show(self.scene)

    def remove(self, view: View) -> None:
        """Tell a view of nothing more."""
        with self._lock:
            self._views.discard(view)

    @property
    def has_views(self) -> bool:
        """Whether anything shows it at the moment."""
        return bool(self._views)

    @property
    def is_stale(self) -> bool:
        """Whether the session has something newer than what is shown, or something else is to be laid out."""
        is_as_wanted = self._layout.waiting is None and not self._layout.is_outdated_for(self.shown)
        return not is_as_wanted or self._parts.are_stale(self.problem)

    @property
    def is_behind(self) -> bool:
        """Whether what looks wrong was not looked for since the last values came, as it costs more."""
        return self._parts.health.is_behind

    @property
    def shown(self) -> Source:
        """What the picture takes its values from: the session as it is now, or a past step of it."""
        return self.session if self.held is None else self.held

    def refresh(self, *, wait: bool = True, may_draw: bool = True) -> bool:
        """Show the session as it is now, laid out anew only if its structure changed.

        ``wait=False`` is for a running cell: do nothing while another thread works on the picture, lay out
        beside the cell, and leave hooks that came or went to the next captured run, which looks for them in
        any case. Without ``may_draw``, new values are shown in the old layout.

        Returns:
            Whether it was done.
        """
        if not self._lock.acquire(blocking=wait):
            return False
        try:
            is_under_way = not wait and self._jobs.newest is not None
            if is_under_way and not self._parts.are_stale(self.problem):
                return False
            if wait:
                self.look_for_hooks()
            # A structure that changes all the time would else never be shown.
            if may_draw and not is_under_way and self._layout.is_outdated_for(self.shown):
                with contextlib.suppress(ClosedSessionError, ModelGoneError):
                    self._layout.draw_anew(self.shown)
        finally:
            self._lock.release()
        self._lay_out(is_live=not wait)
        return True

    @contextlib.contextmanager
    def beside_a_cell(self) -> Iterator[None]:
        """Inside, layouts that this thread asks for do not hold it up: a running cell waits in it."""
        self._waiting_cell = threading.get_ident()
        try:
            yield
        finally:
            self._waiting_cell = None

    @property
    def layout_under_way(self) -> LayoutJob | None:
        """The newest layout, while it is not shown yet."""
        return self._jobs.newest

    def take_layout(self, *, wait: bool = True) -> float:
        """Show the layout that was under way, if it is over; with ``wait=False`` unless another thread is at work.

        Returns:
            How many seconds it took; 0 if there is none.

        Raises:
            Exception: what it failed with. Then all stays as it is shown.
        """
        if not self._lock.acquire(blocking=wait):
            return 0.0
        try:
            job = self._jobs.take()
            if job is None:
                return 0.0
            if job.error is not None:
                self._layout.give_up()
                self._revealed = None
            elif job.drawing is not None and job.plan is self._layout.waiting:
                self._layout.take(job.drawing)
            self._show_anew(is_live=not wait)
            told, self._told_when_drawn = self._told_when_drawn, []
        finally:
            self._lock.release()
        for tell in told:
            tell("" if job.error is None else f"{type(job.error).__name__}: {job.error}")
        if job.error is not None:
            raise job.error
        return job.seconds

    def tell_when_drawn(self, tell: Callable[[str], None]) -> None:
        """Call this once nothing is to be laid out any more, with what went wrong, else with an empty text."""
        with self._lock:
            if self._jobs.newest is not None:
                self._told_when_drawn.append(tell)
                return
        tell("")

    def look_for_hooks(self) -> None:
        """See whether hooks came or went, which makes the picture stale."""
        with contextlib.suppress(ModelGoneError):
            self.session.look_for_hooks()

    def _lay_out(self, *, is_live: bool = False) -> None:
        """Show what is wanted once it is laid out; while a cell waits for that, what is there."""
        with self._lock:
            wanted = self._layout.waiting
            if wanted is None:
                self._show_anew(is_live=is_live)
                return
            job = self._jobs.job_for(wanted)
        if not (is_live or self._waiting_cell == threading.get_ident()):
            job.run()
        else:
            job.run_beside(GRACE_SECONDS)
            if not job.is_over:
                with self._lock:
                    self._show_anew(is_live=is_live)
                return
        self.take_layout(wait=not is_live)

    def _show_anew(self, *, is_live: bool = False) -> None:
        selected = self.scene.selected
        if self._revealed is not None and self._layout.waiting is None:
            # The model itself has no card, and can be looked into all the same.
            selected = visible_node(self.drawing.graph, self._revealed) or f"module:{self._revealed}"
            self._revealed = None
        self._show(self._look(selected, is_live=is_live))

    def _show(self, scene: Scene) -> None:
        self.scene = scene
        for view in tuple(self._views):
            view.show(scene)

    def _look(self, selected: str, *, is_live: bool = False) -> Scene:
        return self._parts.look(self.drawing, self.held, self.pinned, selected, problem=self.problem, is_live=is_live)
