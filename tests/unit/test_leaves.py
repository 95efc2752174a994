"""Tensors inside nested values are found in order, and nothing of the user's own code runs."""

from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import pytest
import torch
from transformers.modeling_outputs import BaseModelOutput

from hookviz.capture.leaves import MAX_DEPTH, Leaf, ListParts, Opaque, join, labels, split

A, B, C = torch.zeros(1), torch.ones(1), torch.full((1,), 2.0)
Pair = namedtuple("Pair", "left right")  # noqa: PYI024  # the plain kind is what is tested


@dataclass
class State:
    hidden: torch.Tensor
    cell: tuple[torch.Tensor, int]


@dataclass(slots=True)
class Slotted:
    hidden: torch.Tensor


class Hostile:
    """Raises whatever is asked of it."""

    def __bool__(self) -> NoReturn:
        raise RuntimeError("bool")

    def __len__(self) -> NoReturn:
        raise RuntimeError("len")

    def __eq__(self, _: object) -> NoReturn:
        raise RuntimeError("eq")

    def __iter__(self) -> NoReturn:
        raise RuntimeError("iter")

    __hash__ = None  # type: ignore[assignment]  # it has none


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (A, ["output"]),
        ((A, B), ["output[0]", "output[1]"]),
        ([A, (B, C)], ["output[0]", "output[1][0]", "output[1][1]"]),
        ({"logits": A, "cache": [B]}, ["output['logits']", "output['cache'][0]"]),
        (OrderedDict(z=A, a=B), ["output['z']", "output['a']"]),
        (Pair(A, B), ["output['left']", "output['right']"]),
        (State(A, (B, 3)), ["output['hidden']", "output['cell'][0]"]),
        (Slotted(A), ["output['hidden']"]),
        ((None, 3, "text", A), ["output[3]"]),
        (None, []),
        ((), []),
    ],
)
def test_each_tensor_is_labelled_as_it_is_written_in_python(value: object, written: list[str]) -> None:
    skeleton, tensors = split(value)

    assert labels(skeleton, "output") == written
    assert len(tensors) == len(written)


def test_a_model_output_of_hugging_face_is_a_dict_with_its_fields_that_are_set() -> None:

    skeleton, tensors = split(BaseModelOutput(last_hidden_state=A, hidden_states=(B, C)))

    assert labels(skeleton, "output") == [
        "output['last_hidden_state']", "output['hidden_states'][0]", "output['hidden_states'][1]",
    ]  # fmt: skip
    assert [tensor.item() for tensor in tensors] == [0.0, 1.0, 2.0]


def test_join_puts_leaves_back_where_tensors_were() -> None:
    skeleton, _ = split({"a": [A, 7], "b": (B, None)})

    assert join(skeleton, ["first", "second"]) == {"a": ["first", 7], "b": ("second", None)}


def test_the_same_tensor_twice_has_two_places() -> None:
    skeleton, tensors = split((A, A))

    assert skeleton == (Leaf(0), Leaf(1))
    assert len(tensors) == 2


def test_of_a_foreign_object_nothing_runs() -> None:
    skeleton, tensors = split((Hostile(), A))

    assert skeleton == (Opaque("Hostile"), Leaf(0))
    assert len(tensors) == 1


def test_a_generator_is_not_consumed() -> None:
    def values() -> Iterator[torch.Tensor]:
        yield A

    generator = values()

    assert split(generator) == (Opaque("generator"), [])
    assert next(generator) is A


def test_a_list_that_contains_itself_ends() -> None:
    value: list[object] = [A]
    value.append(value)

    skeleton, tensors = split(value)

    assert skeleton == ListParts((Leaf(0), Opaque("list")))
    assert len(tensors) == 1


def test_nesting_deeper_than_the_limit_is_opaque() -> None:
    value: object = A
    for _ in range(MAX_DEPTH + 1):
        value = (value,)

    assert split(value)[1] == []


def test_a_tensor_subclass_is_a_leaf() -> None:
    skeleton, tensors = split(torch.nn.Parameter(A.clone()))

    assert skeleton == Leaf(0)
    assert len(tensors) == 1


def test_a_set_comes_back_as_a_set() -> None:
    value = {1, (2, frozenset({"a"})), b"b"}

    skeleton, tensors = split(value)

    assert (join(skeleton, []), tensors) == (value, [])


def test_a_list_is_no_tuple() -> None:
    assert split([1])[0] == split([1])[0]
    assert split([1])[0] != split((1,))[0]
    assert split((1,))[0] != split([1])[0]
