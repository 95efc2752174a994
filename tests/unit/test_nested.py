"""One tensor of a nested value can be replaced; the value itself stays as it was."""

import collections
import dataclasses
from typing import Any, NamedTuple

import pytest
import torch

from hookviz.hooks.nested import Place, tensors_in, with_tensor

OLD, NEW = torch.zeros(2), torch.ones(2)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass(frozen=True)
class Output:
    logits: Any
    name: str = "name"


@dataclasses.dataclass(frozen=True, slots=True)
class SlottedOutput:
    logits: Any


@dataclasses.dataclass
class ModelOutput(collections.OrderedDict):  # type: ignore[type-arg]  # as that of transformers
    """A dict that is a dataclass at the same time, as Hugging Face's models return."""

    logits: Any = None

    def __post_init__(self) -> None:
        super().__setitem__("logits", self.logits)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        super().__setattr__(key, value)


NESTED = [
    (OLD, "output", lambda value: value),
    ((1, OLD), "output[1]", lambda value: value[1]),
    ([OLD, 2], "output[0]", lambda value: value[0]),
    ({"a": {"b": OLD}}, "output['a']['b']", lambda value: value["a"]["b"]),
    (Pair(1, OLD), "output['second']", lambda value: value.second),
    (Output(OLD), "output['logits']", lambda value: value.logits),
    (SlottedOutput(OLD), "output['logits']", lambda value: value.logits),
    (ModelOutput(OLD), "output['logits']", lambda value: value.logits),
    (torch.return_types.max((OLD, OLD.int())), "output[0]", lambda value: value.values),
]


@pytest.mark.parametrize(("value", "label", "get"), NESTED)
def test_a_tensor_is_found_and_replaced_in_a_value_of_the_same_type(value: Any, label: str, get: Any) -> None:
    place, tensor = tensors_in(value)[0]

    changed = with_tensor(value, place, NEW)

    assert place.label("output") == label
    assert tensor is OLD
    assert get(changed) is NEW
    assert get(value) is OLD
    assert type(changed) is (torch.Tensor if value is OLD else type(value))


def test_a_model_output_has_it_under_its_key_as_well() -> None:
    changed = with_tensor(ModelOutput(OLD), Place(("logits",)), NEW)

    assert changed["logits"] is NEW


def test_what_is_not_replaced_is_shared() -> None:
    other = [torch.zeros(1)]

    changed = with_tensor((OLD, other), Place((0,)), NEW)

    assert changed[1] is other


def test_a_list_that_contains_itself_is_entered_once() -> None:
    value: list[Any] = [OLD]
    value.append(value)

    assert [place.steps for place, _ in tensors_in(value)] == [(0,)]


def test_foreign_objects_are_left_alone() -> None:
    class Foreign:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    assert tensors_in((Foreign(), OLD))[0][0] == Place((1,))
