"""What ``%load_ext hookviz`` and ``%unload_ext hookviz`` do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookviz.magic.cell_numbers import number_cells_of
from hookviz.magic.display import displays_of
from hookviz.magic.magics import HookvizMagics

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add ``%hookviz`` and ``%%hookviz`` to this shell; a second time changes nothing."""
    if HookvizMagics.__name__ not in shell.magics_manager.registry:
        shell.register_magics(HookvizMagics)
        number_cells_of(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Stop watching all models, leave their last pictures, and take the magics away."""
    magics = shell.magics_manager.registry.pop(HookvizMagics.__name__, None)
    if magics is None:
        return
    magics.close_all()
    displays_of(shell).stop()
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("hookviz", None)
