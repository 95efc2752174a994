"""A part of a tensor is written as in Python, in code or as text."""

import re
from typing import Any

import pytest

from hookviz.errors import InterventionError
from hookviz.hooks.slices import index_of, text_of, why_no_part


@pytest.mark.parametrize(
    ("at", "index"),
    [
        ("[:, 0]", (slice(None), 0)),
        (":, 0", (slice(None), 0)),
        ("[..., 1:3]", (..., slice(1, 3))),
        ("0", (0,)),
        (" [-1] ", (-1,)),
        ("::2", (slice(None, None, 2),)),
        ("[:, [0, 2]]", (slice(None), (0, 2))),
        (0, (0,)),
        (slice(1, 3), (slice(1, 3),)),
        ((slice(None), 0), (slice(None), 0)),
        ((..., [0, 2]), (..., (0, 2))),
    ],
)
def test_a_slice_may_be_given_as_text_or_as_it_is(at: Any, index: Any) -> None:
    assert index_of(at) == index


@pytest.mark.parametrize("text", ["[:, 0]", "[..., 1:3]", "[-1]", "[::2]", "[:, [0, 2]]", "[:5]"])
def test_a_slice_is_written_as_it_was_given(text: str) -> None:
    assert text_of(index_of(text)) == text


HOW = 'Write it as in Python, without names: "[:, 0]", "[..., 1:3]", "[0]", "[:, [0, 2]]".'


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("[:, 0", f"'[:, 0' does not say which part of a tensor is meant. {HOW}"),
        ("", f"'' does not say which part of a tensor is meant. {HOW}"),
        ("n", f"'n' has 'n', which is no number. {HOW}"),
        ("[exit()]", f"'[exit()]' has 'exit()', which is no number. {HOW}"),
        ("0][1", f"'0][1' does not say which part of a tensor is meant. {HOW}"),
        ("1.5", f"'1.5' does not say which part of a tensor is meant. {HOW}"),
        ("True", f"'True' does not say which part of a tensor is meant. {HOW}"),
        ("[::-1]", "PyTorch takes slices with steps of 1 or more only; got '[::-1]'."),
        (1.5, f"1.5 does not say which part of a tensor is meant. {HOW}"),
        (None, f"None does not say which part of a tensor is meant. {HOW}"),
        ((), f"An empty tuple picks nothing. {HOW}"),
        ((slice("a"),), f"A slice goes from a whole number to a whole number; got (slice(None, 'a', None),). {HOW}"),
    ],
)
def test_what_is_no_slice_is_explained(at: Any, words: str) -> None:
    with pytest.raises(InterventionError, match=f"^{re.escape(words)}$"):
        index_of(at)


@pytest.mark.parametrize("at", ["[3]", "[:, [0, 4]]", "[0, 0, 0]", "[9999999999999999999999]"])
def test_a_part_outside_of_a_shape_is_known_without_a_tensor(at: str) -> None:
    assert why_no_part(index_of(at), (3, 4))


@pytest.mark.parametrize("at", ["[-3]", "[..., 3]", "[1:99]", "[:, [0, -4]]"])
def test_a_part_inside_of_a_shape_can_be_taken(at: str) -> None:
    assert why_no_part(index_of(at), (3, 4)) is None
