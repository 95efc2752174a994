"""The tensors inside of what modules take and return."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput

from hookviz.tracing.tensors import MAX_DEPTH, MAX_ITEMS, named_tensors_in, tensors_given, tensors_in

A, B, C = torch.zeros(1), torch.ones(1), torch.ones(2)


def names(value: Any) -> list[str]:
    return [name for name, _ in named_tensors_in("v", value)]


def test_tensors_are_found_in_order_and_named_by_the_expression_that_reaches_them() -> None:
    @dataclass
    class Box:
        first: Any
        rest: list[Any] = field(default_factory=list)

    assert names(A) == ["v"]
    assert names((A, [B, None], {"k": C, 3: A})) == ["v[0]", "v[1][0]", "v[2]['k']", "v[2][3]"]
    assert names(Box(A, [B])) == ["v.first", "v.rest[0]"]
    assert names(BaseModelOutput(last_hidden_state=A)) == ["v['last_hidden_state']"]
    assert names(OrderedDict(a=A)) == ["v['a']"]
    assert names(deque([A])) == ["v[0]"]


def test_the_short_way_finds_the_same_as_the_long_one() -> None:
    for value in (A, (A, 1, None, B), (A, (B, C)), [A], {"k": A}, (), 3):
        assert [id(tensor) for tensor in tensors_in(value)] == [id(tensor) for _, tensor in named_tensors_in("", value)]


def test_arguments_are_taken_before_keyword_arguments() -> None:
    assert [id(tensor) for tensor in tensors_given((A, [B]), {"k": C})] == [id(A), id(B), id(C)]


def test_a_plain_object_is_opened_but_no_object_inside_of_it() -> None:
    class Holder:
        def __init__(self, **attributes: Any) -> None:
            vars(self).update(attributes)

    assert names(Holder(a=A, more=[B], text="x")) == ["v.a", "v.more[0]"]
    assert names(Holder(inner=Holder(a=A), items=[Holder(a=B)])) == []
    assert names([Holder(a=A), Holder(a=B)]) == ["v[0].a", "v[1].a"]


def test_modules_classes_functions_and_generators_stay_closed() -> None:
    class Holder:
        a = A

    def function() -> None: ...

    vars(function)["a"] = A
    generator = (tensor for tensor in (A, B))

    assert names([nn.Linear(1, 1), Holder, function, torch, generator]) == []
    assert len(list(generator)) == 2


def test_a_slotted_dataclass_with_a_missing_field_is_read_as_far_as_it_goes() -> None:
    @dataclass(slots=True)
    class Box:
        first: Any
        second: Any

    box = Box(A, B)
    del box.first

    assert names(box) == ["v.second"]


def test_cycles_depth_and_length_are_bounded() -> None:
    cycle: list[Any] = [A]
    cycle.append(cycle)
    deep: Any = A
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]

    assert names(cycle) == ["v[0]"]
    assert names(deep) == []
    assert names([0] * MAX_ITEMS + [A]) == []
    assert names([0] * (MAX_ITEMS - 1) + [A]) == [f"v[{MAX_ITEMS - 1}]"]
