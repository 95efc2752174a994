"""A hook that has not run says why, in the words of what happened."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.hooked import note, nothing, only_hook
from tests.models import fc, row, wired


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


def test_under_inference_mode() -> None:
    model = fc()
    on_backward(model)
    with watch(model) as session, torch.inference_mode():
        model(row())

        assert note(session) == "ran under inference_mode, so no gradient comes by"


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
