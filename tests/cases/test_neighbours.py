"""Others that hang hooks on a model, replicate it or call it in loops work beside the tool as without it."""

import pytest
import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import parametrizations, prune, remove_weight_norm, spectral_norm, weight_norm

from tests.cases.comparison import assert_captured, same_bits
from tests.cases.modules import leaf, tiny_gpt2
from tests.cases.watching import Results, attached, step, undisturbed


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated:FutureWarning")
def test_weight_norm_computes_the_same_and_can_be_removed() -> None:
    """Its hook writes the weight before each call, and removal looks the hook up by its class.

    C87: pytorch/pytorch#28594, pytorch/pytorch#102981, pytorch/pytorch#41529, pytorch/pytorch#86457.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(weight_norm(nn.Linear(3, 3)), nn.Tanh()), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        normed = step(model, x)
        remove_weight_norm(model[0])
        return [*normed, isinstance(model[0].weight, nn.Parameter), model(x)]

    with undisturbed(make, program) as (tool, model, x):
        assert type(model[0].weight) is nn.Parameter
        hidden = model[0].forward(x)
        assert_captured(tool.outputs("0"), [hidden, hidden])


def test_pruning_goes_on_and_can_be_made_permanent() -> None:
    """Its one hook is found by its class among the hooks of the module.

    C89: torch.nn.utils.prune; pytorch/pytorch#78109.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        prune.l1_unstructured(model[0], "weight", amount=3)
        return model, leaf(2, 4)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        pruned = [*step(model, x), prune.is_pruned(model)]
        prune.l1_unstructured(model[0], "weight", amount=2)
        prune.remove(model[0], "weight")
        return [*pruned, prune.is_pruned(model)]

    with undisturbed(make, program) as (_, model, _):
        assert not prune.is_pruned(model)
        assert (model.get_parameter("0.weight") == 0).sum() == 5


@pytest.mark.filterwarnings("ignore:.*spectral_norm. is deprecated:FutureWarning")
def test_spectral_norm_computes_the_same_and_moves_its_vectors_once_a_call() -> None:
    """C90: pytorch/pytorch#13350, pytorch/pytorch#8590."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(spectral_norm(nn.Linear(4, 3))), leaf(2, 4)

    with undisturbed(make, step) as (tool, model, x):
        assert_captured(tool.outputs("0"), [model[0].forward(x)])


def test_parametrized_layers_compute_the_same() -> None:
    """An experiment: just reading such a weight runs code and moves buffers."""

    def make() -> tuple[nn.Sequential, Tensor]:
        layers = [norm(nn.Linear(3, 3)) for norm in (parametrizations.weight_norm, parametrizations.spectral_norm)]
        return nn.Sequential(*layers), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        assert_captured(tool.outputs("0"), [model[0].forward(x)])


def replicate(module: nn.Module) -> nn.Module:
    """A replica as DataParallel makes it, for which two devices would be needed."""
    replica: nn.Module = module._replicate_for_data_parallel()
    replica._parameters = dict(module._parameters)
    replica._modules = {name: replicate(child) for name, child in module._modules.items() if child is not None}
    return replica


def test_a_replica_computes_the_same_and_is_not_taken_for_the_original() -> None:
    """A replica shares the very tables of hooks of its original.

    C96: pytorch/pytorch#128272, pytorch/pytorch#5061, pytorch/pytorch#42478.
    """
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
    x = leaf(2, 3)
    expected = model(x).detach()

    with attached(model) as tool:
        y = replicate(model)(x)
        y.sum().backward()
        original = model(x)
        original.sum().backward()

        assert same_bits(y.detach(), expected)
        assert_captured(tool.outputs("1")[-1:], [original])


@pytest.mark.usefixtures("process_group")
def test_distributed_data_parallel_gets_the_same_gradients_in_its_buckets() -> None:
    """It has hooks of its own on the accumulation of gradients, and gradients that are views of buckets.

    C97: pytorch/pytorch#35191.
    """

    def make() -> tuple[nn.Module, Tensor]:
        model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        return DistributedDataParallel(model, gradient_as_bucket_view=True), leaf(2, 3)

    def program(model: nn.Module, x: Tensor) -> Results:
        step(model, x)
        return step(model, x)

    with undisturbed(make, program) as (tool, model, x):
        hidden = model.get_submodule("module.0").forward(x)
        assert_captured(tool.outputs("module.0"), [hidden, hidden])
        assert_captured(tool.grad_outputs("module.1"), [torch.ones(2, 3), torch.ones(2, 3)])


def sharded_layers() -> tuple[nn.Sequential, Tensor]:
    mesh = init_device_mesh("cpu", (1,))
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    fully_shard(model[0], mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model, leaf(2, 4)


@pytest.mark.usefixtures("process_group")
def test_fully_sharded_layers_compute_the_same() -> None:
    """Outside of forward the parameters are shards, which nobody may touch just to show them.

    C98: pytorch/pytorch#181832, pytorch/pytorch#181850.
    """

    def program(model: nn.Sequential, x: Tensor) -> Results:
        results = step(model, x)
        gradients = [parameter.grad for parameter in model.parameters()]
        return [*results, *(gradient.full_tensor() for gradient in gradients if isinstance(gradient, DTensor))]

    with undisturbed(sharded_layers, program) as (tool, _, _):
        assert len(tool.outputs("0")) == 1
        assert_captured(tool.grad_outputs("1"), [torch.ones(2, 4)])


def test_gpt2_generates_the_same_tokens_with_one_call_for_each() -> None:
    """Many calls without gradients, and a cache that is written in place.

    C100: transformers' generate(); mistralai/mistral-inference#246.
    """

    def make() -> tuple[nn.Module, Tensor]:
        return tiny_gpt2().eval(), torch.randint(0, 29, (1, 4))

    def program(model: nn.Module, tokens: Tensor) -> Results:
        return [model.generate(tokens, max_new_tokens=5, min_new_tokens=5, do_sample=False)]  # type: ignore[operator]  # generate comes from a mixin

    with undisturbed(make, program) as (tool, _, _):
        assert len(tool.outputs("lm_head")) == 5
        assert len(tool.outputs("transformer.h.0.mlp")) == 5
