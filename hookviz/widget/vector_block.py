"""Chooses which block of a vector, or of a single number, is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from hookviz.errors import HookvizError
from hookviz.widget.block import Block, Limits
from hookviz.widget.picture_wire import Form
from hookviz.widget.whole_steps import page_of, step_of


def vector_block(shape: Sequence[int], form: Form | None, index: list[int], limits: Limits) -> Block:
    """What to draw of a tensor with at most one axis; both axes of the block are then 0.

    Raises:
        HookvizError: if it cannot be shown in this form.
    """
    if not shape:
        return Block(form="matrix", forms=["matrix"], rows=1, columns=1, row_axis=0, column_axis=0, index=[], ends={})
    length = shape[0]
    forms: list[Form] = ["line", "matrix", "table"] if length > 1 else ["matrix", "table"]
    if form is not None and form not in forms:
        raise HookvizError(f"A vector of {length} numbers cannot be shown as a {form}, only as {', '.join(forms)}.")
    chosen = form or forms[0]
    if chosen == "line":
        step = step_of(length, limits.points)
        return _block(chosen, forms, (1 if step == 1 else 2, step_of(length, step)), (0, length), column_step=step)
    if chosen == "table":
        begin, end = page_of(length, index[0], limits.table_rows)
        return _block(chosen, forms, (end - begin, 1), (begin, end))
    columns = _wrapped(length, limits.side)
    if columns < length:
        return _block(chosen, forms, (length // columns, columns), (0, length), row_step=columns)
    step = step_of(length, limits.side)
    return _block(chosen, forms, (1, step_of(length, step)), (0, length), column_step=step)


def _block(
    form: Form,
    forms: list[Form],
    size: tuple[int, int],
    span: tuple[int, int],
    *,
    row_step: int = 1,
    column_step: int = 1,
) -> Block:
    return Block(
        form=form,
        forms=forms,
        rows=size[0],
        columns=size[1],
        row_axis=0,
        column_axis=0,
        index=[span[0]],
        ends={0: span[1]},
        row_step=row_step,
        column_step=column_step,
    )


def _wrapped(length: int, side: int) -> int:
    """How many numbers of a long vector stand in a row; all of them where no rows fit."""
    if length > side // 4:
        # The shortest rows that are at least as wide as the picture is high.
        for columns in range(max(1, int(length**0.5)), min(side, length // 2) + 1):
            if length % columns == 0 and length // columns <= min(columns, side):
                return columns
    return length
