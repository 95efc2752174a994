"""Gradients arrive at cells through tensor hooks, none of which stays on the user's tensors."""

from collections.abc import Callable

import torch

from hookviz.capture.capture import Capture
from hookviz.capture.gradient import GradientCell, GradientHooks
from hookviz.capture.store import TensorStore
from hookviz.hooks.parking import park, unpark


def straight(work: Callable[..., None], *arguments: object) -> None:
    work(*arguments)


def hooks() -> GradientHooks:
    return GradientHooks(TensorStore(10_000), straight)


def values(cell: GradientCell) -> list[float]:
    assert isinstance(cell.capture, Capture)
    found: list[float] = cell.capture.tensor.flatten().tolist()
    return found


def test_a_cell_holds_the_gradient_of_all_uses_together() -> None:
    leaf = torch.ones(2, requires_grad=True)
    middle, cell = leaf * 2, GradientCell("a")
    hooks().attach(middle, cell, is_output=True)

    (middle * 3 + middle * 4).sum().backward()

    assert values(cell) == [7.0, 7.0]
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [14.0, 14.0]


def test_a_second_backward_pass_replaces_the_first() -> None:
    middle, cell = torch.ones(1, requires_grad=True) * 1, GradientCell("a")
    hooks().attach(middle, cell, is_output=True)

    (middle * 3).sum().backward(retain_graph=True)
    first = cell.task
    (middle * 5).sum().backward()

    assert values(cell) == [5.0]
    assert cell.task > first


def test_a_captured_gradient_is_a_copy() -> None:
    leaf = torch.ones(1, requires_grad=True)
    middle, cell = leaf * 1, GradientCell("a")
    hooks().attach(middle, cell, is_output=True)
    (middle * 3).sum().backward()

    assert leaf.grad is not None
    leaf.grad.zero_()

    assert values(cell) == [3.0]


def test_hooks_on_leaves_are_removed_with_the_run() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    made.attach(leaf, GradientCell("a"), is_output=True)
    before = len(leaf._backward_hooks or ())

    made.remove()

    assert before == 1
    assert leaf._backward_hooks is None


def test_a_leaf_whose_table_of_hooks_was_dropped_takes_hooks_as_before() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    made.attach(leaf, GradientCell("a"), is_output=True)
    made.remove()
    seen: list[float] = []
    handle = leaf.register_hook(lambda gradient: seen.append(gradient.item()))

    (leaf * 3).sum().backward()
    handle.remove()
    (leaf * 3).sum().backward()

    assert seen == [3.0]


def test_a_hook_that_the_user_registered_meanwhile_stays_and_fires() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    made.attach(leaf, GradientCell("a"), is_output=True)
    seen: list[float] = []
    handle = leaf.register_hook(lambda gradient: seen.append(gradient.item()))

    made.remove()
    (leaf * 3).sum().backward()
    handle.remove()
    (leaf * 3).sum().backward()

    assert seen == [3.0]


def test_a_hook_that_is_switched_off_meanwhile_can_be_switched_on_again() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    made.attach(leaf, GradientCell("a"), is_output=True)
    seen: list[float] = []
    handle = leaf.register_hook(lambda gradient: seen.append(gradient.item()))
    table = leaf._backward_hooks
    park(table, handle.id)  # type: ignore[arg-type]  # an OrderedDict

    made.remove()
    unpark(table, handle.id)  # type: ignore[arg-type]  # an OrderedDict
    (leaf * 3).sum().backward()

    assert seen == [3.0]


def test_an_empty_table_that_was_there_before_stays() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    leaf.register_hook(lambda gradient: None).remove()
    table = leaf._backward_hooks
    made.attach(leaf, GradientCell("a"), is_output=True)

    made.remove()

    assert leaf._backward_hooks is table


def test_hooks_removed_within_a_backward_pass_leave_the_table_that_it_works_with() -> None:
    leaf, made = torch.ones(1, requires_grad=True), hooks()
    made.attach(leaf, GradientCell("a"), is_output=True)
    middle = leaf * 3
    middle.register_hook(lambda gradient: made.remove())

    middle.sum().backward()

    assert leaf._backward_hooks == {}
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [3.0]


def test_a_view_edited_in_place_gets_its_gradient_through_its_base() -> None:
    base = torch.ones(2, 3, requires_grad=True) * 1
    view, cell, made = base[:, 1], GradientCell("a"), hooks()
    made.attach(view, cell, is_output=True)
    made.attach_to_base(view, cell)

    base += 1
    (base * torch.tensor([10.0, 20.0, 30.0])).sum().backward()

    assert values(cell) == [20.0, 20.0]


def test_accumulate_adds_up_within_one_backward_pass_only() -> None:
    made, cell, leaf = hooks(), GradientCell("a"), torch.ones(1, requires_grad=True)
    middle = leaf * 1

    def twice(gradient: torch.Tensor) -> None:
        made.accumulate(cell, gradient)
        made.accumulate(cell, gradient * 10)

    middle.register_hook(twice)

    (middle * 2).sum().backward(retain_graph=True)
    first = values(cell)
    (middle * 3).sum().backward()

    assert first == [22.0]
    assert values(cell) == [33.0]


def test_a_cell_that_nobody_holds_any_more_is_not_filled() -> None:
    store = TensorStore(10_000)
    middle = torch.ones(1, requires_grad=True) * 1
    GradientHooks(store, straight).attach(middle, GradientCell("dropped"), is_output=True)

    middle.sum().backward()

    assert store.kept_bytes == 0


def test_clear_makes_a_cell_look_as_before_any_backward() -> None:
    middle, cell = torch.ones(1, requires_grad=True) * 1, GradientCell("a")
    hooks().attach(middle, cell, is_output=True)
    middle.sum().backward()

    cell.clear()

    assert (cell.capture, cell.task) == (None, -1)


def test_a_view_that_nobody_used_has_no_gradient_of_its_base() -> None:
    base = torch.ones(4, requires_grad=True) * 1
    view, cell = base[:2], GradientCell("a")
    made = hooks()
    made.attach(view, cell, is_output=True)
    made.attach_to_base(view, cell)

    (base * 3).sum().backward()

    assert cell.capture is None


def test_a_view_that_was_overwritten_has_the_gradient_of_its_base() -> None:
    base = torch.ones(4, requires_grad=True) * 1
    view, cell = base[:2], GradientCell("a")
    made = hooks()
    made.attach(view, cell, is_output=True)
    made.attach_to_base(view, cell)

    base.mul_(5)
    (base * 3).sum().backward()

    assert values(cell) == [15.0, 15.0]
