"""Puts a session on display: the live widget, and below it a static picture that outlives the kernel."""

from __future__ import annotations

import contextlib
import logging
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from IPython.core.getipython import get_ipython
from IPython.display import display

from hookviz.errors import NoNotebookError, OptionError
from hookviz.graph.colour_by import measure_named
from hookviz.magic.cell_numbers import number_cells_of
from hookviz.magic.static import static_bundle
from hookviz.magic.tensor_display import tensor_bundle
from hookviz.session import Session, watch
from hookviz.session.picture import direction_named, require_depth
from hookviz.session.tensor_view import TensorView
from hookviz.widget.presentation import Presentation, presentation_of
from hookviz.widget.widget import HookViz

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import DisplayHandle
    from torch import nn

    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy

logger = logging.getLogger("hookviz")


def show(
    target: Session | nn.Module | torch.Tensor,
    *,
    depth: int | None = None,
    direction: Direction | None = None,
    colour_by: ColourBy | None = None,
    **options: Any,
) -> None:
    """Show a session, a model or a tensor; see ``hookviz.show``.

    Raises:
        NoNotebookError: outside of IPython.
        NotAModelError: if it is nothing of these.
        OptionError: if the arguments do not fit.
    """
    shell = get_ipython()
    if shell is None:
        raise NoNotebookError(
            "hookviz.show needs a notebook or IPython to display in. "
            "In a script, use session.text() or session.export('model.svg')."
        )
    if isinstance(target, torch.Tensor):
        displays_of(shell).show_tensor(target, "tensor")
        return
    require_depth(depth)
    way = None if direction is None else direction_named(direction)
    by = None if colour_by is None else measure_named(colour_by)
    if isinstance(target, Session):
        if options:
            given = ", ".join(f"{name}={value!r:.40}" for name, value in options.items())
            raise OptionError(f"A session has its options already: hookviz.watch(session.model, {given}) changes them.")
        session = target
    else:
        session = watch(target, **options)
    displays_of(shell).show(session, depth=depth, direction=way, by=by)


def displays_of(shell: InteractiveShell) -> Displays:
    """What is on display in this shell."""
    if shell not in _displays:
        _displays[shell] = Displays(shell)
        number_cells_of(shell)
    return _displays[shell]


@dataclass(eq=False, slots=True)
class _Shown:
    cell_id: str | None
    widget: HookViz
    handle: DisplayHandle
    presentation: Presentation
    picture: object
    """What the static picture was made from."""
    notices: list[str] = field(default_factory=list)
    """What of the model could not be observed when this was last looked for; one line or none."""


class Displays:
    """All pictures of one notebook: brings the static ones up to date after each cell.

    When a cell runs again, its old output goes, and the widgets in it are closed; else each run of
    ``%hookviz model`` would leave one behind that nobody sees and that is still sent each value.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._shown: list[_Shown] = []
        shell.events.register("pre_run_cell", self._before_cell)
        shell.events.register("post_run_cell", self._after_cell)

    @property
    def is_live(self) -> bool:
        """Whether there is a notebook; a terminal only prints."""
        return getattr(self._shell, "kernel", None) is not None

    def show(
        self,
        session: Session,
        *,
        depth: int | None = None,
        direction: Direction | None = None,
        by: ColourBy | None = None,
    ) -> None:
        """Display a session in the running cell."""
        if not self.is_live:
            print(session.text(depth=depth))  # noqa: T201  # a terminal shows nothing else
            return
        presentation = presentation_of(session)
        presentation.refresh()
        if depth is not None:
            presentation.unfold_to(depth)
        if direction is not None:
            presentation.turn(direction)
        if by is not None:
            presentation.colour(by)
        widget = HookViz(session)
        live, metadata = widget._repr_mimebundle_()
        # Where no kernel runs, the picture below speaks: a line of text above it would only puzzle.
        display(live | {"text/plain": ""}, metadata=metadata, raw=True)
        handle = display(static_bundle(presentation), raw=True, display_id=True)
        self._shown.append(_Shown(self._running_cell(), widget, handle, presentation, _picture_of(presentation)))

    def show_tensor(self, tensor: torch.Tensor, name: str) -> None:
        """Display a tensor as it is now; leaves that it was computed from have the user's names."""
        names = {id(value): key for key, value in self._shell.user_ns.items() if type(key) is str and key[:1] != "_"}
        view = TensorView.of(tensor, name, names)
        if self.is_live:
            display(tensor_bundle(view), raw=True)
        else:
            print(view.text())  # noqa: T201  # a terminal shows nothing else

    def stop(self) -> None:
        """Bring all pictures up to date for the last time, and let go of the shell."""
        self._after_cell()
        for name, callback in (("pre_run_cell", self._before_cell), ("post_run_cell", self._after_cell)):
            with contextlib.suppress(ValueError):
                self._shell.events.unregister(name, callback)
        self._shown.clear()
        _displays.pop(self._shell, None)

    def _running_cell(self) -> str | None:
        """Id of the cell that runs, None where the front end does not tell."""
        request = self._shell.get_parent() if hasattr(self._shell, "get_parent") else {}
        cell_id: str | None = request.get("metadata", {}).get("cellId")
        return cell_id

    def _before_cell(self, info: Any = None) -> None:
        cell_id = getattr(info, "cell_id", None)
        if cell_id is None:
            return
        for shown in self._shown:
            if shown.cell_id == cell_id:
                shown.widget.close()
        self._shown = [shown for shown in self._shown if shown.cell_id != cell_id]

    def _after_cell(self, _result: object = None) -> None:
        for shown in self._shown:
            try:
                self._update(shown)
            except Exception:  # a fault of the picture is not one of the user's cell
                logger.exception("The static picture of %s was not brought up to date.", shown.presentation)

    def _update(self, shown: _Shown) -> None:
        # Nothing tells that the model was compiled: it is looked for after each cell.
        notices = shown.presentation.session.unobservable()[:1]
        # A widget that knows its kernel has shown all else already; others rely on it.
        if shown.presentation.is_stale or notices != shown.notices:
            shown.presentation.refresh()
            shown.notices = notices
        picture = _picture_of(shown.presentation)
        if picture != shown.picture:
            shown.handle.update(static_bundle(shown.presentation), raw=True)
            shown.picture = picture


def _picture_of(presentation: Presentation) -> object:
    return presentation.scene.svg, presentation.node_data, presentation.colours.colouring


_displays: weakref.WeakKeyDictionary[InteractiveShell, Displays] = weakref.WeakKeyDictionary()
