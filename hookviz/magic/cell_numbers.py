"""Gives hooks that are written in cells the numbers of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookviz.hooks.origin import number_cells

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def number_cells_of(shell: InteractiveShell) -> None:
    """From now on, the source of such a hook reads ``In [3]:7``."""

    def number(filename: str) -> int | None:
        # As IPython names the cell in a traceback, ``("Cell", "In[3]")``; None for a file.
        name = shell.compile.format_code_name(filename)
        return None if name is None else int(name[1].removeprefix("In[").removesuffix("]"))

    number_cells(number)
