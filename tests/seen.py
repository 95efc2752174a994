"""What a user of the magics sees, and what is watched behind it."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from hookviz.session import Session


def sessions(shell: InteractiveShell) -> list[Session]:
    """The sessions that the magics opened or showed, and that are open."""
    return shell.magics_manager.registry["HookvizMagics"]._open()  # type: ignore[no-any-return]  # IPython has no types


def error_of(shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str) -> str:
    """What the user sees of a cell that fails: nothing but this line."""
    result = shell.run_cell(cell)
    assert not result.success
    seen = capsys.readouterr()
    return (seen.out + seen.err).strip()
