"""An intervention acts at its module, on the part, tensor and call that was meant, and on nothing else."""

import copy
import pickle
import re
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from hookviz.errors import InterventionError
from hookviz.hooks.intervening import InterventionHook, Target
from hookviz.hooks.interventions import Add, Intervention, Noise, Replace, Scale, Zero
from hookviz.hooks.run_clock import RunClock
from hookviz.hooks.slices import index_of
from tests.intervened import doubling, put
from tests.models import wired


def test_an_output_is_changed_for_whoever_comes_after() -> None:
    model = nn.Sequential(doubling(), doubling())
    put(model[0], Add(1))

    assert model(torch.tensor([1.0, 2.0])).tolist() == [6.0, 10.0]


def test_an_input_is_changed_and_the_callers_tensor_is_not() -> None:
    model = doubling()
    put(model, Scale(10), "input")
    given = torch.tensor([1.0, 2.0])

    assert model(given).tolist() == [20.0, 40.0]
    assert given.tolist() == [1.0, 2.0]


def test_an_input_by_keyword_is_changed() -> None:
    model = wired(lambda model, x, scale: x * scale)
    put(model, Add(1), "input", leaf="input['scale']")

    assert model(torch.tensor(3.0), scale=torch.tensor(1.0)).item() == 6.0


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("[:, 0]", [[0.0, 4.0], [0.0, 8.0]]),
        ("[0]", [[0.0, 0.0], [6.0, 8.0]]),
        ("[..., 1:]", [[2.0, 0.0], [6.0, 0.0]]),
        ("[:, [0, 1]]", [[0.0, 0.0], [0.0, 0.0]]),
        ((1, -1), [[2.0, 4.0], [6.0, 0.0]]),
    ],
)
def test_only_the_part_that_is_meant_is_changed(at: Any, expected: list[list[float]]) -> None:
    model = doubling()
    put(model, Zero(), at=at)

    assert model(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist() == expected


@pytest.mark.parametrize(
    "other", [torch.tensor([[5.0, 6.0], [7.0, 8.0]]), torch.tensor([6.0, 8.0])], ids=["whole", "part"]
)
def test_of_a_value_for_the_whole_tensor_the_same_part_is_taken(other: torch.Tensor) -> None:
    model = doubling()
    put(model, Replace(other), at="[:, 1]")

    assert model(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist() == [[2.0, 6.0], [6.0, 8.0]]


def test_the_first_tensor_of_a_nested_output_is_meant() -> None:
    model = wired(lambda model, x: {"name": "a", "logits": x * 2, "more": x})
    put(model, Zero())

    output = model(torch.ones(1))

    assert output == {"name": "a", "logits": torch.zeros(1), "more": torch.ones(1)}


def test_another_tensor_of_a_nested_output_may_be_meant() -> None:
    model = nn.LSTM(2, 2)
    put(model, Replace(5), leaf="output[1][0]")

    output, (hidden, cell) = model(torch.ones(3, 1, 2))

    assert hidden.tolist() == [[[5.0, 5.0]]]
    assert (output != 5).all()
    assert (cell != 5).all()


def test_the_same_tensor_given_several_times_stays_one() -> None:
    model = wired(lambda model, q, k, v: (q is k, k is v, q))
    put(model, Add(1), "input")
    x = torch.zeros(1)

    assert model(x, x, x) == (True, True, torch.ones(1))


def test_one_call_of_a_run_may_be_meant() -> None:
    clock = RunClock()
    model = wired(lambda model, x: [model.inner(x).item() for _ in range(3)], inner=doubling())
    put(model.inner, Zero(), call=1, clock=clock)

    def run() -> Any:
        clock.tick()
        return model(torch.ones(()))

    assert run() == [2.0, 0.0, 2.0]
    assert run() == [2.0, 0.0, 2.0]


def test_noise_is_the_same_in_each_run() -> None:
    clock = RunClock()
    model = wired(lambda model, x: torch.stack([model.inner(x), model.inner(x)]), inner=doubling())
    put(model.inner, Noise(), clock=clock)

    def run() -> Any:
        clock.tick()
        return model(torch.ones(2))

    first = run()

    assert torch.equal(first, run())
    assert not torch.equal(first[0], first[1])


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_checkpointing_repeats_the_intervention_of_each_call(use_reentrant: bool) -> None:
    def gradient(*, checkpointed: bool) -> list[float]:
        clock = RunClock()
        square = wired(lambda model, x: x.exp())

        def step(x: torch.Tensor) -> torch.Tensor:
            again: torch.Tensor = checkpoint(square, x, use_reentrant=use_reentrant) if checkpointed else square(x)
            return again

        put(square, Noise(0.1), "input", clock=clock)
        x = torch.ones(2, requires_grad=True)
        clock.tick()
        step(step(x)).sum().backward()
        assert x.grad is not None
        return x.grad.tolist()

    assert gradient(checkpointed=True) == gradient(checkpointed=False)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("on", ["output", "input", "grad_output", "grad_input"])
def test_it_works_where_no_graph_is_recorded(mode: Any, on: Target) -> None:
    model = doubling()
    put(model, Scale(10), on, at="[0]")

    with mode():
        output = model(torch.ones(2))

    assert output.tolist() == ([20.0, 2.0] if on in ("output", "input") else [2.0, 2.0])


def test_it_keeps_the_dtype_that_autocast_chose() -> None:
    model = nn.Linear(2, 2)
    put(model, Add(torch.ones(2)))

    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert model(torch.ones(1, 2)).dtype == torch.bfloat16


def test_a_copied_model_carries_it_too() -> None:
    model = doubling()
    hook = put(model, Add(1), call=0)
    hooks: Any = model._forward_hooks

    for again in (copy.deepcopy(hook), pickle.loads(pickle.dumps(hook))):
        hooks[next(iter(hooks))] = again
        assert model(torch.ones(1)).tolist() == [3.0]


def test_labels_say_what_is_changed_where() -> None:
    clock = RunClock()

    assert InterventionHook(Scale(0.5), "output", "fc", at=index_of("[:, 0]"), clock=clock).label == (
        "Scale(0.5) on output[:, 0]"
    )
    assert InterventionHook(Zero(), "grad_input", "fc", clock=clock).label == "Zero() on grad_input"
    assert InterventionHook(Zero(), "output", "fc", leaf="output[1]", call=2, clock=clock).label == (
        "Zero() on output[1], call 2"
    )


WRONG: list[tuple[Any, Intervention, dict[str, Any], str]] = [
    (
        doubling(),
        Replace(torch.ones(3)),
        {},
        (
            "Replace(Tensor 3) on output of 'at': Replace(Tensor 3) does not fit a Tensor 2: the shapes differ. "
            "Give a tensor of that shape, or say which part is meant with at=."
        ),
    ),
    (
        doubling(),
        Zero(),
        {"at": "[:, 0]"},
        "Zero() on output[:, 0] of 'at': Tensor 2 has no part [:, 0] (too many indices for tensor of dimension 1).",
    ),
    (
        wired(lambda model, x: (x, {"a": x})),
        Zero(),
        {"leaf": "output[2]"},
        "Zero() on output[2] of 'at': there is no tensor output[2]; there are output[0], output[1]['a'].",
    ),
    (
        wired(lambda model, x: "text"),
        Zero(),
        {},
        "Zero() on output of 'at': there is no tensor in its output, str.",
    ),
]


@pytest.mark.parametrize(("model", "intervention", "options", "words"), WRONG)
def test_what_does_not_fit_is_explained_at_its_place(
    model: Any, intervention: Intervention, options: dict[str, Any], words: str
) -> None:
    put(model, intervention, **options)

    with pytest.raises(InterventionError, match=f"^{re.escape(words)}$"):
        model(torch.ones(2))
