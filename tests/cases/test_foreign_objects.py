"""What is no plain container passes through unasked and unharmed."""

from collections.abc import Iterator

import torch
from torch import Tensor

from tests.cases.comparison import assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import step, undisturbed


def test_a_generator_is_not_consumed() -> None:
    """Looking into it would leave nothing for the caller.

    C53: an experiment, after modules that stream their results.
    """

    def multiples(x: Tensor) -> Iterator[Tensor]:
        for factor in range(3):
            yield x * factor

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: sum(m.stream(x)), stream=Apply(multiples)), leaf(3)

    with undisturbed(make, step) as (_, _, x):
        assert_captured([x.grad], [torch.full((3,), 3.0)])


class Hostile:
    """An object of which nothing can be asked."""

    __hash__ = None  # type: ignore[assignment]  # not even this

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __iter__(self) -> Iterator[object]:
        raise RuntimeError("no items")

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(f"no attribute {name}")


def test_objects_that_answer_no_question_pass_unasked() -> None:
    """C55: an experiment, after lazy proxies, data frames and mocks that pass through modules."""

    def make() -> tuple[Wired, Tensor]:
        model = Wired(
            lambda m, x: m.unwrap(m.wrap(x), other=Hostile(1))[0],
            wrap=Apply(lambda x: Hostile(x * 2)),
            unwrap=Apply(lambda wrapped, other: (wrapped.value, Hostile(2))),
        )
        return model, leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("unwrap"), [x * 2])


def test_a_dict_that_contains_itself_is_opened_once() -> None:
    """An experiment."""

    def circle(x: Tensor) -> dict[str, object]:
        out: dict[str, object] = {"y": x * 2}
        out["self"] = out
        return out

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.circle(x)["y"], circle=Apply(circle)), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("circle"), [x * 2])
