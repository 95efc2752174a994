"""Gradients that are recorded without a copy show what they were, and nothing is otherwise because of it."""

import weakref
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import hookviz
from tests.large import ROWS, Large, batch, gradient_recorded, is_lent, of, recorded
from tests.models import wired
from tests.views import at


def expected_gradient(model: Large, each: float = 1.0) -> torch.Tensor:
    """Of what ``first`` returned: all ones, or another number, through the second layer."""
    assert isinstance(model.second, nn.Linear)
    return (torch.full((ROWS, 32), each) @ model.second.weight).detach()


def test_gradients_are_lent_from_the_second_run_on() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        lent = []
        for seed in range(3):
            model(batch(seed)).backward()
            lent.append(is_lent(gradient_recorded(session, "first")))

        assert lent == [False, True, True]
        assert torch.equal(gradient_recorded(session, "first").tensor, expected_gradient(model))


def test_a_gradient_that_a_hook_of_the_user_edits_in_place_has_its_values() -> None:
    model = Large()

    def double(gradient: torch.Tensor) -> torch.Tensor:
        return gradient.mul_(2)

    with hookviz.watch(model, every=1) as session:
        for seed in range(1, 6):
            model.between = (lambda y: y.register_hook(double)) if seed >= 3 else (lambda _: None)
            model(batch(seed)).backward()
        mean = expected_gradient(model).mean().item()
        known = [
            (gradient.is_kept, gradient.summary.mean == pytest.approx(mean, abs=1e-6))
            for gradient in (session.at_step(step)["first"].grad_output for step in range(1, 6))
            if isinstance(gradient, hookviz.Capture)
        ]

        # Which of the two hooks comes first is the affair of autograd; numbers are those from before.
        assert known == [(True, True), (True, True), (False, True), (True, True), (True, True)]


class Biased(nn.Module):
    """Adds a parameter as large as its input: autograd makes the gradient of the sum that of the parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(ROWS, 32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Their sum."""
        return x.detach() + self.bias


@pytest.mark.parametrize("memory_stays_at", [(), (4,), (4, 8)])
def test_a_gradient_that_becomes_that_of_a_parameter_has_its_values_while_others_are_added_to_it(
    memory_stays_at: tuple[int, ...],
) -> None:
    biased = Biased()
    model = Large(nn.Sequential(nn.Linear(8, 32), biased))
    with hookviz.watch(model, every=1) as session:
        for seed in range(1, 13):
            model(batch(seed)).backward()
            if seed % 2 == 0:
                biased.zero_grad(set_to_none=seed not in memory_stays_at)

        for step in range(1, 13):
            gradient = session.at_step(step)["first.1"].grad_output
            assert isinstance(gradient, hookviz.Capture)
            assert torch.equal(gradient.tensor, expected_gradient(model))


def test_zero_grad_that_keeps_the_memory_of_gradients_changes_no_value() -> None:
    model = Large(nn.Sequential(nn.Linear(8, 32), Biased()))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    with hookviz.watch(model, every=1) as session:
        for seed in range(1, 6):
            loss = model(batch(seed))
            optimizer.zero_grad(set_to_none=False)
            loss.backward()
            optimizer.step()

        for step in range(1, 6):
            gradient = session.at_step(step)["first.1"].grad_output
            assert isinstance(gradient, hookviz.Capture)
            assert torch.equal(gradient.tensor, expected_gradient(model))


def test_the_last_of_several_backward_passes_is_shown() -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            loss = model(batch(seed))
            loss.backward(retain_graph=True)
            (3 * loss).backward()

        assert is_lent(gradient_recorded(session, "first"))
        assert torch.equal(gradient_recorded(session, "first").tensor, expected_gradient(model, 3.0))


def test_gradients_that_autograd_adds_to_unless_somebody_holds_them_are_lent_as_well() -> None:
    last = nn.Linear(32, 1)
    model = nn.Sequential(nn.Linear(8, 32), wired(lambda self, x: x + self.inner(x), inner=nn.Linear(32, 32)), last)
    with hookviz.watch(model, every=1) as session:
        lent = []
        for seed in range(5):
            model(batch(seed)).sum().backward()
            lent.append(is_lent(gradient_recorded(session, "1")))

        assert lent == [False, False, False, True, True]
        for step in range(1, 6):
            gradient = session.at_step(step)["1"].grad_output
            assert isinstance(gradient, hookviz.Capture)
            assert torch.equal(gradient.tensor, last.weight.detach().expand(ROWS, 32))


