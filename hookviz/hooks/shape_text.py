"""The shape of a tensor, as it is written everywhere."""

from collections.abc import Iterable


def shape_text(shape: Iterable[int] | None) -> str:
    """``8×16×32×32``; ``scalar`` for a tensor without axes, empty where nothing is known."""
    return "" if shape is None else "×".join(map(str, shape)) or "scalar"
