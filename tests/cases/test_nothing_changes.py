"""A program on a watched model computes, logs and raises what it would on any other."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

from tests.cases.comparison import assert_captured
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, undisturbed


class Uncopyable(Tensor):
    """A tensor that cannot be looked at."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(func, "__name__", "") in ("clone", "detach", "register_hook", "__get__"):
            raise RuntimeError("not allowed")
        return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[no-untyped-call]  # as above


def test_what_goes_in_and_comes_out_is_the_very_same_object() -> None:
    """Full backward hooks put a view in its place, and code that caches by identity goes another way.

    C21: pytorch/pytorch#61446, pytorch/pytorch#63245.
    """
    seen: list[Tensor] = []

    def look(x: Tensor) -> Tensor:
        seen.append(x)
        return x

    def make() -> tuple[Wired, Tensor]:
        return Wired(lambda m, x: m.look(x), look=Apply(look)), leaf(3)

    def program(model: Wired, x: Tensor) -> Results:
        hidden = x * 1
        y = model(hidden)
        (y * 2).sum().backward()
        return [y is hidden, seen[-1] is hidden, x.grad]

    with undisturbed(make, program) as (tool, _, x):
        assert_captured(tool.outputs("look"), [x])


def test_a_transformer_layer_keeps_its_fused_path() -> None:
    """Any forward hook in it, even one that does nothing, switches the path off and the last bits differ.

    C32: pytorch/pytorch#128413, pytorch/pytorch#82919, pytorch/pytorch#132700, pytorch/pytorch#106668.
    """

    def make() -> tuple[nn.Module, Tensor, Tensor]:
        # This order of the norms, together with a padding mask, is where the two paths differ.
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True)
        model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
        for parameter in model.parameters():
            nn.init.normal_(parameter, std=0.3)
        return model, torch.randn(4, 7, 16), (torch.arange(7) >= 3).expand(4, 7)

    def program(model: nn.Module, x: Tensor, padding: Tensor) -> Results:
        with torch.no_grad():
            return [model(x, src_key_padding_mask=padding)]

    with undisturbed(make, program) as (tool, _, _, _):
        assert len(tool.outputs("layers.0")) == 1


def test_forward_mode_differentiation_gives_the_same_tangents() -> None:
    """Full backward hooks raise: their function has no rule for it.

    C42: an experiment; documentation of autograd.Function.
    """

    def make() -> tuple[nn.Sequential, Tensor, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), torch.randn(2, 3), torch.randn(2, 3)

    def program(model: nn.Sequential, x: Tensor, direction: Tensor) -> Results:
        with forward_ad.dual_level():
            primal, tangent = forward_ad.unpack_dual(model(forward_ad.make_dual(x, direction)))
            return [primal.detach().clone(), tangent.detach().clone()]

    with undisturbed(make, program) as (tool, model, x, _):
        assert_captured(tool.outputs("0"), [model[0].forward(x)])


def test_functional_jacobian_and_hessian_are_the_same() -> None:
    """C43: pytorch/functorch#1124."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)), torch.randn(2)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        return [torch.func.jacrev(model)(x), torch.func.hessian(lambda point: model(point).sum())(x)]

    with undisturbed(make, program) as (_, _, x):
        assert x.grad is None


def test_vectorized_and_functional_calls_give_the_same() -> None:
    """An experiment with torch.func.vmap, functional_call and gradients for each sample."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), torch.randn(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        weights: dict[str, Tensor] = dict(model.named_parameters())

        def loss(weights: dict[str, Tensor], sample: Tensor) -> Tensor:
            y: Tensor = torch.func.functional_call(model, weights, (sample,))
            return y.sum()

        gradients = torch.func.vmap(torch.func.grad(loss), (None, 0))(weights, x)
        return [torch.func.vmap(model)(x), loss(weights, x), gradients, torch.func.jacfwd(model)(x)]

    with undisturbed(make, program) as (_, _, x):
        assert x.grad is None


def test_symbolic_traces_have_the_same_nodes() -> None:
    """An experiment with torch.fx.symbolic_trace and make_fx."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), torch.randn(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        symbolic = torch.fx.symbolic_trace(model)
        traced = make_fx(model)(x)
        return [[str(node.target) for node in graph.nodes] for graph in (symbolic.graph, traced.graph)]

    with undisturbed(make, program) as (_, _, x):
        assert x.grad is None


def test_a_tensor_that_cannot_be_copied_does_not_stop_the_user() -> None:
    """C104: an experiment, after wrappers that are closed to the outside."""

    def make() -> tuple[nn.Sequential, Tensor]:
        model = nn.Sequential(Apply(lambda x: x), Apply(lambda x: 1.5))
        return model, torch.randn(2, 3).as_subclass(Uncopyable)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        return [model(x)]

    with undisturbed(make, program) as (_, model, x):
        assert model(x) == 1.5


def test_running_statistics_dropout_and_mode_are_as_without() -> None:
    """A tool that runs the model once more for itself would move all three.

    C105: an experiment.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 1)), leaf(6, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        for _ in range(2):
            y = model(x)
            y.sum().backward()
        return [y, x.grad, torch.rand(1)]

    with undisturbed(make, program) as (tool, _, _):
        assert len(tool.outputs("1")) == 2
