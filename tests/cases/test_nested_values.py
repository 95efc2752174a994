"""Tensors are found wherever a module takes or returns them, and foreign objects are left alone."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from tests.cases.comparison import Either, assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, step, undisturbed

ONES = torch.ones(3)


def test_gradients_of_inputs_stay_in_place_when_only_the_last_argument_has_one() -> None:
    """An int stands between the two tensors.

    C09: pytorch/pytorch#57944.
    """

    def make() -> tuple[Wired, Tensor, Tensor]:
        model = Wired(lambda m, a, b: m.product(a, 3, b), product=Apply(lambda a, factor, b: a * factor * b))
        return model, torch.randn(3), leaf(3)

    def program(model: Wired, a: Tensor, b: Tensor) -> Results:
        y = model(a, b)
        y.sum().backward()
        return [y, b.grad]

    with undisturbed(make, program) as (tool, _, a, _):
        assert_captured(tool.grad_inputs("product"), [None, a * 3])
        assert_captured(tool.grad_outputs("product"), [ONES])


def test_a_tensor_passed_by_keyword_has_its_value_and_gradient() -> None:
    """Full backward hooks ignore keyword arguments altogether.

    C10: documentation of register_full_backward_hook; pytorch/pytorch#82042.
    """

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.sine(x=m.a(x)), a=nn.Linear(3, 3), sine=Apply(lambda x: x.sin())), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        hidden = model.a.forward(x)

        assert_captured(tool.inputs("sine"), [hidden])
        assert_captured(tool.grad_inputs("sine"), [hidden.cos()])
        assert_captured(tool.grad_outputs("sine"), [torch.ones(2, 3)])


def test_each_tensor_of_a_returned_dict_has_its_value_and_gradient() -> None:
    """Full backward hooks never fire for a module that returns a dict.

    C11: pytorch/pytorch#87540.
    """

    def weigh(model: Wired, x: Tensor) -> Tensor:
        out: dict[str, Tensor] = model.pair(x)
        return out["a"] + 2 * out["b"]

    def make() -> tuple[Wired, Tensor]:
        return Wired(weigh, pair=Apply(lambda x: {"a": x * 2, "b": x * 3})), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("pair"), [x * 2, x * 3])
        assert_captured(tool.grad_outputs("pair"), [ONES, ONES * 2])
        assert_captured(tool.grad_inputs("pair"), [ONES * 8])


def test_lists_are_opened_as_output_and_as_argument() -> None:
    """C12: pytorch/pytorch#87540 for the output, an experiment for the argument."""

    def make() -> tuple[Wired, Tensor]:
        model = Wired(
            lambda m, x: m.join(m.fork(x)),
            fork=Apply(lambda x: [x * 2, x * 3]),
            join=Apply(lambda both: both[0] * 5 + both[1]),
        )
        return model, leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("fork"), [x * 2, x * 3])
        assert_captured(tool.grad_outputs("fork"), [ONES * 5, ONES])
        assert_captured(tool.grad_inputs("join"), [ONES * 5, ONES])
        assert_captured(tool.grad_inputs("fork"), [ONES * 13])


@dataclass
class Prediction:
    logits: Tensor
    note: str
    extra: object = None


def test_a_dataclass_is_opened_and_handed_on_as_the_same_object() -> None:
    """C13: huggingface/transformers#36508, pytorch/pytorch#87547."""
    made: list[Prediction] = []

    def predict(x: Tensor) -> Prediction:
        made.append(Prediction(x * 2, "a note"))
        return made[-1]

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.predict(x), predict=Apply(predict)), leaf(3)

    def program(model: Wired, x: Tensor) -> Results:
        prediction = model(x)
        (prediction.logits * 3).sum().backward()
        return [prediction.logits, x.grad, prediction is made[-1], prediction.note]

    with undisturbed(make, program) as (tool, _, x):
        assert_captured(tool.outputs("predict"), [x * 2])
        assert_captured(tool.grad_outputs("predict"), [ONES * 3])


