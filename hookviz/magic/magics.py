"""``%hookviz`` and ``%%hookviz``."""

from __future__ import annotations

import contextlib
import difflib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from torch import nn

from hookviz.errors import HookvizError, ModelGoneError
from hookviz.magic.arguments import Request, help_text, parse
from hookviz.magic.cell import run_cell
from hookviz.magic.display import displays_of
from hookviz.session import Session, session_of, watch

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

LONGEST_NAME = 40
"""A longer expression is no title; the class of the model is."""


@dataclass(frozen=True, slots=True)
class _Watched:
    model: object
    """Held while the magic runs: the value of an expression has no other owner."""
    session: Session
    is_new: bool


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
            print(help_text())  # noqa: T201 - what was asked for
        elif request.is_list:
            self._print_list()
        elif request.is_off:
            self._stop(request)
        elif request.models:
            self._show(self._watch(request), request)
        else:
            raise UsageError("%hookviz: name a model, as in: %hookviz model. All options: %hookviz?")

    def _run_under(self, request: Request, cell: str) -> None:
        if request.is_help or request.is_list or request.is_off:
            raise UsageError("%hookviz: --off, --list and --help stand alone, without a cell below: %hookviz --off")
        if not request.models:
            raise UsageError("%hookviz: name a model, as in: %%hookviz model. All options: %hookviz?")
        displays = displays_of(self._shell)
        with _usage_errors():
            watched = self._watch(request)
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
                # One that was open before belongs to an earlier cell.
                if each.is_new:
                    each.session.close()

    def _show(self, watched: list[_Watched], request: Request) -> None:
        for each in watched:
            displays_of(self._shell).show(each.session, depth=request.depth)

    def _watch(self, request: Request) -> list[_Watched]:
        # All are looked up before the first is watched: a mistake in the second changes nothing.
        values = [self._evaluate(expression) for expression in request.models]
        watched: list[_Watched] = []
        try:
            for expression, value in zip(request.models, values, strict=True):
                watched.append(_watched(expression, value, request))
        except HookvizError:
            for each in watched:
                if each.is_new:
                    each.session.close()
            raise
        known = self._open()
        self._sessions += [each.session for each in watched if all(each.session is not session for session in known)]
        return watched

    def _evaluate(self, expression: str) -> object:
        try:
            value = self._shell.ev(expression)
        except NameError as error:
            raise UsageError(f"%hookviz: {error}.{_suggestion(expression, self._shell.user_ns)}") from None
        except SyntaxError:
            raise UsageError(f"%hookviz: {expression!r} is not a Python expression. All options: %hookviz?") from None
        except Exception as error:  # noqa: BLE001 - the user's own expression, which may raise anything
            raise UsageError(f"%hookviz: {expression} raised {type(error).__name__}: {error}") from None
        if isinstance(value, str):
            raise UsageError(f"%hookviz: {expression} is a text, not a model.{_suggestion(value, self._shell.user_ns)}")
        return value

    def _open(self) -> list[Session]:
        self._sessions = [session for session in self._sessions if session.is_open and _has_model(session)]
        return self._sessions

    def _stop(self, request: Request) -> None:
        if not request.models:
            self.close_all()
            return
        for expression in request.models:
            value = self._evaluate(expression)
            session = value if isinstance(value, Session) else session_of(value)
            if session is None:
                raise UsageError(f"%hookviz: {expression} is not watched. The watched models: %hookviz --list")
            session.close()

    def _print_list(self) -> None:
        lines = [
            f"{session.name}: {type(session.model).__name__}, "
            f"{session.runs_captured} of {session.runs_seen} runs captured"
            for session in self._open()
        ]
        print("\n".join(lines) or "No model is watched.")  # noqa: T201 - what was asked for


HookvizMagics.hookviz.__doc__ = f"{inspect.getdoc(HookvizMagics.hookviz)}\n\n{help_text()}"


def _watched(expression: str, value: object, request: Request) -> _Watched:
    known = value if isinstance(value, Session) else session_of(value)
    model = known.model if known is not None else value
    if known is not None and not request.options:
        session = known
    else:
        # watch() tells what is no model.
        session = watch(cast("nn.Module", model), **request.options)
        if len(expression) <= LONGEST_NAME:
            session.name = expression
    if request.name is not None:
        session.name = request.name
    return _Watched(model, session, is_new=session is not known)


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


def _suggestion(name: str, names: Mapping[str, Any]) -> str:
    models = [known for known, value in names.items() if isinstance(value, nn.Module) and not known.startswith("_")]
    near = difflib.get_close_matches(name, models, n=3) or sorted(models)[:3]
    return f" Models here: {', '.join(near)}." if near else " There is no model in this notebook yet."
