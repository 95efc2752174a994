"""A hook that has not run says why, in the words of what happened."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hookviz.hooks.hook import Hook
from hookviz.hooks.interventions import Clamp
from hookviz.session import Session, watch
from tests.models import fc, row, wired


def nothing(*_: object) -> None:
    """A hook that does nothing."""


def only_hook(session: Session) -> Hook:
    (hook,) = session.hooks
    return hook


def note(session: Session) -> str:
    return session.report(only_hook(session)).note


def on_forward(module: nn.Module) -> None:
    module.register_forward_hook(nothing)


def on_backward(module: nn.Module) -> None:
    module.register_full_backward_hook(nothing)


@pytest.mark.parametrize("register", [on_forward, on_backward])
def test_before_any_run(register: Callable[[nn.Module], None]) -> None:
    model = fc()
    register(model)

    with watch(model) as session:
        assert note(session) == "no run yet"


def test_a_hook_that_was_removed_is_told_from_one_that_is_off() -> None:
    model = fc()
    with watch(model) as session:
        removed = session.hook("", "forward", nothing)
        off = session.hook("", "forward", nothing)
        removed.remove()
        off.disable()

        assert session.report(removed).note == "removed: it is not on the model any more"
        assert session.report(off).note == "switched off"
        assert [hook.is_gone for hook in (removed, off)] == [True, False]
        assert repr(removed) == "<forward hook nothing on the model: removed, hookviz>"


def test_before_backward() -> None:
    model = fc()
    on_backward(model)
    with watch(model) as session:
        model(row())

        assert note(session) == "no backward yet"


def test_while_it_is_off() -> None:
    model = fc()
    on_forward(model)
    with watch(model) as session:
        only_hook(session).disable()
        model(row())

        assert note(session) == "switched off"


def test_put_on_the_model_after_the_run() -> None:
    model = fc()
    with watch(model) as session:
        model(row())
        on_forward(model)

        assert note(session) == "put on the model, or switched on, after the shown run: it runs in the next one"


def test_a_module_whose_forward_is_called_directly() -> None:
    model = wired(lambda m, x: m.layer.forward(x), layer=fc())
    on_forward(model.layer)
    with watch(model) as session:
        model(row())

        assert note(session) == (
            "not called: its parameters were used directly, as by its .forward(), so its hooks are skipped"
        )


def test_a_container() -> None:
    model = wired(lambda m, x: m.layers[0](x), layers=nn.ModuleList([fc()]))
    on_forward(model.layers)
    with watch(model) as session:
        model(row())

        assert note(session) == "a container: its children are called, it is not"


def test_a_module_inside_of_what_pytorch_runs_as_one_kernel() -> None:
    model = nn.TransformerEncoderLayer(4, 2, 4, batch_first=True).eval()
    model.linear1.weight.register_hook(nothing)
    on_backward(model.linear1)
    with watch(model) as session, torch.no_grad():
        model(torch.ones(1, 2, 4))

        hook = next(hook for hook in session.hooks if hook.kind == "backward")

        assert session.report(hook).note == (
            "not called: PyTorch's fused path ran the model as one kernel, so its hooks are skipped"
        )


def test_a_module_that_the_run_did_not_use() -> None:
    model = wired(lambda m, x: m.used(x), used=fc(), spare=nn.ReLU())
    on_forward(model.spare)
    with watch(model) as session:
        model(row())

        assert note(session) == (
            "not called in this run, as far as is seen: .forward() skips hooks, compiled code hides them"
        )


def test_a_compiled_module() -> None:
    model = fc()
    on_forward(model)
    model.compile(backend="eager")
    with watch(model) as session:
        model(row())

        assert note(session) == "compiled: not observable"


def test_under_no_grad() -> None:
    model = fc()
    on_backward(model)
    with watch(model) as session, torch.no_grad():
        model(row())

        assert note(session) == "ran under no_grad, so no gradient comes by"


def test_a_frozen_module() -> None:
    model = fc().requires_grad_(requires_grad=False)
    on_backward(model)
    with watch(model) as session:
        model(row())

        assert note(session) == "frozen: does not require grad, so no gradient comes by"


def test_a_branch_that_is_not_in_the_loss() -> None:
    model = wired(lambda m, x: (m.used(x), m.side(x)), used=fc(), side=fc())
    on_backward(model.side)
    with watch(model) as session:
        used, _ = model(row())
        used.sum().backward()

        assert note(session) == "no gradient arrived here: this branch is not in the loss"


def test_a_frozen_parameter() -> None:
    model = fc()
    model.weight.register_hook(nothing)
    model.weight.requires_grad_(False)
    with watch(model) as session:
        model(row()).sum().backward()

        assert note(session) == "parameter frozen: it does not require grad"


def test_a_parameter_before_backward() -> None:
    model = fc()
    model.weight.register_hook(nothing)
    with watch(model) as session:
        model(row())

        assert note(session) == "no backward yet"


def test_an_output_that_backward_hooks_do_not_take() -> None:
    model = wired(lambda m, x: m.named(x)["y"], named=wired(lambda m, x: {"y": m.fc(x)}, fc=fc()))
    on_backward(model.named)
    with watch(model) as session:
        with pytest.warns(UserWarning, match="module output should be a Tensor or a tuple"):
            model(row().requires_grad_()).sum().backward()

        assert note(session) == ("the output is no tensor and no tuple: PyTorch calls backward hooks for nothing else")


@pytest.mark.filterwarnings("ignore:Full backward hook is firing:UserWarning")
def test_an_input_that_needs_no_gradient_is_told_of_a_hook_that_ran() -> None:
    model = fc()
    on_backward(model)
    with watch(model) as session:
        model(row()).sum().backward()

        report = session.report(only_hook(session))

    assert (report.fired, report.outcome) == (1, "observed")
    assert report.note == "grad_input is None: input does not require grad"


def test_a_hook_after_one_that_raised() -> None:
    def fail(*_: object) -> None:
        raise ValueError("no")

    model = fc()
    model.register_forward_hook(fail)
    on_forward(model)
    with watch(model) as session:
        with pytest.raises(ValueError, match="no"):
            model(row())

        first, second = session.hooks

        assert session.report(first).note == "raised ValueError: no"
        assert session.report(second).note == "not reached: ValueError: no"


def test_kinds_that_are_not_part_of_a_run() -> None:
    model = fc()
    model.register_state_dict_pre_hook(nothing)
    with watch(model) as session:
        model(row())

        assert note(session) == "runs when state_dict() is called"


def test_a_hook_that_ran_tells_how_often_and_what_it_did() -> None:
    step = nn.Identity()
    step.register_forward_hook(lambda module, args, output: output / 2)
    model = nn.Sequential(step, step)
    with watch(model) as session:
        model(torch.tensor([6.0, 2.0]))

        report = session.report(only_hook(session))

    assert (report.fired, report.outcome, report.note) == (2, "changed", "(3, 1) → (1.5, 0.5)")


def test_a_change_of_many_values_is_told_by_its_size() -> None:
    def add_five(_module: nn.Module, _args: Any, output: Tensor) -> Tensor:
        return output + 5

    model = nn.Identity()
    model.register_forward_hook(add_five)
    with watch(model) as session:
        model(torch.zeros(100))

        assert note(session) == "mean changed by +5, largest change 5"


def change(convert: Callable[[Tensor], Tensor], value: Tensor) -> str:
    """The note on a hook that converts this output."""
    model = nn.Identity()
    model.register_forward_hook(lambda module, args, output: convert(output))
    with watch(model) as session:
        model(value)
        return note(session)


def test_another_dtype_or_shape_of_few_values_is_told_beside_them() -> None:
    few = torch.tensor([3.0, 1.0])

    assert change(Tensor.double, few) == "(3, 1) → (3, 1), float32 → float64"
    assert change(lambda output: output.reshape(1, 2), few) == "(3, 1) → (3, 1), shape 2 → 1×2"


def test_a_change_in_late_digits_is_told_by_its_size() -> None:
    few = torch.tensor([1.0, 1.0], dtype=torch.float64)

    assert change(lambda output: output + 1e-9, few) == "mean changed by +1e-09, largest change 1e-09"


def test_nan_that_a_hook_made_in_many_values_is_counted() -> None:
    many = torch.ones(64)

    assert change(lambda output: output / (torch.arange(64) >= 12), many) == "Inf 12 of 64 made here"
    assert change(lambda output: output * float("nan"), many) == "NaN 64 of 64 made here"


def test_a_change_that_left_the_graph_is_told_with_the_values() -> None:
    few = torch.tensor([3.0, 1.0], requires_grad=True)

    assert change(lambda output: output.detach() + 5, few) == "(3, 1) → (8, 6), detached from the graph"
    assert change(Tensor.detach, few) == "detached the output from the graph"


def test_an_intervention_that_clips_nothing_is_not_said_to_change_it() -> None:
    model = nn.Identity()
    with watch(model) as session:
        hook = session.intervene("", Clamp(-9, 9))
        model(torch.tensor([3.0, 1.0]))

        report = session.report(hook)

    assert (report.outcome, report.note) == ("observed", "replaced the output by an equal value")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None → 0"),
        (b"ab", "b'ab' → 0"),
        ({2, 1}, "{1, 2} → 0"),
        (2j, "2j → 0"),
        (frozenset(), "frozenset() → 0"),
    ],
)
def test_a_value_without_tensors_is_written_out(value: object, text: str) -> None:
    model = wired(lambda m, x: value)
    model.register_forward_hook(lambda module, args, output: 0)
    with watch(model) as session:
        model(row())

        assert note(session) == text
