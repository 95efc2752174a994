"""With stop_on_nan, a run ends at the first module that returns a NaN."""

import math
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import NotFiniteError, OptionError
from hookviz.health.nans import count_nans
from hookviz.session import watch
from tests.models import fc, row, wired


def spoilt() -> Any:
    """Two layers with a NaN made between them, as long as ``is_spoilt`` says so."""

    def wiring(model: Any, x: torch.Tensor) -> Any:
        x = model.first(x)
        x = model.root(x * (math.nan if model.is_spoilt else 1.0))
        return model.last(x)

    model = wired(wiring, first=fc(), root=nn.Identity(), last=fc())
    model.is_spoilt = True
    return model


@pytest.mark.parametrize("every", [1, 1_000], ids=["captured", "not captured"])
def test_a_run_ends_at_the_module_that_returns_a_nan(every: int) -> None:
    model = spoilt()
    model.is_spoilt = False
    watch(model, every=every, stop_on_nan=True)
    model(row())
    model.is_spoilt = True

    with pytest.raises(NotFiniteError) as caught:
        model(row())

    error = caught.value
    assert (error.path, error.step, error.value) == ("root", 2, "output")
    assert str(error).splitlines()[0] == (
        "root (Identity) returned 4 NaN of 4 values in output of shape (1, 4), in run 2: its input held NaN already, "
        "so an operation before it made them, or they were in the data."
    )


@pytest.mark.parametrize("every", [1, 1_000], ids=["captured", "not captured"])
def test_the_run_after_it_goes_on(every: int) -> None:
    model = spoilt()
    session = watch(model, every=every, stop_on_nan=True)
    for _ in range(2):
        with pytest.raises(NotFiniteError):
            model(row())

    model.is_spoilt = False
    output = model(row())

    assert torch.equal(output, model.last(model.root(model.first(row()))))
    assert session.problem == ""


def test_the_picture_of_a_captured_run_that_was_stopped_shows_where() -> None:
    model = spoilt()
    session = watch(model, every=1, stop_on_nan=True)

    with pytest.raises(NotFiniteError):
        model(row())

    assert session.run is not None
    assert session.run.failed_path == "root"
    graph = session.graph()
    assert session.node_data(graph)["module:root"].trouble.startswith("NaN 4 of 4")
    assert [finding.symptom for finding in session.health()] == ["NaN"]


def test_a_parameter_that_holds_it_is_named() -> None:
    model = nn.Sequential(fc())
    with torch.no_grad():
        model[0].bias.fill_(math.nan)  # type: ignore[operator]  # nn.Sequential does not tell the class
    watch(model, stop_on_nan=True)

    with pytest.raises(NotFiniteError, match="its bias holds NaN"):
        model(row())


@pytest.mark.parametrize("every", [1, 1_000], ids=["captured", "not captured"])
def test_infinities_in_the_input_that_no_module_returned_are_named(every: int) -> None:
    model = wired(lambda m, x: m.c(torch.log(m.l(x))), l=nn.ReLU(), c=nn.Linear(4, 2))
    nn.init.constant_(model.c.weight, 0.0)
    session = watch(model, every=every, stop_on_nan=True)
    model(torch.ones(1, 4))

    with pytest.raises(NotFiniteError) as caught:
        model(torch.tensor([[1.0, -1.0, 2.0, -3.0]]))

    assert session.runs_captured == (2 if every == 1 else 1)
    assert str(caught.value).splitlines()[0] == (
        "c (Linear) returned 2 NaN of 2 values in output of shape (1, 2), in run 2: its parameters held none, and its "
        "input no NaN but 2 Inf, which no module before it, the last of them l (ReLU), had returned: "
        "an operation made them, or the data held them."
    )


def test_infinities_in_the_input_are_laid_to_the_first_module_that_returned_one() -> None:
    model = wired(lambda m, x: m.c(m.b(m.a(x) * math.inf)), a=fc(), b=nn.Identity(), c=wired(lambda _, x: x - x))
    watch(model, stop_on_nan=True)

    with pytest.raises(
        NotFiniteError,
        match=r"held none, and its input no NaN but 4 Inf; the first module that returned Inf was b \(Identity\)\.",
    ):
        model(row())


def test_a_parameter_or_buffer_that_holds_what_a_nan_is_made_of_is_named() -> None:
    for name, value, told in (
        ("weight", math.inf, "its weight holds Inf"),
        ("running_mean", math.nan, "its running_mean holds NaN"),
    ):
        norm = nn.BatchNorm1d(4).eval()
        with torch.no_grad():
            getattr(norm, name).fill_(value)
        watch(norm, stop_on_nan=True)

        with pytest.raises(NotFiniteError, match=told):
            norm(torch.zeros(1, 4))


def test_one_of_several_outputs_is_named() -> None:
    model = wired(lambda _, x: {"good": x, "bad": (x, x * math.nan)})
    watch(model, stop_on_nan=True)

    with pytest.raises(NotFiniteError) as caught:
        model(row())

    assert caught.value.value == "output['bad'][1]"


def test_an_infinity_stops_nothing() -> None:
    model = wired(lambda _, x: torch.stack([x * math.inf, -x * math.inf]))
    watch(model, stop_on_nan=True)

    assert model(row()).isinf().all()


