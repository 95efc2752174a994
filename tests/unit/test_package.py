"""Programs in a row, with hooks by the contract: None, or the new value."""

from typing import Any

import pytest
import torch
from torch import nn

import hookviz
from hookviz.errors import PackageError, UnknownModuleError
from hookviz.package import Package


def double(value: int) -> int:
    return value * 2


def add_one(value: int) -> int:
    return value + 1


def test_each_program_works_on_what_the_one_before_returned() -> None:
    package = Package([double, add_one])

    assert package(5) == 11


def test_the_first_program_gets_all_arguments() -> None:
    package = Package([divmod, sum])

    assert package(17, 5) == 5


def test_a_hook_that_returns_none_only_looks() -> None:
    seen: list[int] = []
    package = Package([double, add_one])
    package.hook("double", seen.append)

    result = package(5)

    assert result == 11
    assert seen == [10]


@pytest.mark.parametrize("new", [0, False, "", [], 0.0])
def test_a_value_that_counts_as_false_takes_the_place_too(new: Any) -> None:
    package = Package([double, lambda value: value])
    package.hook(0, lambda _: new)

    assert package(5) is new


def test_hooks_after_one_program_run_in_the_order_in_which_they_were_added() -> None:
    package = Package([double])
    package.hook("double", lambda value: value + 5)
    package.hook("double", lambda value: value * 10)

    assert package(1) == 70


def test_a_removed_hook_runs_no_more() -> None:
    package = Package([double])
    handle = package.hook(-1, lambda value: value + 5)

    handle.remove()

    assert package(1) == 2


def test_programs_are_named_by_their_functions_and_numbered_where_alike() -> None:
    package = Package([double, double, lambda value: value, str.split, nn.Linear(1, 1)])

    assert [name for name, _ in package.named_children()] == ["double", "double_2", "function", "split", "Linear"]


def test_a_program_may_have_the_name_of_a_method_of_modules() -> None:
    def forward(value: int) -> int:
        return value + 1

    package = Package([forward])

    assert package(1) == 2
    assert [name for name, _ in package.named_children()] == ["forward"]


def test_names_can_be_given() -> None:
    package = Package([double, add_one], names=["first", "second"])

    assert [name for name, _ in package.named_children()] == ["first", "second"]


@pytest.mark.parametrize(
    ("programs", "names", "message"),
    [
        ([], None, r"A package needs at least one program: Package\(\[program_a, program_b\]\)."),
        ([double, 5], None, "Program 1 of the package is int 5, which cannot be called."),
        ([double], ["a", "b"], "Each program has one name: got the names 'a', 'b' for 1 of them."),
        ([double], ["a.b"], "A program's name is text without dots, got 'a.b'."),
        ([double, add_one], ["a", "a"], "Each name may be given once, got a, a."),
    ],
)
def test_what_makes_no_package_is_told(programs: list[Any], names: list[str] | None, message: str) -> None:
    with pytest.raises(PackageError, match=message):
        Package(programs, names=names)


@pytest.mark.parametrize("program", ["tripel", 2, -3, True])
def test_an_unknown_program_is_told_with_those_that_exist(program: Any) -> None:
    package = Package([double, add_one])

    with pytest.raises(UnknownModuleError, match=r"There are 'double', 'add_one', or 0 to 1\."):
        package.hook(program, print)


def test_a_hook_that_cannot_be_called_is_refused() -> None:
    with pytest.raises(PackageError, match=r"A hook is called with the value; int 5 cannot be\."):
        Package([double]).hook(0, 5)  # type: ignore[arg-type]  # the claim is about a wrong type


def test_the_values_between_the_programs_are_captured() -> None:
    package = Package([str.split, len])

    with hookviz.watch(package, every=1) as session:
        package("to be or not")

        assert session.run is not None
        outputs = {call.path: call.output for call in session.run.calls}
        assert outputs == {"": 4, "split": ["to", "be", "or", "not"], "len": 4}


def test_the_picture_leads_from_program_to_program_before_and_after_a_run() -> None:
    package = Package([str.split, len])
    expected = ["input:value->module:split", "module:split->module:len", "module:len->output"]

    with hookviz.watch(package, every=1) as session:
        before = session.full_graph()
        package("to be or not")
        after = session.full_graph()

        assert [edge.id for edge in before.edges] == expected
        assert [edge.id for edge in after.edges] == expected


def test_tensors_between_programs_keep_the_edges_of_the_run() -> None:
    package = Package([torch.ones, nn.Linear(3, 2), torch.Tensor.tolist])

    with hookviz.watch(package, every=1) as session:
        package(4, 3)

        shapes = {edge.id: edge.shape for edge in session.full_graph().edges}
        assert shapes == {
            "input:value->module:ones": None,
            "module:ones->module:Linear": (4, 3),
            "module:Linear->module:tolist": (4, 2),
            "module:tolist->output": None,
        }
