"""Each hook that runs in a captured run is seen with the value before and after it."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.capture.difference import values_text
from hookviz.capture.effects import EffectEntry, HookEffect
from hookviz.hooks.interventions import Scale
from hookviz.session import Session, watch
from tests.views import at


class Double(nn.Module):
    """Twice its input."""

    def forward(self, x: Tensor) -> Tensor:
        return x * 2


@pytest.fixture
def model() -> nn.Module:
    return Double()


@pytest.fixture
def session(model: nn.Module) -> Iterator[Session]:
    with watch(model, every=1) as session:
        yield session


def halve(_module: nn.Module, grad_input: Any, _grad_output: Any) -> Any:
    return (grad_input[0] / 2,)


def double(_module: nn.Module, grad_output: Any) -> Any:
    return (grad_output[0] * 2,)


def values() -> Tensor:
    return torch.tensor([1.5, 0.5], requires_grad=True)


def written(entry: EffectEntry) -> tuple[str, str]:
    before = entry.before_text if entry.before is None else values_text(entry.before)
    return before, entry.after_text if entry.after is None else values_text(entry.after)


def told(effects: list[HookEffect]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(effect.text, [written(entry) for entry in effect.entries]) for effect in effects]


def test_output_plus_five_is_seen_before_and_after(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output + 5)

    model(values())

    (effect,) = session.effects()
    assert (effect.outcome, effect.text) == ("changed", "replaced the output")
    assert [written(entry) for entry in effect.entries] == [("(3, 1)", "(8, 6)")]
    assert effect.entries[0].difference == "mean changed by +5, largest change 5"


def test_halved_gradient_is_seen_in_a_backward_hook(model: nn.Module, session: Session) -> None:
    model.register_full_backward_hook(halve)

    model(values()).backward(torch.tensor([0.75, 0.25]))

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [
        ("grad_input[0]", "(1.5, 0.5)", "(0.75, 0.25)")
    ]


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


def test_hook_whose_output_is_its_input_changed_one_value() -> None:
    relu = nn.ReLU(inplace=True)
    relu.register_forward_hook(lambda module, args, output: (args[0].add_(1), None)[1])

    with watch(relu, every=1) as other:
        relu(torch.tensor([1.5, -0.5]))

    assert told(other.effects()) == [("edited the output in place", [("(1.5, 0)", "(2.5, 1)")])]


def test_hook_that_returns_the_very_output_only_looks(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output)

    model(values())

    assert [(effect.outcome, effect.text) for effect in session.effects()] == [
        ("observed", "returned the output as it was")
    ]


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        (lambda module, args, output: output.clone(), "replaced the output by an equal value"),
        (lambda module, args, output: output.clamp(-9, 9), "replaced the output by an equal value"),
        (lambda module, args, output: (output.mul_(1), None)[1], "edited the output in place to an equal value"),
        (lambda module, args, output: output.mul_(1), "edited the output in place and returned it as an equal value"),
    ],
)
@pytest.mark.parametrize("last", [1.0, float("nan")])
def test_an_equal_value_in_its_place_is_no_change(
    model: nn.Module, session: Session, hook: Any, text: str, last: float
) -> None:
    model.register_forward_hook(hook)

    model(torch.tensor([3.0, last]))

    (effect,) = session.effects()
    assert (effect.outcome, effect.text) == ("observed", text)


def test_equal_arguments_are_no_change(model: nn.Module, session: Session) -> None:
    model.register_forward_pre_hook(lambda module, args: (args[0].clone(),))

    model(values())

    assert [(effect.outcome, effect.text) for effect in session.effects()] == [
        ("observed", "replaced the arguments by equal ones")
    ]


@pytest.mark.parametrize(
    "convert",
    [lambda output: output.double(), lambda output: output.reshape(1, 2), lambda output: [output], lambda output: 0],
)
def test_another_kind_of_value_is_a_change_though_it_holds_the_same(
    model: nn.Module, session: Session, convert: Any
) -> None:
    model.register_forward_hook(lambda module, args, output: convert(output))

    model(values())

    assert [(effect.outcome, effect.text) for effect in session.effects()] == [("changed", "replaced the output")]


@pytest.mark.parametrize("detach", [lambda output: output.detach(), lambda output: output.detach_()])
def test_a_value_that_left_the_graph_is_told(model: nn.Module, session: Session, detach: Any) -> None:
    model.register_forward_hook(lambda module, args, output: detach(output))

    model(values())

    (effect,) = session.effects()
    assert (effect.outcome, effect.text) == ("changed", "detached the output from the graph")
    assert [written(entry) for entry in effect.entries] == [("(3, 1)", "")]


def test_a_value_that_a_hook_has_require_grad_is_told(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output.requires_grad_())

    model(values().detach())

    assert [(effect.outcome, effect.text) for effect in session.effects()] == [
        ("changed", "made the output require grad")
    ]


def test_a_value_that_changed_and_left_the_graph_is_told_so(model: nn.Module, session: Session) -> None:
    model.register_forward_hook(lambda module, args, output: output.detach() + 5)

    model(values())

    (effect,) = session.effects()
    assert (effect.text, effect.entries[0].note) == (
        "replaced the output, detached from the graph",
        "detached from the graph",
    )


def test_of_several_tensors_those_that_are_equal_stay_as_they_were() -> None:
    class Pair(nn.Module):
        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            return x * 1, x * 2

    model = Pair()
    model.register_forward_hook(lambda module, args, output: (output[0].clone(), output[1] + 1))
    with watch(model, every=1) as session:
        model(values())

        effects = session.effects()

    assert told(effects) == [("replaced the output", [("(1.5, 0.5)", ""), ("(3, 1)", "(4, 2)")])]


@pytest.mark.parametrize("edit", [lambda output: output.mul_(10), lambda output: output.data.mul_(10)])
def test_edit_in_place_is_a_change(model: nn.Module, session: Session, edit: Any) -> None:
    def hook(module: nn.Module, args: object, output: Tensor) -> None:
        edit(output)

    model.register_forward_hook(hook)

    model(values().detach())

    assert told(session.effects()) == [("edited the output in place", [("(3, 1)", "(30, 10)")])]


def test_edit_of_a_container_in_place_is_a_change() -> None:
    class Named(nn.Module):
        def forward(self, x: Tensor) -> dict[str, Tensor]:
            return {"x": x, "twice": x * 2}

    def hook(module: nn.Module, args: object, output: dict[str, Tensor]) -> None:
        output["twice"] = output["twice"] + 1
        del output["x"]

    model = Named()
    model.register_forward_hook(hook)
    with watch(model, every=1) as session:
        model(values())

        (effect,) = session.effects()

    assert effect.text == "edited the output in place"
    assert [(entry.label, *written(entry), entry.note) for entry in effect.entries] == [
        ("output['x']", "(1.5, 0.5)", "", "taken away"),
        ("output['twice']", "(3, 1)", "(4, 2)", ""),
    ]


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


def test_gradient_that_arrives_is_seen_before_and_after_a_backward_pre_hook(model: nn.Module, session: Session) -> None:
    model.register_full_backward_pre_hook(double)

    model(values()).backward(torch.tensor([0.75, 0.25]))

    (effect,) = session.effects()
    assert [(entry.label, *written(entry)) for entry in effect.entries] == [
        ("grad_output[0]", "(0.75, 0.25)", "(1.5, 0.5)")
    ]


def test_intervention_on_a_gradient_is_seen_in_backward(model: nn.Module, session: Session) -> None:
    hook = session.intervene("", Scale(0.5), on="grad_output")

    output = model(values())
    before = session.report(hook)
    output.backward(torch.tensor([1.5, 0.5]))

    assert (before.fired, before.note) == (0, "no backward yet")
    assert told(session.effects()) == [("replaced the gradient", [("(1.5, 0.5)", "(0.75, 0.25)")])]


def test_hooks_of_a_parameter_are_seen_in_backward() -> None:
    model = nn.Linear(2, 1, bias=False)
    model.weight.register_hook(lambda gradient: gradient * 2)
    model.weight.register_post_accumulate_grad_hook(lambda weight: setattr(weight, "grad", None))
    with watch(model, every=1) as session:
        model(torch.tensor([[1.5, 0.5]])).backward()

        effects = session.effects("weight")

    assert [(effect.kind, effect.call) for effect in effects] == [("tensor", None), ("post_accumulate_grad", None)]
    assert told(effects) == [
        ("replaced the gradient", [("(1.5, 0.5)", "(3, 1)")]),
        ("set parameter.grad to None", [("(3, 1)", "None")]),
    ]
    assert model.weight.grad is None


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


def test_zero_in_place_of_false_is_a_change() -> None:
    class Never(nn.Module):
        def forward(self) -> bool:
            return False

    model = Never()
    model.register_forward_hook(lambda module, args, output: 0)
    with watch(model, every=1) as session:
        model()

        effects = session.effects()

    assert told(effects) == [("replaced the output", [("False", "0")])]


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


def test_hook_that_raises_in_backward_is_marked_on_its_card() -> None:
    def clip(gradient: Tensor) -> None:
        raise ValueError("too steep")

    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    model.get_parameter("0.weight").register_hook(clip)
    with watch(model, every=1) as session:
        with pytest.raises(ValueError, match="too steep"):
            model(torch.ones(1)).backward()

        assert session.node_data(session.graph())["module:0"].trouble == "hook clip raised ValueError: too steep"


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
