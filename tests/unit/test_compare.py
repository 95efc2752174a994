"""Two values side by side: their statistics, and how far they are apart."""

import math
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import OptionError, UnknownModuleError
from hookviz.hooks.interventions import Scale
from hookviz.session import Session, watch
from hookviz.session.compare import Comparison, Comparisons
from hookviz.session.compare_values import CHUNK, difference_of
from tests.models import fc, row
from tests.views import at


@pytest.fixture
def session() -> Session:
    session = watch(model := nn.Sequential(nn.ReLU(), nn.Sequential(nn.LeakyReLU(0.5))), every=1)
    session.held = model  # type: ignore[attr-defined]  # a session does not keep its model
    return session


def single(session: Session, a: Any, b: Any) -> Comparison:
    found = session.compare(a, b)
    assert isinstance(found, Comparison)
    return found


def several(session: Session, a: Any, b: Any) -> Comparisons:
    found = session.compare(a, b)
    assert isinstance(found, Comparisons)
    return found


def test_two_tensors_are_apart_by_their_numbers(session: Session) -> None:
    a = torch.tensor([[3.0, 0.0], [4.0, 0.0]])
    b = torch.tensor([[3.0, 0.0], [1.0, 0.0]])

    found = single(session, a, b)

    difference = found.difference
    assert difference is not None
    assert (difference.numel, difference.differing, difference.not_finite) == (4, 1, 0)
    assert (difference.largest, difference.index, difference.at_a, difference.at_b) == (3.0, (1, 0), 4.0, 1.0)
    assert (difference.mean, difference.norm) == (0.75, 3.0)
    assert difference.relative == 0.6  # 3 / ‖A‖ = 3 / 5
    assert difference.cosine == pytest.approx(13 / (5 * math.sqrt(10)))
    assert found.delta("mean") == 0.75
    assert found.delta("norm") == pytest.approx(5 - math.sqrt(10))
    assert found.is_equal is False


def test_equal_values_are_equal_nan_and_infinities_too(session: Session) -> None:
    a = torch.tensor([1.0, math.nan, math.inf, -math.inf])

    found = single(session, a, a.clone())

    assert found.is_equal is True
    assert "all 4 values are equal" in repr(found)


def test_places_that_are_not_finite_differ_and_are_left_out_of_the_rest(session: Session) -> None:
    a = torch.tensor([1.0, math.nan, 2.0, math.inf])
    b = torch.tensor([1.0, 5.0, 3.0, -math.inf])

    difference = single(session, a, b).difference

    assert difference is not None
    assert (difference.differing, difference.not_finite) == (3, 2)
    assert (difference.largest, difference.index, difference.mean) == (1.0, (2,), 0.5)
    assert "left out of these: 2 places where A or B is NaN or infinite" in repr(single(session, a, b))


@pytest.mark.parametrize(
    ("a", "b", "relative", "cosine"),
    [
        ([0.0, 0.0], [0.0, 0.0], 0.0, None),
        ([1.0, 1.0], [0.0, 0.0], 1.0, None),
        ([1.0, 2.0], [-1.0, -2.0], 2.0, -1.0),
        ([1.0, 0.0], [0.0, 1.0], math.sqrt(2), 0.0),
        ([math.nan], [1.0], None, None),
    ],
)
def test_relative_difference_and_cosine(
    session: Session, a: list[float], b: list[float], relative: float | None, cosine: float | None
) -> None:
    difference = single(session, torch.tensor(a), torch.tensor(b)).difference

    assert difference is not None
    assert difference.relative == pytest.approx(relative)
    assert difference.cosine == pytest.approx(cosine)


def test_a_tensor_of_many_chunks_is_compared_as_one() -> None:
    a = torch.zeros(3, CHUNK)
    b = a.clone()
    b[0, 5], b[2, 7] = 1.0, -4.0

    difference = difference_of(a, b)

    assert (difference.differing, difference.index, difference.largest) == (2, (2, 7), 4.0)
    assert difference.norm == math.sqrt(17)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (torch.tensor([True, False]), torch.tensor([True, True])),
        (torch.tensor([7, 2**40]), torch.tensor([7, 2**40 + 1])),
        (torch.tensor([1.0], dtype=torch.bfloat16), torch.tensor([2.0], dtype=torch.float16)),
        (torch.tensor([1 + 0j]), torch.tensor([1 + 1j])),
        (torch.tensor(1.0), torch.tensor(2.0)),
    ],
)
def test_tensors_of_all_kinds_are_compared(session: Session, a: torch.Tensor, b: torch.Tensor) -> None:
    difference = single(session, a, b).difference

    assert difference is not None
    assert (difference.differing, difference.largest) == (1, 1.0)


def test_other_types_are_told_and_compared(session: Session) -> None:
    found = single(session, torch.ones(2), torch.ones(2, dtype=torch.float64))

    assert (found.is_equal, found.why) == (True, "float32 → float64")


def test_other_shapes_have_only_statistics(session: Session) -> None:
    found = single(session, torch.ones(2, 3), torch.zeros(3))

    assert found.difference is None
    assert found.why == "the shapes differ, 2×3 and 3"
    assert (found.delta("mean"), found.is_equal) == (1.0, False)


def test_what_was_not_kept_has_statistics_and_the_reason() -> None:
    model = fc()
    session = watch(model, every=1, keep_bytes=4)
    model(row())

    found = single(session, at(session, "").output, torch.ones(1, 4))

    assert found.difference is None
    assert found.why.startswith("A was not kept (not kept: 16 bytes are over a quarter of the limit keep_bytes=4")
    assert found.a.shape == (1, 4)


