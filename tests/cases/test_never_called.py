"""A module that is not called has no entry, rather than somebody else's; what it contains may have some."""

import torch
from torch import Tensor, nn

from tests.cases.comparison import assert_captured, mismatches
from tests.cases.modules import Wired, leaf
from tests.cases.watching import Results, step, undisturbed


def test_the_output_projection_of_an_attention_has_no_call_of_its_own() -> None:
    """MultiheadAttention takes its weight directly. It also asks whether `k is v`, which must stay so.

    C33: pytorch/pytorch#78109.
    """

    def make() -> tuple[Wired, Tensor, Tensor]:
        model = Wired(lambda m, q, k: m.attention(q, k, k)[0], attention=nn.MultiheadAttention(8, 2))
        return model, leaf(3, 2, 8), torch.randn(4, 2, 8)

    def program(model: Wired, q: Tensor, k: Tensor) -> Results:
        y = model(q, k)
        y.sum().backward()
        return [y, q.grad]

    with undisturbed(make, program) as (tool, _, _, _):
        assert tool.outputs("attention.out_proj") == []
        assert tool.grad_outputs("attention.out_proj") == []
        assert len(tool.outputs("attention")) == 2


def test_forward_called_directly_is_no_call_but_its_children_are_seen() -> None:
    """PyTorch runs no hook then; a tool may tell the true value or nothing.

    C34: numenta/nupic.torch#51, pytorch/pytorch#117925, pytorch/executorch#16456, fastai/fastai#2850.
    """

    def make() -> tuple[Wired, Tensor]:
        layer = Wired(lambda m, x: m.linear(x), linear=nn.Linear(3, 3))
        return Wired(lambda m, x: m.layer.forward(x).tanh(), layer=layer), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        hidden = model.layer.linear.forward(x)
        assert_captured(tool.outputs("layer.linear"), [hidden])
        assert_captured(tool.outputs(""), [hidden.tanh()])
        assert tool.outputs("layer") == [] or not mismatches(tool.outputs("layer"), [hidden])


def test_a_container_that_is_never_called_has_no_entry_and_its_children_have() -> None:
    """C57: yoshitomo-matsubara/torchdistill#139."""

    def use_containers(model: Wired, x: Tensor) -> Tensor:
        for layer in model.layers:
            x = layer(x)
        y: Tensor = model.heads["main"](x)
        return y

    def make() -> tuple[Wired, Tensor]:
        layers = nn.ModuleList([nn.Linear(3, 3), nn.Tanh()])
        return Wired(use_containers, layers=layers, heads=nn.ModuleDict({"main": nn.Linear(3, 1)})), leaf(2, 3)

    with undisturbed(make, step) as (tool, model, x):
        assert tool.outputs("layers") == []
        assert tool.outputs("heads") == []
        assert_captured(tool.outputs("layers.0"), [model.layers[0].forward(x)])
        assert_captured(tool.grad_outputs("heads.main"), [torch.ones(2, 1)])
