"""What a checkpoint computes a second time during backward is still one call."""

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from tests.cases.comparison import assert_captured
from tests.cases.modules import Wired, leaf, tiny_gpt2
from tests.cases.watching import Results, step, undisturbed


def checkpointed(block: nn.Module, *, use_reentrant: bool = False) -> Wired:
    """A block whose inside is computed again in backward, and a head that is not."""

    def forward(model: Wired, x: Tensor) -> object:
        return model.head(checkpoint(model.block, x, use_reentrant=use_reentrant))

    return Wired(forward, block=block, head=nn.Linear(3, 1))


def test_a_recomputed_call_is_told_once_with_its_gradient() -> None:
    """Forward hooks fire again in the recomputation, which ends early with an exception.

    C37: pytorch/pytorch#143573.
    """

    def make() -> tuple[Wired, Tensor]:
        return checkpointed(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5), nn.Tanh())), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        from_head = model.head.weight.expand(2, 3)
        assert_captured(tool.outputs("block.0"), [model.block[0].forward(x)])
        assert len(tool.outputs("block.2")) == 1
        assert_captured(tool.grad_outputs("block"), [from_head])
        assert_captured(tool.grad_outputs("block.2"), [from_head])
        assert_captured(tool.grad_outputs("head"), [torch.ones(2, 1)])


def test_of_a_reentrant_checkpoint_the_first_call_gets_the_gradients_of_its_repetition() -> None:
    """An experiment: the first call has no graph, and the repetition is one within backward."""

    def make() -> tuple[Wired, Tensor]:
        block = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5), nn.Tanh())
        return checkpointed(block, use_reentrant=True), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        from_head = model.head.weight.expand(2, 3)
        assert_captured(tool.outputs("block.0"), [model.block[0].forward(x)])
        assert len(tool.outputs("block.2")) == 1
        assert_captured(tool.grad_outputs("block"), [from_head])
        assert_captured(tool.grad_outputs("block.2"), [from_head])


def test_the_step_after_a_checkpoint_is_told_like_the_first() -> None:
    """A tool with a stack of calls is left out of step by the early end of the recomputation.

    C39: an experiment, follows from C37.
    """

    def make() -> tuple[Wired, Tensor]:
        return checkpointed(nn.Sequential(nn.Linear(3, 3), nn.Tanh())), leaf(2, 3)

    def program(model: Wired, x: Tensor) -> Results:
        for factor in (1, 2):
            y = model(x * factor)
            (y * factor).sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, _, _):
        assert len(tool.outputs("block")) == 2
        assert len(tool.outputs("head")) == 2
        assert_captured(tool.grad_outputs("head"), [torch.ones(2, 1), torch.full((2, 1), 2.0)])


@pytest.mark.filterwarnings("ignore:.gradient_checkpointing_enable. is deprecated:FutureWarning")
def test_gpt2_with_gradient_checkpointing_has_one_call_with_gradient_for_each_layer() -> None:
    """Layers are called through functools.partial, with keyword arguments, and a hook of its own.

    C101: transformers' gradient_checkpointing_enable; pytorch/pytorch#143573.
    """

    def make() -> tuple[nn.Module, Tensor]:
        model = tiny_gpt2(use_cache=False).train()
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        return model, torch.randint(0, 31, (2, 6))

    def program(model: nn.Module, tokens: Tensor) -> Results:
        loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        return [loss]

    with undisturbed(make, program) as (tool, _, _):
        for name in ("transformer.h.0", "transformer.h.1", "transformer.h.0.mlp"):
            assert len(tool.outputs(name)) == 1
            assert tool.grad_outputs(name)[0] is not None
