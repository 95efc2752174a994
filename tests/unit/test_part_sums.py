"""Sums of parts tell what a sum of all hides, and do not depend on the number of threads."""

import pytest
import torch

from hookviz.capture.part_sums import PART, part_sums


def test_each_part_has_its_sum_and_what_is_left_over_stands_behind() -> None:
    row = torch.arange(2.0 * PART + 3)

    sums = part_sums(row)

    assert sums.tolist() == [2016.0, 6112.0, 128.0, 129.0, 130.0]
    assert sums.sum().item() == row.sum().item()


@pytest.mark.parametrize("count", [262_144, 100_003])
def test_they_are_the_same_with_any_number_of_threads(count: int) -> None:
    row = torch.randn(count, generator=torch.Generator().manual_seed(0))
    before = torch.get_num_threads()
    found = []

    try:
        for threads in (1, 2, 3, 8):
            torch.set_num_threads(threads)
            found.append(part_sums(row))
    finally:
        torch.set_num_threads(before)

    assert all(torch.equal(sums, found[0]) for sums in found)


def test_a_small_write_far_from_a_huge_element_shows() -> None:
    row = torch.full((65_536,), 0.3)
    row[0] = 1e30
    before = part_sums(row)

    row[40_000] += 1e-5

    assert not torch.equal(part_sums(row), before)
