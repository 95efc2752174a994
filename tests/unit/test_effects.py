"""Each hook that runs in a captured run is seen with the value before and after it."""

import pytest
import torch
from torch import Tensor, nn

from hookviz.session import Session, watch
from tests.effects import Double, told, values, written
from tests.views import at


@pytest.fixture
def model() -> nn.Module:
    return Double()


def test_output_plus_five_is_seen_before_and_after(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)

    model(values())

    (effect,) = session.effects()
    assert (effect.outcome, effect.text) == ("changed", "replaced the output")
    assert [written(entry) for entry in effect.entries] == [("(3, 1)", "(8, 6)")]
    assert effect.entries[0].difference == "mean changed by +5, largest change 5"


def test_second_hook_gets_what_the_first_one_made(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)
    model.register_forward_hook(lambda module, args, output: output * 10)

    model(values())

    assert told(session.effects()) == [
        ("replaced the output", [("(3, 1)", "(8, 6)")]),
        ("replaced the output", [("(8, 6)", "(80, 60)")]),
    ]


def test_effects_come_in_the_order_in_which_the_hooks_ran(model: nn.Module, session: Session) -> None:
    nothing = lambda *_: None  # noqa: E731  # four of them in one line each
    model.register_full_backward_hook(nothing)
    model.register_full_backward_pre_hook(nothing)
    model.register_forward_hook(nothing)
    model.register_forward_hook(nothing, prepend=True)
    model.register_forward_pre_hook(nothing)

    model(values()).sum().backward()

    assert [effect.kind for effect in session.effects()] == [
        "forward_pre", "forward", "forward", "backward_pre", "backward",
    ]  # fmt: skip
    first, second = session.effects()[1:3]
    assert (first.place.key, second.place.key) == tuple(model._forward_hooks)


def test_hook_that_only_looks_leaves_the_value_as_it_was(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: None)

    model(values())

    (effect,) = session.effects()
    assert effect.outcome == "observed"
    assert told([effect]) == [("returned None", [("(3, 1)", "")])]


def test_forward_hook_that_writes_to_its_input_is_told_to_have_changed_it(model: nn.Module, session: Session) -> None:
    x = torch.tensor([1.5, 0.5])
    model.register_forward_hook(lambda module, args, output: (args[0].zero_(), None)[1])

    model(x)

    assert [(effect.outcome, effect.text) for effect in session.effects()] == [
        ("changed", "returned None, and wrote to the input in place")
    ]
    assert told(session.effects())[0][1] == [("(3, 1)", "")]


def test_arguments_that_a_pre_hook_replaced_are_seen(model: nn.Module, session: Session) -> None:
    model.register_forward_pre_hook(lambda module, args: args[0] * 10)

    model(values())

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [("args[0]", "(1.5, 0.5)", "(15, 5)")]


def test_keyword_arguments_that_a_pre_hook_replaced_are_seen(model: nn.Module, session: Session) -> None:
    model.register_forward_pre_hook(lambda module, args, kwargs: (args, {"x": kwargs["x"] * 10}), with_kwargs=True)

    model(x=values())

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [("kwargs['x']", "(1.5, 0.5)", "(15, 5)")]


def test_values_without_tensors_are_seen_as_text() -> None:
    class Count(nn.Module):
        def forward(self, words: list[str]) -> int:
            return len(words)

    model = Count()
    model.register_forward_hook(lambda module, args, output: 0)
    with watch(model, every=1) as session:
        model(["to", "be"])

        effects = session.effects()

    assert told(effects) == [("replaced the output", [("2", "0")])]


def test_each_call_of_a_module_has_its_own_effects() -> None:
    step = Double()
    step.register_forward_hook(lambda module, args, output: output + 1)
    step.register_full_backward_hook(lambda module, grad_input, grad_output: None)
    model = nn.Sequential(step, step)
    with watch(model, every=1) as session:
        model(torch.ones(1, requires_grad=True)).backward()

        effects = session.effects("0")

    assert [(effect.kind, effect.call) for effect in effects] == [
        ("forward", 0), ("forward", 1), ("backward", 1), ("backward", 0),
    ]  # fmt: skip
    assert told(effects)[:2] == [("replaced the output", [("(2)", "(3)")]), ("replaced the output", [("(6)", "(7)")])]


def test_effects_of_a_module_are_its_own_and_those_of_its_parameters() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    model[0].register_forward_hook(lambda *_: None)
    model.get_parameter("0.bias").register_hook(lambda gradient: None)
    model[1].register_forward_hook(lambda *_: None)
    with watch(model, every=1) as session:
        model(torch.ones(1)).backward()

        assert [effect.path for effect in session.effects("0")] == ["0", "0.bias"]
        assert [effect.path for effect in session.effects("0.bias")] == ["0.bias"]
        assert [effect.path for effect in session.effects()] == ["0", "1", "0.bias"]


def test_hook_that_raises_is_named(model: nn.Module, session: Session) -> None:
    def clip(module: nn.Module, args: object, output: Tensor) -> None:
        raise ValueError("not today\nnor tomorrow")

    model.register_forward_hook(clip)

    with pytest.raises(ValueError, match=r"^not today\nnor tomorrow$"):
        model(values())

    (effect,) = session.effects()
    assert (effect.outcome, effect.text) == ("raised", "raised ValueError: not today")
    assert session.node_data(session.graph())["module:"].trouble == "hook clip raised ValueError: not today"


def test_what_is_captured_of_a_hook_stays_as_it_was(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)

    model(values()).detach().zero_()

    assert told(session.effects()) == [("replaced the output", [("(3, 1)", "(8, 6)")])]


def test_the_output_that_the_last_hook_made_is_kept_once(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)

    model(values())

    (effect,) = session.effects()
    assert effect.entries[0].after is at(session, "").output
    assert session.kept_bytes == 2 * 2 * 4


def test_modules_whose_outputs_are_off_have_effects_without_values(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)
    session.disable("outputs")

    model(values())

    (effect,) = session.effects()
    assert (effect.text, effect.entries[0].before, effect.entries[0].after) == ("replaced the output", None, None)
