"""A module that was not called says why, where PyTorch's own ways explain it."""

import warnings
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import watch
from tests.models import fc, row, wired


def why(model: nn.Module, path: str, *args: Any, **kwargs: Any) -> str:
    with watch(model, every=1) as session:
        model(*args, **kwargs)
        return session[path].why_not_called  # type: ignore[union-attr]  # it is a module's path


@pytest.fixture
def encoder() -> nn.TransformerEncoder:
    with warnings.catch_warnings():
        # Says that an odd number of heads keeps it from using nested tensors.
        warnings.simplefilter("ignore")
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        return nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)


@pytest.mark.parametrize("path", ["linear1", "self_attn", "self_attn.out_proj", "norm2"])
def test_inside_of_a_fused_encoder_layer_nothing_is_called(encoder: nn.TransformerEncoder, path: str) -> None:
    encoder.eval()

    with torch.no_grad():
        told = why(encoder, f"layers.0.{path}", torch.ones(2, 3, 8))

    assert told == "not called: PyTorch's fused path ran layers.0 as one kernel"


def test_in_training_an_encoder_layer_calls_what_is_inside(encoder: nn.TransformerEncoder) -> None:
    assert why(encoder, "layers.0.linear1", torch.ones(2, 3, 8)) == ""


def test_attention_uses_the_weight_of_its_projection_directly(encoder: nn.TransformerEncoder) -> None:
    told = why(encoder, "layers.0.self_attn.out_proj", torch.ones(2, 3, 8))

    assert told == "not called: layers.0.self_attn uses its weight directly"


def test_a_list_of_modules_is_a_container(encoder: nn.TransformerEncoder) -> None:
    assert why(encoder, "layers", torch.ones(2, 3, 8)) == "a container: its children are called, it is not"


def test_a_module_in_a_branch_that_was_not_taken_was_just_not_called() -> None:
    model = wired(lambda m, x: m.a(x), a=fc(), b=fc())

    assert why(model, "b", row()) == "not called in this run"


def test_a_module_inside_one_that_was_not_called_names_that_one() -> None:
    model = wired(lambda m, x: m.a(x), a=fc(), b=nn.Sequential(nn.Sequential(fc())))

    assert why(model, "b.0.0", row()) == "not called: b was not called"


@pytest.mark.parametrize(
    "forward",
    [lambda m, x: m.a.forward(x), lambda m, x: nn.functional.linear(x, m.a.weight)],
    ids=["forward", "weight"],
)
def test_parameters_that_are_used_without_a_call_are_told(forward: Any) -> None:
    told = why(wired(forward, a=fc()), "a", row())

    assert told == "not called: its parameters were used directly, as by its .forward()"


def test_a_lazy_module_waits_for_its_first_call() -> None:
    with warnings.catch_warnings():
        # Some versions of torch warn that lazy modules are new.
        warnings.simplefilter("ignore")
        model = wired(lambda m, x: m.a(x), a=fc(), b=nn.LazyLinear(4))

    told = why(model, "b", row())

    assert told == "not called in this run: a lazy module, whose first call makes its parameters"


def test_inside_of_compiled_code_nothing_is_seen() -> None:
    block = nn.Sequential(fc())
    block.compile(backend="eager")
    model = wired(lambda m, x: m.block(x), block=block)

    assert why(model, "block.0", row()) == "not seen: block runs compiled code"


def test_before_any_run_nothing_is_missing() -> None:
    model = nn.Sequential(fc())

    with watch(model) as session:
        assert session["0"].why_not_called == ""  # type: ignore[union-attr]  # it is a module's path