def vanishing_root() -> Any:
    """Two layers with a root between them, whose gradient at 0 is infinite, and a NaN once it is times 0."""

    def wiring(model: Any, x: torch.Tensor) -> Any:
        return model.last(model.first(x) + (model.squash(x) * 0).sqrt())

    return wired(wiring, first=fc(), squash=nn.Sigmoid(), last=fc())


@pytest.mark.parametrize("every", [1, 1_000], ids=["captured", "not captured"])
def test_a_backward_pass_ends_at_the_module_that_gets_a_nan(every: int) -> None:
    model, x = vanishing_root(), row().requires_grad_()
    watch(model, every=every, stop_on_nan=True)
    model(x)
    loss = model(x).sum()

    with pytest.raises(NotFiniteError) as caught:
        loss.backward()

    error = caught.value
    assert (error.path, error.step, error.value) == ("squash", 2, "grad_output")
    assert str(error).splitlines()[0] == (
        "squash (Sigmoid) got a gradient with 4 NaN of 4 values at its output, of shape (1, 4), in the backward pass "
        "of run 2: those before it, the last at last (Linear), held none."
    )


def test_the_picture_of_a_run_that_was_not_captured_shows_where_backward_stopped() -> None:
    model, x = vanishing_root(), row().requires_grad_()
    session = watch(model, every=1_000, stop_on_nan=True)
    model(x)
    loss = model(x).sum()

    with pytest.raises(NotFiniteError):
        loss.backward()

    trouble = session.node_data(session.graph())["module:squash"].trouble
    assert trouble == "raised: NotFiniteError: NaN in the gradient of its output"


def test_the_picture_of_a_captured_run_shows_the_gradient_that_stopped_it() -> None:
    model, x = vanishing_root(), row().requires_grad_()
    session = watch(model, every=1, stop_on_nan=True)

    with pytest.raises(NotFiniteError):
        model(x).sum().backward()

    assert [(finding.symptom, finding.path) for finding in session.health()] == [("NaN", "squash")]


def test_a_loss_that_is_no_number_stops_the_pass_at_once() -> None:
    model = fc()
    watch(model, stop_on_nan=True)

    with pytest.raises(NotFiniteError, match=r"^the model \(Linear\) got .*: it is the first"):
        (model(row()).sum() * math.nan).backward()


def test_no_hook_is_left_on_what_is_no_result_of_the_run() -> None:
    model = wired(lambda model, _: model.own.weight, own=fc())
    watch(model, gradients=False, stop_on_nan=True)

    model(row())

    assert model.own.weight._backward_hooks is None


def test_gradients_are_the_same_with_the_check() -> None:
    model, x = nn.Sequential(fc(), nn.ReLU(), fc()), torch.randn(3, 4)
    model(x).sum().backward()
    bare = [parameter.grad for parameter in model.parameters()]
    model.zero_grad()

    watch(model, every=1_000, stop_on_nan=True)
    for _ in range(2):
        model.zero_grad()
        model(x).sum().backward()

    for parameter, before in zip(model.parameters(), bare, strict=True):
        assert before is not None
        assert parameter.grad is not None
        assert torch.equal(parameter.grad, before)


def test_gradients_of_torch_func_and_batched_ones_come_through_the_check() -> None:
    model, x = fc(), torch.randn(3, 4)
    parameters: dict[str, torch.Tensor] = dict(model.named_parameters())

    def loss(parameters: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = torch.func.functional_call(model, parameters, (x,))
        return output.sum()

    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))
    bare = each(parameters, x)["weight"]
    watch(model, every=1_000, gradients=False, stop_on_nan=True)
    model(x)

    assert torch.equal(each(parameters, x)["weight"], bare)
    (batched,) = torch.autograd.grad(model(x), model.bias, torch.ones(2, 3, 4), is_grads_batched=True)
    assert torch.equal(batched, torch.full((2, 4), 3.0))


def test_without_the_option_a_nan_stops_nothing() -> None:
    model = spoilt()
    watch(model, every=1)

    assert model(row()).isnan().all()


def test_the_option_can_be_taken_back() -> None:
    model = spoilt()
    watch(model, stop_on_nan=True)

    watch(model, stop_on_nan=False)

    assert model(row()).isnan().all()


def test_the_option_is_true_or_false() -> None:
    model = fc()

    with pytest.raises(OptionError, match="stop_on_nan is True or False; got 'yes'"):
        watch(model, stop_on_nan="yes")  # type: ignore[arg-type]  # that is the point


def test_checking_changes_no_bit() -> None:
    model, x = nn.Sequential(fc(), nn.ReLU(), fc()), torch.randn(3, 4)
    bare = model(x)

    watch(model, every=1_000, stop_on_nan=True)
    model(x)

    assert torch.equal(model(x), bare)


@pytest.mark.parametrize(
    ("tensor", "count"),
    [
        (torch.tensor([1.0, math.nan, math.inf]), 1),
        (torch.tensor([math.inf, -math.inf]), 0),
        (torch.tensor([6e4, 6e4], dtype=torch.float16), 0),
        (torch.tensor([complex(0, math.nan), 1]), 1),
        (torch.tensor([1, 2]), 0),
        (torch.empty(0), 0),
        (torch.empty(2, device="meta"), 0),
    ],
    ids=["nan", "infinities", "sum overflows", "complex", "integers", "empty", "no values"],
)
def test_nans_are_counted(tensor: torch.Tensor, count: int) -> None:
    assert count_nans(tensor) == count