class Moments(NamedTuple):
    mean: Tensor
    std: Tensor


def test_a_named_tuple_is_opened_in_the_order_of_its_fields() -> None:
    """An experiment; such tuples have a constructor of their own."""

    def weigh(model: Wired, x: Tensor) -> Tensor:
        moments: Moments = model.moments(x)
        return moments.mean + 2 * moments.std

    def make() -> tuple[Wired, Tensor]:
        return Wired(weigh, moments=Apply(lambda x: Moments(x * 2, x * 3))), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        assert_captured(tool.outputs("moments"), [x * 2, x * 3])
        assert_captured(tool.grad_outputs("moments"), [ONES, ONES * 2])


def test_the_structures_that_torch_returns_are_opened() -> None:
    """An experiment: a module that returns torch.max(x, dim) raises under full backward hooks."""

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.largest(x * 1).values, largest=Apply(lambda x: torch.max(x, 1))), leaf(2, 3)

    with undisturbed(make, step) as (tool, _, x):
        values, indices = torch.max(x, 1)
        assert_captured(tool.outputs("largest"), [values, indices])
        assert_captured(tool.grad_outputs("largest"), [torch.ones(2), None])


def test_one_tensor_returned_twice_has_its_total_or_its_share_in_both_places() -> None:
    """An experiment."""

    def twice(x: Tensor) -> tuple[Tensor, Tensor]:
        y = x * 2
        return y, y

    def weigh(model: Wired, x: Tensor) -> object:
        first, second = model.twice(x)
        return first + second * 3

    def make() -> tuple[Wired, Tensor]:
        return Wired(weigh, twice=Apply(twice)), leaf(3)

    with undisturbed(make, step) as (tool, _, x):
        total = ONES * 4
        assert_captured(tool.outputs("twice"), [x * 2, x * 2])
        assert_captured(tool.grad_outputs("twice"), [Either(ONES, total), Either(ONES * 3, total)])


def test_an_lstm_shows_its_output_and_both_states_with_their_gradients() -> None:
    """A tuple in a tuple: full backward hooks see the first level only.

    C35: f-dangel/backpack#147, fastai/fastai#2890.
    """

    def weigh(model: Wired, x: Tensor) -> Tensor:
        output, (hidden, cell) = model.lstm(x)
        total: Tensor = output.sum() + 2 * hidden.sum() + 3 * cell.sum()
        return total

    def make() -> tuple[Wired, Tensor]:
        return Wired(weigh, lstm=nn.LSTM(3, 4, batch_first=True)), leaf(2, 5, 3)

    with undisturbed(make, step) as (tool, model, x):
        output, (hidden, cell) = model.lstm.forward(x)

        assert_captured(tool.outputs("lstm"), [output, hidden, cell])
        assert_captured(
            tool.grad_outputs("lstm"), [torch.ones(2, 5, 4), torch.full((1, 2, 4), 2.0), torch.full((1, 2, 4), 3.0)]
        )


def test_a_packed_sequence_arrives_whole_and_its_data_is_captured() -> None:
    """A tuple with a constructor of its own, and with batch sizes that are no activations.

    C36: pytorch/pytorch#9193, pytorch/pytorch#23700.
    """

    def make() -> tuple[Wired, Tensor, Tensor]:
        return Wired(lambda m, packed: m.gru(packed)[0], gru=nn.GRU(3, 4)), leaf(3, 3), leaf(2, 3)

    def program(model: Wired, long: Tensor, short: Tensor) -> Results:
        y = model(nn.utils.rnn.pack_sequence([long, short]))
        (y.data * 2).sum().backward()
        return [y.data, y.batch_sizes, type(y).__name__, long.grad, short.grad]

    with undisturbed(make, program) as (tool, model, long, short):
        data = model.gru.forward(nn.utils.rnn.pack_sequence([long, short]))[0].data

        assert_captured(tool.outputs("gru")[:1], [data])
        assert_captured(tool.grad_outputs("gru")[:1], [torch.full((5, 4), 2.0)])
