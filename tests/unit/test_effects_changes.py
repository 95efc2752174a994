"""What of a value a hook changed is told: what is equal is no change, and an edit in place is one."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.session import Session, watch
from tests.effects import Double, told, values, written


@pytest.fixture
def model() -> nn.Module:
    return Double()


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
