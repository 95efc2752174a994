"""Runs the cell of ``%%hookviz`` as IPython would run it without the magic."""

from __future__ import annotations

import ast
import contextlib
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def run_cell(shell: InteractiveShell, cell: str) -> None:
    """Run the cell in the user's namespace; the value of a last expression is displayed.

    ``shell.run_cell`` would swallow an exception, and a notebook that runs from top to bottom would go
    on after it. Here it goes on to the caller, and is shown with the cell's own lines only.
    """
    try:
        _execute(shell, cell)
    except BaseException as error:
        _show_without_our_lines(shell, error)
        raise


def _execute(shell: InteractiveShell, cell: str) -> None:
    source = shell.transform_cell(cell)
    # Under this name IPython finds the lines again, for tracebacks and for inspect.getsource.
    name = shell.compile.cache(source, _number(shell), raw_code=cell)
    tree = shell.transform_ast(shell.compile.ast_parse(source, filename=name))
    body: list[ast.stmt] = tree.body
    last: list[ast.stmt] = []
    if body and isinstance(body[-1], ast.Expr):
        body, last = body[:-1], body[-1:]
    # With the flags of the user's session, such as "from __future__ import annotations", and not of this file.
    flags = shell.compile.flags
    for part, mode in ((ast.Module(body, []), "exec"), (ast.Interactive(last), "single")):
        # Compiled as "single", an expression goes to sys.displayhook.
        exec(compile(part, name, mode, flags, dont_inherit=True), shell.user_global_ns, shell.user_ns)


def _number(shell: InteractiveShell) -> int:
    """The number of the running cell; the shell's own count is already that of the next one."""
    running = shell.displayhook.exec_result
    number: int | None = None if running is None else running.execution_count
    return shell.execution_count if number is None else number


def _show_without_our_lines(shell: InteractiveShell, error: BaseException) -> None:
    lines = _from_the_cell_on(error.__traceback__)
    if lines is None:
        return
    shown = shell.InteractiveTB.structured_traceback(type(error), error, lines)
    # IPython asks an exception whether it brings its own traceback. Some allow no new attribute.
    with contextlib.suppress(AttributeError, TypeError):
        error._render_traceback_ = lambda: shown  # type: ignore[attr-defined]  # what IPython asks for


def _from_the_cell_on(lines: TracebackType | None) -> TracebackType | None:
    """The traceback without its frames in this file, which come first."""
    while lines is not None and lines.tb_frame.f_code.co_filename == __file__:
        lines = lines.tb_next
    return lines
