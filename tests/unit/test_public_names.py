"""The public surface is what ``__all__`` says, and nothing else."""

from types import ModuleType

import hookviz


def test_all_names_exist_and_are_sorted() -> None:
    names = hookviz.__all__

    assert names == sorted(names)
    assert [name for name in names if not hasattr(hookviz, name)] == []


def test_nothing_public_is_missing_from_all() -> None:
    public = {
        name for name, value in vars(hookviz).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }

    assert public <= set(hookviz.__all__)


def test_every_error_is_public() -> None:
    from hookviz import errors

    classes = {name for name, value in vars(errors).items() if isinstance(value, type)}

    assert classes <= set(hookviz.__all__)