@pytest.mark.parametrize("layout", ["to_sparse", "to_mkldnn"])
def test_what_cannot_be_read_value_by_value_says_so(session: Session, layout: str) -> None:
    odd = getattr(torch.ones(2, 2), layout)()

    found = single(session, odd, torch.ones(2, 2))

    assert found.difference is None
    assert found.why.startswith("A is no plain tensor (")


def test_calls_and_modules_and_steps_are_their_outputs(session: Session) -> None:
    model: nn.Module = session.model
    model(torch.tensor([2.0]))
    model(torch.tensor([6.0]))

    whole = several(session, session.at_step(1), session.at_step(2))

    assert [pair.label for pair in whole] == ["", "0", "1", "1.0"]
    assert [pair.delta("mean") for pair in whole] == [-4.0] * 4
    assert single(session, session.at_step(1)["0"], session["0"]).delta("mean") == -4.0
    assert single(session, session.at_step(1)["0"].calls[0], 6.0).delta("mean") == -4.0


def test_of_all_outputs_the_first_module_that_differs_is_told(session: Session) -> None:
    model = session.model
    x = torch.tensor([2.0, -2.0])
    model(x)
    before = session.outputs()
    session.intervene("1.0", Scale(3.0))
    model(x)

    found = several(session, before, session.outputs())

    # The containers around it differ as well, and were called before it.
    assert found.first_difference is not None
    assert found.first_difference.label == "1.0"
    assert [pair.is_equal for pair in found] == [False, True, False, False]
    assert (found.is_equal, found["0"].is_equal) == (False, True)
    assert repr(found).splitlines()[0] == "<Comparisons of 4 values: 1.0 is the first that differs"


def test_what_only_one_side_has_is_named(session: Session) -> None:
    found = several(session, {"a": torch.ones(1), "b": torch.ones(1)}, {"b": torch.ones(1), "c": torch.ones(1)})

    assert ([pair.label for pair in found], found.only_a, found.only_b) == (["b"], ("a",), ("c",))
    assert found.is_equal is False


def test_parts_of_nested_values_have_their_places(session: Session) -> None:
    a = {"lstm": (torch.zeros(1), (torch.zeros(2), torch.ones(2)))}
    b = {"lstm": (torch.zeros(1), (torch.zeros(2), torch.zeros(2)))}

    found = several(session, a, b)

    assert [pair.label for pair in found] == ["lstm[0]", "lstm[1][0]", "lstm[1][1]"]
    assert found.first_difference is found["lstm[1][1]"]


def test_printed_a_comparison_is_a_table(session: Session) -> None:
    text = repr(single(session, torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0])))

    assert text.splitlines() == [
        "<Comparison",
        "         A 2 float32  B 2 float32  A − B",
        "  mean   2            1            1",
        "  std    1.414        0            1.414",
        "  min    1            1            0",
        "  max    3            1            2",
        "  norm   3.162        1.414        1.748",
        "  zeros  0            0            0",
        "  1 of 2 values differ",
        "  largest difference 2 at [1]: A 3, B 1",
        "  mean difference 1, relative difference 0.6325",
        "  cosine similarity 0.894427>",
    ]


def test_numbers_have_no_place_to_name(session: Session) -> None:
    text = repr(single(session, 3, 5))

    assert "  largest difference 2: A 3, B 5" in text.splitlines()
    assert "[]" not in repr(several(session, {"a": 3, "b": 1}, {"a": 5, "b": 1}))


def test_what_cannot_be_compared_is_refused(session: Session) -> None:
    with pytest.raises(
        OptionError, match=r"^compare takes two captured values, tensors.*; got <object .*> \(object\)\.$"
    ):
        session.compare(torch.ones(1), object())


def test_texts_are_paths_of_the_session(session: Session) -> None:
    session.held(torch.tensor([[1.0, -2.0]]))  # type: ignore[attr-defined]  # its model, see the fixture

    assert single(session, "0", "1").is_equal is True
    assert single(session, "", torch.tensor([[1.0, 0.0]])).is_equal is True
    assert single(session, "0", torch.tensor([[1.0, 3.0]])).difference == difference_of(
        torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 3.0]])
    )
    with pytest.raises(UnknownModuleError, match=r"'1\.00'.*'1\.0'"):
        session.compare("0", "1.00")


@pytest.mark.parametrize("empty", [{}, [], None, True, {"a": "text"}])
def test_what_holds_no_values_is_refused(session: Session, empty: object) -> None:
    with pytest.raises(OptionError, match=r"^compare takes two captured values, .*; there are no values in "):
        session.compare(empty, empty)
    with pytest.raises(OptionError, match=r"there are no values in "):
        session.compare(torch.ones(1), empty)


def test_values_that_only_one_has_are_not_told_as_equal(session: Session) -> None:
    one = torch.ones(1)

    assert repr(several(session, {"a": one, "b": one}, {"c": one})).startswith(
        "<Comparisons of 0 values: A and B have none in common"
    )
    assert repr(several(session, {"a": one, "b": one}, {"a": one})).startswith(
        "<Comparisons of 1 values: nothing that both have differs"
    )


def test_comparing_changes_nothing(session: Session) -> None:
    a, b = torch.ones(2, requires_grad=True), torch.zeros(2)

    session.compare(a, b)

    assert a.grad_fn is None
    assert (a.tolist(), b.tolist()) == ([1.0, 1.0], [0.0, 0.0])
