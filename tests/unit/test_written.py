"""A written hook is the user's function with PyTorch's contract checked."""

import copy
import io
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import HookContractError
from hookviz.hooks.contract import WritableKind
from hookviz.hooks.written import WrittenHook
from tests.models import fc, row


def double(_module: nn.Module, _args: Any, output: torch.Tensor) -> torch.Tensor:
    return output * 2


def written(function: Callable[..., Any], kind: WritableKind = "forward") -> WrittenHook:
    return WrittenHook(function, kind, "fc", "hook")


def test_what_the_function_returns_takes_effect() -> None:
    model = fc()
    plain = model(row())
    model.register_forward_hook(written(double))

    assert torch.equal(model(row()), plain * 2)


def test_a_bare_tensor_from_a_backward_hook_is_explained_at_its_path() -> None:
    model = fc()
    model.register_full_backward_hook(written(lambda module, grad_input, grad_output: grad_input[0], "backward"))

    with pytest.raises(
        HookContractError,
        match=re.escape(
            "The backward hook hook on 'fc' returned Tensor 1×4. A backward hook returns None to leave the "
            "gradients as they are, or a tuple with one entry for each positional input, each of its gradient's "
            "shape and dtype and None where there is none. Return a tuple, also of a single gradient: "
            "return (grad_input[0] * 2,)."
        ),
    ):
        model(row().requires_grad_()).sum().backward()


def test_what_the_function_raises_passes_through_as_it_is() -> None:
    raised = ValueError("mine")

    def hook(*_given: Any) -> None:
        raise raised

    with pytest.raises(ValueError, match=r"^mine$") as caught:
        written(hook)(fc(), (), row())

    assert caught.value is raised
    assert caught.value.__cause__ is None


def test_copies_and_pickles_are_the_function_alone() -> None:
    hook = written(double)

    assert copy.copy(hook) is double
    assert copy.deepcopy(hook) is double
    assert pickle.loads(pickle.dumps(hook)) is double
    assert b"hookviz" not in pickle.dumps(hook)


def test_a_saved_model_carries_the_function_alone() -> None:
    model = fc()
    model.register_forward_hook(written(double))
    file = io.BytesIO()

    torch.save(model, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)

    assert list(loaded._forward_hooks.values()) == [double]
    assert type(next(iter(loaded._forward_hooks.values()))) is not WrittenHook


def test_it_is_found_among_hooks_by_its_function() -> None:
    assert [written(double)].index(double) == 0  # type: ignore[arg-type]  # that is the claim
    assert {written(double)} == {double}
    assert written(double) != written(repr)


def test_setdefault_that_gives_an_old_output_is_noted() -> None:
    seen: dict[str, torch.Tensor] = {}
    hook = written(lambda module, args, output: seen.setdefault("fc", output))
    model = fc()
    model.register_forward_hook(hook)
    first = model(row())

    assert hook.note == ""
    second = model(row() * 2)

    assert second is first
    assert hook.note == (
        "it returned the output of an earlier call, which took the place of this one "
        "(setdefault returns what was there before): assign with d[key] = output and return nothing"
    )


def test_an_output_of_another_shape_is_taken_and_told() -> None:
    model = fc()
    hook = written(lambda module, args, output: output[:, :3])
    model.register_forward_hook(hook)

    model(row())

    assert hook.change == "Tensor 1×4 → Tensor 1×3"


def test_an_output_of_the_same_shape_is_no_change_of_structure() -> None:
    hook = written(double)

    hook(fc(), (), row())

    assert hook.change == ""


def test_a_function_that_is_marked_unserializable_stays_so() -> None:
    tensor = torch.ones(2, requires_grad=True)
    tensor.register_hook(written(torch.utils.hooks.unserializable_hook(lambda grad: None), "tensor"))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pickle.dumps(tensor)


def test_a_function_that_is_not_marked_is_warned_of_as_without_us() -> None:
    tensor = torch.ones(2, requires_grad=True)
    tensor.register_hook(written(lambda grad: None, "tensor"))

    with pytest.warns(UserWarning, match="will not be serialized"):
        pickle.dumps(tensor)


def test_a_traced_module_has_the_hook_in_its_graph() -> None:
    model = fc()
    model.register_forward_hook(written(double))

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        traced = torch.jit.trace(model, row())

    assert "aten::mul" in str(traced.inlined_graph)
