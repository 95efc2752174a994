"""``%hookviz`` and ``%%hookviz``."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import torch
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from torch import nn

from hookviz.errors import HookvizError, ModelGoneError
from hookviz.magic.arguments import Request, help_text, parse, words_of
from hookviz.magic.cell import run_cell
from hookviz.magic.display import displays_of
from hookviz.magic.expressions import pattern_of, values_of
from hookviz.session import Session, WatchOptions, session_of, watch

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

LONGEST_NAME = 40
"""A longer expression is no title; the class of the model is."""


@dataclass(frozen=True, slots=True)
class _Watched:
    expression: str
    model: object
    """Held while the magic runs: the value of an expression has no other owner."""
    session: Session
    before: WatchOptions | None
    """The options that it had; None if the model was not watched."""

    def undo(self) -> None:
        """Leave the model watched as it was before, or not at all."""
        if self.before is None:
            self.session.close()
        elif self.session.is_open:
            self.session.apply(self.before)


@magics_class
class HookvizMagics(Magics):
    """Watches the models that it is given, and remembers which."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._shell = shell
        self._sessions: list[Session] = []

    # Without expansion: {} and $ belong to the expression.
    @no_var_expand
    @line_cell_magic
    def hookviz(self, line: str, cell: str | None = None) -> None:
        """See what flows through a PyTorch model, live, while your own cells run it.

        ``%hookviz model`` shows a diagram of the model. Run the model in the next cells: values and
        gradients appear on it; a click on a module shows its tensors. The model computes as before.

        ``%%hookviz model`` watches only while the cell runs, and shows what it did.
        """
        request = parse(line)
        if cell is not None:
            self._run_under(request, cell)
            return
        with _usage_errors():
            self._run(request)

    def close_all(self) -> None:
        """Stop watching every model that the magics watch."""
        for session in self._sessions:
            session.close()
        self._sessions.clear()

    def _run(self, request: Request) -> None:
        if request.is_help:
            print(help_text())  # noqa: T201  # what was asked for
        elif request.is_list:
            self._print_list()
        elif request.is_off:
            self._stop(request)
        elif request.models:
            # All are looked up before the first is watched: a mistake in the second changes nothing.
            named = list(zip(request.models, values_of(self._shell, request.models), strict=True))
            models = [(expression, value) for expression, value in named if not isinstance(value, torch.Tensor)]
            for expression, value in models:
                # A class of models is refused by watch(), which tells how to make one of it.
                if not isinstance(value, (nn.Module, Session, type)):
                    raise UsageError(
                        f"%hookviz: {expression} is neither a model nor a tensor; its type is {type(value).__name__}."
                    )
            self._show(self._watch(models, request), request)
            for expression, value in named:
                if isinstance(value, torch.Tensor):
                    displays_of(self._shell).show_tensor(value, request.name or expression)
        else:
            raise UsageError("%hookviz: name a model, as in: %hookviz model. All options: %hookviz?")

    def _run_under(self, request: Request, cell: str) -> None:
        if request.is_help or request.is_list or request.is_off:
            raise UsageError("%hookviz: --off, --list and --help stand alone, without a cell below: %hookviz --off")
        if not request.models:
            raise UsageError("%hookviz: name a model, as in: %%hookviz model. All options: %hookviz?")
        displays = displays_of(self._shell)
        with _usage_errors():
            # All are looked up before the first is watched: a mistake in the second changes nothing.
            values = values_of(self._shell, request.models, cell)
            watched = self._watch(list(zip(request.models, values, strict=True)), request)
        try:
            if displays.is_live:
                # Shown first, so that it is live while the cell runs.
                with _usage_errors():
                    self._show(watched, request)
            run_cell(self._shell, cell)
        finally:
            if not displays.is_live:
                self._show(watched, request)
            for each in watched:
                each.undo()

    def _show(self, watched: list[_Watched], request: Request) -> None:
        for each in watched:
            kept = "" if each.before is None else words_of(each.before, leave_out=request.options)
            if kept:
                again = f"{each.expression} is watched with {kept}, as before."
                print(f"{again} To begin anew: %hookviz --off {each.expression}")  # noqa: T201  # above the picture
            displays_of(self._shell).show(
                each.session, depth=request.depth, direction=request.direction, by=request.colour_by
            )

    def _watch(self, models: list[tuple[str, object]], request: Request) -> list[_Watched]:
        options = {
            name: [pattern_of(self._shell, word) for word in value] if name in ("only", "exclude") else value
            for name, value in request.options.items()
        }
        watched: list[_Watched] = []
        try:
            for expression, value in models:
                watched.append(_watched(expression, value, options, request.name))
        except HookvizError:
            for each in reversed(watched):
                each.undo()
            raise
        known = self._open()
        self._sessions += [each.session for each in watched if all(each.session is not session for session in known)]
        return watched

    def _open(self) -> list[Session]:
        self._sessions = [session for session in self._sessions if session.is_open and _has_model(session)]
        return self._sessions

    def _stop(self, request: Request) -> None:
        if not request.models:
            self.close_all()
            return
        values = values_of(self._shell, request.models)
        sessions = [value if isinstance(value, Session) else session_of(value) for value in values]
        for expression, session in zip(request.models, sessions, strict=True):
            if session is None:
                raise UsageError(f"%hookviz: {expression} is not watched. The watched models: %hookviz --list")
        for session in sessions:
            if session is not None:
                session.close()

    def _print_list(self) -> None:
        lines = [
            f"{session.name}: {type(session.model).__name__}, "
            f"{session.runs_captured} of {session.runs_seen} runs captured"
            for session in self._open()
        ]
        print("\n".join(lines) or "No model is watched.")  # noqa: T201  # what was asked for


HookvizMagics.hookviz.__doc__ = f"{inspect.getdoc(HookvizMagics.hookviz)}\n\n{help_text()}"


def _watched(expression: str, value: object, options: Mapping[str, Any], name: str | None) -> _Watched:
    known = value if isinstance(value, Session) else session_of(value)
    before = known.options if known is not None and known.is_open else None
    # watch() tells what is no model.
    model = cast("nn.Module", known.model if known is not None else value)
    session = watch(model, **options)
    if before is None and len(expression) <= LONGEST_NAME:
        session.name = expression
    if name is not None:
        session.name = name
    return _Watched(expression, model, session, before)


@contextlib.contextmanager
def _usage_errors() -> Iterator[None]:
    """What the user did wrong becomes one line without a traceback."""
    try:
        yield
    except HookvizError as error:
        raise UsageError(f"%hookviz: {error}") from None


def _has_model(session: Session) -> bool:
    try:
        return session.model is not None
    except ModelGoneError:
        return False
