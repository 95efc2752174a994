"""What a model cannot do without stays on, and says why."""

import pytest
from torch import nn
from torch.nn.utils import parametrizations, prune, remove_weight_norm, weight_norm

from hookviz.errors import ProtectedHookError
from hookviz.session import watch
from tests.hooked import batch, model_of

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated:FutureWarning")


def test_a_parametrization_of_several_tensors_is_protected() -> None:
    model = model_of(parametrizations.weight_norm(nn.Linear(3, 3)))
    (hook,) = (hook for hook in watch(model).hooks if hook.kind == "parametrization")

    with pytest.raises(ProtectedHookError, match="stays on: it makes one weight of several tensors"):
        hook.disable()


def test_a_hook_that_computes_a_weight_is_protected_and_its_owner_removes_it() -> None:
    normed, pruned = weight_norm(nn.Linear(3, 3)), nn.Linear(3, 3)
    prune.l1_unstructured(pruned, "weight", amount=3)
    model = model_of(normed, pruned)
    hooks = watch(model).hooks

    for hook in hooks:
        with pytest.raises(ProtectedHookError, match="stays on: it computes the layer's weight"):
            hook.disable()

    assert [hook.label for hook in hooks] == ["WeightNorm.__call__", "L1Unstructured.__call__"]
    for _ in range(2):
        model(batch()).sum().backward()
    remove_weight_norm(model[0])
    prune.remove(model[1], "weight")
    assert watch(model).hooks == []


def test_the_hook_with_which_a_lazy_layer_finds_its_shapes_is_protected() -> None:
    model = model_of(nn.LazyLinear(3))
    hook = next(hook for hook in watch(model).hooks if hook.kind == "forward_pre")

    with pytest.raises(ProtectedHookError, match="the layer finds its shapes with it"):
        hook.disable()

    assert model(batch()).shape == (2, 3)


def test_a_replaced_forward_without_another_is_protected() -> None:
    module = nn.Module()
    module.forward = lambda x: x
    (hook,) = watch(module).hooks

    with pytest.raises(ProtectedHookError, match="its class has no other forward"):
        hook.disable()
