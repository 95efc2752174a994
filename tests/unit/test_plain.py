"""Values without tensors are written as Python writes them."""

from typing import Any

import pytest
import torch

from hookviz.capture.leaves import split
from hookviz.capture.plain import is_plain, plain_text


class Foreign:
    def __repr__(self) -> str:
        raise RuntimeError("no code of a foreign object may run")


class Bytes(bytes):
    def __repr__(self) -> str:
        raise RuntimeError("no code of a foreign object may run")


class Numbers(set[int]):
    def __iter__(self) -> Any:
        raise RuntimeError("no code of a foreign object may run")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4, "4"),
        (0.5, "0.5"),
        (True, "True"),
        ("to be", "'to be'"),
        (["to", "be"], "['to', 'be']"),
        ((1,), "(1,)"),
        ((1, [2, 3]), "(1, [2, 3])"),
        ({"words": 2, "text": "a b"}, "{'words': 2, 'text': 'a b'}"),
        ([], "[]"),
        (Foreign(), "<Foreign>"),
        ([Foreign(), 1], "[<Foreign>, 1]"),
        (None, "None"),
        (b"\x00ab", "b'\\x00ab'"),
        (1 + 2j, "(1+2j)"),
        ({10, 9, 1}, "{1, 9, 10}"),
        ({"b", "a"}, "{'a', 'b'}"),
        (frozenset({(1, frozenset({2}))}), "frozenset({(1, frozenset({2}))})"),
        (set(), "set()"),
        (frozenset(), "frozenset()"),
        ({Foreign(), 1}, "{<Foreign>, 1}"),
        ({Foreign(), Foreign()}, "{<Foreign>, …}"),
        ({torch.ones(1)}, "{<Tensor>}"),
        (Bytes(b"a"), "<Bytes>"),
        (Numbers({1}), "<Numbers>"),
    ],
)
def test_a_plain_value_is_written_as_in_python(value: Any, text: str) -> None:
    skeleton, _ = split(value)

    assert is_plain(skeleton)
    assert plain_text(skeleton) == text


def test_a_long_list_is_cut_after_fifty_parts() -> None:
    skeleton, _ = split(list(range(10, 1000)))

    assert plain_text(skeleton).endswith("58, 59, …]")


def test_long_bytes_and_large_sets_are_cut() -> None:
    assert plain_text(split(b"a" * 5000)[0]) == "b'" + "a" * 998 + "…"
    assert plain_text(split(set(range(1000)))[0]).endswith("48, 49, …}")


def test_a_number_that_python_does_not_write_out_is_told_by_its_size() -> None:
    assert plain_text(split(10**5000)[0]) == "<int of 16,610 bits>"


def test_a_long_text_is_cut() -> None:
    skeleton, _ = split("a" * 5000)

    assert plain_text(skeleton) == "'" + "a" * 999 + "…"


@pytest.mark.parametrize("value", [torch.ones(1), [1, torch.ones(1)], {"a": (torch.ones(1),)}])
def test_what_holds_a_tensor_is_not_plain(value: Any) -> None:
    assert not is_plain(split(value)[0])
