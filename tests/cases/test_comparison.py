"""The comparisons that all cases rest on do see a difference."""

import torch

from tests.cases.comparison import Either, mismatches, same_bits

NAN = float("nan")


def test_equal_results_have_the_same_bits() -> None:
    one = [torch.tensor([1.0, NAN]), {"a": (torch.tensor(1 + 2j).conj(), "text")}, torch.eye(2).to_sparse()]
    other = [torch.tensor([1.0, NAN]), {"a": (torch.tensor(1 - 2j), "text")}, torch.eye(2).to_sparse()]

    assert same_bits(one, other)


def test_the_last_bit_the_type_the_shape_and_the_order_make_a_difference() -> None:
    one = torch.tensor([1.0])

    assert not same_bits(one, torch.nextafter(one, one + 1))
    assert not same_bits(torch.tensor([0.0]), torch.tensor([-0.0]))
    assert not same_bits(one, one.double())
    assert not same_bits(one, one.reshape(1, 1))
    assert not same_bits(one, torch.nn.Parameter(one))
    assert not same_bits(one, None)
    assert not same_bits([one, 2], [2, one])
    assert not same_bits({"a": one}, {"b": one})
    assert not same_bits(True, 1)


def test_a_capture_within_rounding_fits() -> None:
    assert mismatches([torch.tensor([1.0, NAN])], [torch.tensor([1.0 + 1e-7, NAN])]) == []


def test_another_value_type_or_shape_is_told() -> None:
    two = torch.tensor([2.0])

    assert mismatches([two], [torch.tensor([3.0])]) == ["entry 0: tensor([2.]) where tensor([3.]) is expected"]
    assert mismatches([two], [two.half()]) == ["entry 0: (1,) torch.float32 where (1,) torch.float16 is expected"]
    assert mismatches([two], [two[0]]) == ["entry 0: (1,) torch.float32 where () torch.float32 is expected"]


def test_too_many_and_too_few_entries_are_told() -> None:
    two = torch.tensor([2.0])

    assert mismatches([two, two], [two]) == ["2 entries where 1 are expected"]
    assert mismatches([], [two]) == ["0 entries where 1 are expected"]


def test_a_missing_value_and_a_gradient_where_there_is_none_are_told() -> None:
    two = torch.tensor([2.0])

    assert mismatches([None], [two]) == ["entry 0: nothing where tensor([2.]) is expected"]
    assert mismatches([two], [None]) == ["entry 0: tensor([2.]) where there is no gradient"]
    assert mismatches([None, torch.zeros(2)], [None, None]) == []


def test_either_answer_fits_and_no_third() -> None:
    two, three = torch.tensor([2.0]), torch.tensor([3.0])

    assert mismatches([two], [Either(two, None)]) == []
    assert mismatches([None], [Either(two, None)]) == []
    assert mismatches([three], [Either(two, None)]) == [
        "entry 0: tensor([3.]) where tensor([2.]) is expected; tensor([3.]) where there is no gradient"
    ]