@pytest.mark.parametrize("runs", [2, 3])
def test_gradients_that_autograd_adds_to_hold_no_memory_when_the_session_is_closed(runs: int) -> None:
    memory: list[weakref.ref[torch.UntypedStorage]] = []

    def added(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = x + self.inner(x)  # type: ignore[operator]  # a module, says torch, may be a tensor
        if is_asked:
            y.register_hook(lambda gradient: memory.append(weakref.ref(gradient.untyped_storage())))
        return y

    model = nn.Sequential(nn.Linear(8, 32), wired(added, inner=nn.Linear(32, 32)), nn.Linear(32, 1))
    session = hookviz.watch(model, every=1)
    for seed in range(runs):
        is_asked = seed == 1
        model(batch(seed)).sum().backward()
    was_held = memory[0]() is not None

    session.close()

    assert was_held
    assert memory[0]() is None


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_checkpointed_modules_have_their_values_and_gradients(use_reentrant: bool) -> None:
    last = nn.Linear(32, 32)
    inner = nn.Sequential(nn.Linear(8, 32), nn.ReLU(inplace=True), last)
    model = wired(lambda self, x: checkpoint(self.inner, x, use_reentrant=use_reentrant).sum(), inner=inner)
    with hookviz.watch(model, every=1) as session:
        for seed in range(4):
            model(batch(seed).requires_grad_()).backward()
            first = of(inner[0], batch(seed))

            gradient = at(session, "inner.0").grad_output
            assert torch.equal(at(session, "inner.0").output.tensor, first)
            assert torch.equal(at(session, "inner.2").output.tensor, of(last, first.relu()))
            assert isinstance(gradient, hookviz.Capture)
            expected = (torch.ones(ROWS, 32) @ last.weight) * (first > 0)
            assert torch.equal(gradient.tensor, expected.detach())


def convolutional() -> nn.Module:
    """With what writes in place, hands on, and adds up."""
    torch.manual_seed(0)
    block = wired(
        lambda self, x: nn.functional.relu(self.norm(self.conv(x)).add_(x), inplace=True),
        conv=nn.Conv2d(8, 8, 3, padding=1),
        norm=nn.BatchNorm2d(8),
    )
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(inplace=True), block, nn.Dropout(0.1), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(8 * 16 * 16, 4),
    )  # fmt: skip


def trained(*, is_watched: bool, memory_format: torch.memory_format) -> list[torch.Tensor]:
    """Outputs, and gradients of input and parameters, of five steps."""
    model = convolutional()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    session = hookviz.watch(model, every=1) if is_watched else None
    found = []
    for seed in range(5):
        x = torch.randn(16, 3, 32, 32, generator=torch.Generator().manual_seed(seed))
        x = x.to(memory_format=memory_format).requires_grad_()
        torch.manual_seed(seed)
        output = model(x)
        output.square().mean().backward()
        found += [output.detach().clone(), x.grad.clone()]  # type: ignore[union-attr]  # backward gave it one
        found += [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
        optimizer.step()
        optimizer.zero_grad()
    if session is not None:
        assert any(is_lent(recorded(session, path)) for path in ("0", "1", "2", "3"))
        session.close()
    return found


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_the_bits_of_five_steps_are_the_same_with_a_session_and_without(memory_format: torch.memory_format) -> None:
    watched = trained(is_watched=True, memory_format=memory_format)
    bare = trained(is_watched=False, memory_format=memory_format)

    assert len(watched) == len(bare) == 5 * (2 + 8)
    assert all(torch.equal(one, other) for one, other in zip(watched, bare, strict=True))


class Doubled(torch.autograd.Function):
    """Writes into its input and says so."""

    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]  # as torch declares it
        """Twice the input, in its memory."""
        ctx.mark_dirty(x)
        x.data.mul_(2)
        return x

    @staticmethod
    def backward(ctx, gradient):  # type: ignore[no-untyped-def]  # as torch declares it
        """In place, too."""
        return gradient.mul_(2)


ENDS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "a function that writes": Doubled.apply,
    "an addition in place": lambda y: y.add_(y.detach()),
    "an addition assigned": lambda y: y.__iadd__(y.detach()),
}


@pytest.mark.parametrize("double", ENDS.values(), ids=ENDS)
def test_what_a_parent_does_to_what_its_child_returned_never_shows_at_the_child(
    double: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    linear, last = nn.Linear(8, 32), nn.Linear(32, 1)
    model = wired(lambda self, x: self.last(double(self.linear(x))).sum(), linear=linear, last=last)
    with hookviz.watch(model, every=1) as session:
        for seed in range(4):
            model(batch(seed)).backward()

            assert torch.equal(at(session, "linear").output.tensor, of(linear, batch(seed)))


def test_a_gradient_that_an_addition_hands_on_is_recorded_once_and_shows_at_both() -> None:
    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.other, self.last = nn.Linear(8, 32), nn.Linear(8, 32), nn.Linear(32, 32)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = self.last(self.one(x) + self.other(x))
            return output.sum()

    model = Residual()
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            model(batch(seed)).backward()
        one, other = (gradient_recorded(session, path) for path in ("one", "other"))

        assert one is other
        expected = torch.ones(ROWS, 32) @ model.last.weight.detach()
        torch.testing.assert_close(one.tensor, expected)
        assert session.history("other", "grad_output", "norm")[1].tolist() == pytest.approx(
            [expected.norm().item()] * 3, rel=1e-4
        )


def test_shares_of_a_gradient_that_was_not_kept_are_not_added_up_and_say_so() -> None:
    class Twice(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2 + x * 3

    model = nn.Sequential(nn.Linear(4, 4), Twice())
    with hookviz.watch(model, every=1, inputs=True, exact=True, keep_bytes=1) as session:
        for _ in range(2):
            model(torch.ones(8, 4)).sum().backward()

        assert session.problem == ""
        entries = at(session, "1").calls[0].entries("grad_input")
        assert [(capture, note) for _, capture, note in entries] == [
            (None, "its shares were not added up: the tensor of the first was not kept, raise keep_bytes")
        ]
