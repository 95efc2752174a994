"""The last captured run as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookviz.capture.run import Run
from hookviz.errors import PandasMissingError
from hookviz.hooks.paths import ModuleIndex

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("path", "class", "call", "shape", "dtype", "mean", "std", "min", "max", "norm", "nans", "infs", "grad_norm")


def table_of(run: Run | None, index: ModuleIndex) -> pd.DataFrame:
    """One row for each tensor that a module call returned, in the order in which the calls returned.

    Raises:
        PandasMissingError: if pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415  # optional: only this function needs it
    except ImportError as error:
        raise PandasMissingError(
            f"A table needs pandas, which cannot be imported ({error}): pip install pandas"
        ) from None

    rows: list[tuple[object, ...]] = []
    for call in run.returned() if run is not None else ():
        module = index.find(call.path)
        gradients = call.output_gradients()
        for capture, gradient in zip(call.output_captures, gradients, strict=True):
            if capture is None:
                continue
            seen = capture.moments
            norm = None if gradient is None else gradient.moments.norm
            numbers = (seen.mean, seen.std, seen.min, seen.max, seen.norm, seen.nans, seen.infs)
            rows.append((call.path, type(module).__name__, call.index, seen.shape, seen.dtype, *numbers, norm))
    return pd.DataFrame(rows, columns=list(COLUMNS))
