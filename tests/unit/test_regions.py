"""Which part of a storage a tensor covers."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from hookviz.tracing.regions import covers, may_overlap, region_of

BASE = torch.arange(60).reshape(5, 12)


def overlap(first: torch.Tensor, second: torch.Tensor) -> bool:
    return may_overlap(region_of(first), region_of(second))


def test_halves_of_a_matrix_do_not_overlap_in_either_direction() -> None:
    assert not overlap(BASE[:2], BASE[2:])
    assert not overlap(BASE[:, :6], BASE[:, 6:])
    assert not overlap(BASE[:, 0], BASE[:, 1])
    assert not overlap(BASE[:, ::2], BASE[:, 1::2])


def test_a_view_overlaps_the_whole_and_what_it_shares_a_corner_with() -> None:
    assert overlap(BASE, BASE[3])
    assert overlap(BASE[:3, :7], BASE[2:, 6:])
    assert overlap(BASE[:, 0], BASE[0])


def test_an_empty_tensor_overlaps_nothing() -> None:
    assert not overlap(BASE, BASE[:, 12:])
    assert not overlap(BASE[5:], BASE)


def test_only_a_write_to_all_of_it_covers_a_tensor() -> None:
    assert covers(region_of(BASE), region_of(BASE[1:3, 2:4]))
    assert covers(region_of(BASE.T), region_of(BASE[1]))
    assert covers(region_of(BASE[:, ::2]), region_of(BASE[:, ::2]))
    assert not covers(region_of(BASE[:, ::2]), region_of(BASE))
    assert not covers(region_of(BASE[1:]), region_of(BASE))


@st.composite
def views(draw: st.DrawFn) -> torch.Tensor:
    """A view of ``BASE``: any strides, any window, sometimes transposed, a row or a column, or as other integers."""
    view = BASE.view(torch.int32) if draw(st.booleans()) else BASE
    for axis in (0, 1):
        start = draw(st.integers(0, view.shape[axis] - 1))
        stop = draw(st.integers(start, view.shape[axis]))
        step = draw(st.integers(1, 3))
        view = view[start:stop:step] if axis == 0 else view[:, start:stop:step]
    if view.numel() and draw(st.booleans()):
        view = view.select(draw(st.integers(0, 1)), 0)
    return view.T if view.dim() == 2 and draw(st.booleans()) else view


def touched(view: torch.Tensor) -> set[int]:
    """The bytes of the storage in which a write to the view can be seen."""
    size, item = BASE.numel() * BASE.element_size(), view.element_size()
    offsets = torch.arange(size // item).as_strided(view.shape, view.stride(), int(view.storage_offset()))
    return {start * item + byte for start in offsets.flatten().tolist() for byte in range(item)}


@given(views(), views())
def test_no_overlap_is_claimed_only_where_there_is_none(first: torch.Tensor, second: torch.Tensor) -> None:
    if touched(first) & touched(second):
        assert overlap(first, second)
        assert overlap(second, first)


@given(views(), views())
def test_a_tensor_is_called_covered_only_if_each_of_its_bytes_is(first: torch.Tensor, second: torch.Tensor) -> None:
    if covers(region_of(first), region_of(second)):
        assert touched(first) >= touched(second)
