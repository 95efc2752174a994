"""A shape is written the same way everywhere."""

import pytest

from hookviz.hooks.shape_text import shape_text


@pytest.mark.parametrize(("shape", "text"), [((8, 16, 32, 32), "8×16×32×32"), ((), "scalar"), (None, "")])
def test_shapes_are_written_with_times_signs(shape: tuple[int, ...] | None, text: str) -> None:
    assert shape_text(shape) == text
