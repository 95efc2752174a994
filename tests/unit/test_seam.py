"""The call seam leads calls past the watchers and leaves no other trace on a module."""

import copy
import pickle
import types
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from hookviz.hooks import seam
from tests.models import fc


class Noting:
    """Notes the path of each call and lets it through."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self.name = name
        self.notes = notes

    def call(
        self, module: nn.Module, path: str, inner: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        self.notes.append(f"{self.name} {path}")
        return inner(*args, **kwargs)


def test_every_watcher_sees_a_call_and_the_result_is_the_same() -> None:
    module, notes, x = fc(), list[str](), torch.ones(1, 4)
    bare = module(x)
    first, second = Noting("first", notes), Noting("second", notes)
    seam.install(module, first, "a")
    seam.install(module, second, "b")

    seen = module(x)

    assert torch.equal(seen, bare)
    assert sorted(notes) == ["first a", "second b"]


def test_installing_again_replaces_the_path_and_calls_once() -> None:
    module, notes = fc(), list[str]()
    watcher = Noting("w", notes)
    seam.install(module, watcher, "old")
    seam.install(module, watcher, "new")

    module(torch.ones(1, 4))

    assert notes == ["w new"]


def test_removing_one_watcher_leaves_the_other_and_removing_both_leaves_nothing() -> None:
    module, notes = fc(), list[str]()
    before = set(module.__dict__)
    first, second = Noting("first", notes), Noting("second", notes)
    seam.install(module, first, "a")
    seam.install(module, second, "b")

    seam.remove(module, first)
    module(torch.ones(1, 4))
    seam.remove(module, second)

    assert notes == ["second b"]
    assert set(module.__dict__) == before


def test_removing_what_was_never_installed_does_nothing() -> None:
    module = fc()

    seam.remove(module, Noting("w", []))

    assert seam.ATTRIBUTE not in module.__dict__


def test_a_compiled_call_is_led_through_and_put_back() -> None:
    module, notes = fc(), list[str]()

    def compiled(x: torch.Tensor) -> str:
        return "compiled result"

    module.__dict__[seam.ATTRIBUTE] = compiled
    watcher = Noting("w", notes)
    seam.install(module, watcher, "a")

    result = module(torch.ones(1, 4))
    is_compiled = seam.is_compiled(module)
    seam.remove(module, watcher)

    assert (result, notes, is_compiled) == ("compiled result", ["w a"], True)
    assert module.__dict__[seam.ATTRIBUTE] is compiled


def test_no_hook_dict_is_filled() -> None:
    module = fc()

    seam.install(module, Noting("w", []), "a")

    assert not module._forward_hooks
    assert not module._forward_pre_hooks
    assert not module._backward_hooks


def test_copies_and_pickles_of_a_module_carry_no_seam() -> None:
    module, notes = fc(), list[str]()
    seam.install(module, Noting("w", notes), "a")

    for other in (copy.deepcopy(module), copy.copy(module), pickle.loads(pickle.dumps(module))):
        other(torch.ones(1, 4))

    assert notes == []


def test_a_seam_that_is_copied_or_pickled_by_itself_becomes_none() -> None:
    module = fc()
    seam.install(module, Noting("w", []), "a")
    itself = module.__dict__[seam.ATTRIBUTE]

    copies = (copy.copy(itself), copy.deepcopy(itself), pickle.loads(pickle.dumps(itself)))

    assert copies == (None, None, None)


def test_isinstance_takes_a_seam_for_a_function_so_that_script_leaves_it_out() -> None:
    module = fc()
    seam.install(module, Noting("w", []), "a")

    assert isinstance(module.__dict__[seam.ATTRIBUTE], types.FunctionType)


def test_a_replica_that_shares_the_dict_entry_is_called_as_itself_and_unseen() -> None:
    module, notes = fc(), list[str]()
    seam.install(module, Noting("w", notes), "a")
    replica = module._replicate_for_data_parallel()
    replica.weight, replica.bias = torch.zeros(4, 4), torch.full((4,), 7.0)

    output = replica(torch.ones(1, 4))

    assert output.tolist() == [[7.0, 7.0, 7.0, 7.0]]
    assert notes == []


def test_a_plain_module_is_not_compiled() -> None:
    module = fc()
    seam.install(module, Noting("w", []), "a")

    assert not seam.is_compiled(module)
