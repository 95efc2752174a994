"""Paths of modules are those of named_modules, and patterns mean what they say."""

import gc

import pytest
from torch import nn

from hookviz.errors import PatternError
from hookviz.hooks.paths import ModuleIndex, Pattern, select, walk
from tests.models import fc


def two_blocks() -> nn.ModuleDict:
    return nn.ModuleDict({"block1": nn.Sequential(fc(), nn.ReLU()), "block2": nn.Sequential(fc(), nn.ReLU())})


def test_paths_are_those_of_named_modules() -> None:
    model = two_blocks()

    assert ModuleIndex(model).paths() == [
        "", "block1", "block1.0", "block1.1", "block2", "block2.0", "block2.1",
    ]  # fmt: skip


def test_walk_gives_a_shared_module_under_each_of_its_paths_and_the_index_under_its_first() -> None:
    shared = fc()
    model = nn.Sequential(shared, nn.ReLU(), shared)

    index = ModuleIndex(model)

    assert [path for path, _ in walk(model)] == ["", "0", "1", "2"]
    assert index.paths() == ["", "0", "1"]
    assert index.first_path("2") == "0"
    assert index.find("2") is shared


def test_a_module_that_contains_itself_is_walked_once() -> None:
    model = nn.Sequential(fc())
    model.add_module("again", model)

    assert [path for path, _ in walk(model)] == ["", "0"]

    del model._modules["again"]


def test_a_child_that_is_none_is_left_out() -> None:
    model = nn.Sequential(fc())
    model.register_module("absent", None)

    assert ModuleIndex(model).paths() == ["", "0"]


def test_refresh_tells_whether_a_module_was_added_replaced_or_removed() -> None:
    model = nn.Sequential(fc())
    index = ModuleIndex(model)

    unchanged = index.refresh(model)
    model.append(nn.ReLU())
    added = index.refresh(model)
    model[0] = fc()
    replaced = index.refresh(model)
    del model[1]
    removed = index.refresh(model)

    assert (unchanged, added, replaced, removed) == (False, True, True, True)
    assert index.paths() == ["", "0"]


def test_the_index_keeps_no_module_alive() -> None:
    model = nn.Sequential(fc())
    index = ModuleIndex(model)

    del model
    gc.collect()

    assert index.find("0") is None
    assert list(index.modules()) == []


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("block1", {"block1"}),
        ("block1.*", {"block1.0", "block1.1"}),
        ("block?.0", {"block1.0", "block2.0"}),
        ("", {""}),
        (nn.ReLU, {"block1.1", "block2.1"}),
        (nn.Linear, {"block1.0", "block2.0"}),
        ("Linear", {"block1.0", "block2.0"}),
        ("*LU", {"block1.1", "block2.1"}),
    ],
)
def test_a_pattern_is_a_path_a_path_with_stars_a_class_or_its_name(pattern: Pattern, paths: set[str]) -> None:
    model = two_blocks()

    assert ModuleIndex(model).matching(pattern) == paths


def test_a_path_goes_before_a_class_of_that_name() -> None:
    model = nn.ModuleDict({"Linear": nn.ReLU(), "other": nn.Linear(1, 1)})

    assert ModuleIndex(model).matching("Linear") == {"Linear"}


def test_a_class_that_is_nearly_named_is_told() -> None:
    model = two_blocks()

    with pytest.raises(PatternError, match="Nearest: 'Linear'"):
        ModuleIndex(model).matching("Liner")


def test_a_pattern_is_case_sensitive_as_paths_are() -> None:
    model = two_blocks()

    with pytest.raises(PatternError, match="Nearest: 'block1'"):
        ModuleIndex(model).matching("Block1")


def test_a_path_with_brackets_in_it_means_itself() -> None:
    model = nn.ModuleDict({"a[0]": fc(), "a1": fc()})

    assert "a[0]" in ModuleIndex(model).matching("a[0]")


def test_only_chooses_and_exclude_takes_away_from_it() -> None:
    model = two_blocks()
    index = ModuleIndex(model)

    assert select(index, None, ["block1*"]) == {"", "block2", "block2.0", "block2.1"}
    assert select(index, ["block1.*"], [nn.ReLU]) == {"block1.0"}


def test_excluding_everything_is_an_error_that_says_so() -> None:
    model = two_blocks()

    with pytest.raises(PatternError, match="only and exclude together leave no module to capture; widen one of them"):
        select(ModuleIndex(model), ["block1.0"], [nn.Linear])
