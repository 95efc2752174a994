"""Tensors of every kind are captured as what they are, or pass without harm where they have no values."""

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

from tests.cases.comparison import assert_captured, same_bits
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, attached, step, undisturbed


def test_under_autocast_outputs_and_gradients_keep_the_lower_precision() -> None:
    """C44: an experiment after the documentation of torch.amp."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)), leaf(2, 3)

    def program(model: nn.Sequential, x: Tensor) -> Results:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = model(x)
        y.float().sum().backward()
        return [y, x.grad]

    with undisturbed(make, program) as (tool, model, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = model[0].forward(x)
            y = model[2].forward(hidden.tanh())
        assert hidden.dtype is torch.bfloat16
        assert_captured(tool.outputs("0"), [hidden])
        assert_captured(tool.outputs("2"), [y])
        assert_captured(tool.grad_outputs("2"), [torch.ones(2, 2, dtype=torch.bfloat16)])


def test_complex_values_and_their_gradients_are_captured() -> None:
    """The lazy conjugate is a view, and complex numbers have no smallest one.

    C45: the autograd note on complex numbers.
    """

    def make() -> tuple[Wired, Tensor]:
        model = Wired(
            lambda m, x: m.power(m.spectrum(x)),
            spectrum=Apply(lambda x: torch.fft.fft(x).conj()),
            power=Apply(lambda z: z.abs().pow(2)),
        )
        return model, leaf(4)

    with undisturbed(make, step) as (tool, _, x):
        spectrum = torch.fft.fft(x.detach()).conj().resolve_conj()
        assert_captured(tool.outputs("spectrum"), [spectrum])
        assert_captured(tool.grad_outputs("spectrum"), [2 * spectrum])


def test_an_embedding_with_sparse_gradient_keeps_it_sparse() -> None:
    """C46: documentation of nn.Embedding(sparse=True)."""

    def make() -> tuple[nn.Sequential, Tensor]:
        return nn.Sequential(nn.Embedding(7, 3, sparse=True), nn.Tanh()), torch.tensor([1, 5, 1])

    def program(model: nn.Sequential, tokens: Tensor) -> Results:
        y = model(tokens)
        y.sum().backward()
        return [y, model.get_parameter("0.weight").grad]

    with undisturbed(make, program) as (tool, model, tokens):
        embedded = model[0].forward(tokens)
        gradient = model.get_parameter("0.weight").grad
        assert gradient is not None
        assert gradient.is_sparse
        assert_captured(tool.outputs("0"), [embedded])
        assert_captured(tool.grad_outputs("0"), [1 - embedded.tanh() ** 2])
        assert_captured(tool.grad_inputs("0"), [None])


def test_a_sparse_input_that_requires_a_gradient_gets_it() -> None:
    """There are no views of sparse tensors, so full backward hooks raise.

    C47: an experiment.
    """
    weight = torch.arange(6.0).view(3, 2)

    def make() -> tuple[Wired, Tensor]:
        model = Wired(lambda m, x: m.product(x).tanh(), product=Apply(lambda x: torch.sparse.mm(x, weight)))
        return model, torch.eye(3).to_sparse().requires_grad_()

    with undisturbed(make, step) as (tool, _, _):
        assert_captured(tool.outputs("product"), [weight])
        assert_captured(tool.grad_outputs("product"), [1 - weight.tanh() ** 2])


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_nested_tensor_passes_unharmed_and_has_an_entry() -> None:
    """It has no one shape, and full backward hooks end in an internal error.

    C48: discuss.pytorch.org/t/158374, pytorch/pytorch#82919.
    """

    def make() -> tuple[nn.Sequential, Tensor]:
        ragged = torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(4, 3)])
        return nn.Sequential(nn.Linear(3, 3)), ragged.requires_grad_()

    def program(model: nn.Sequential, ragged: Tensor) -> Results:
        padded = model(ragged).to_padded_tensor(0.0)
        padded.sum().backward()
        return [padded]

    with undisturbed(make, program) as (tool, _, _):
        assert len(tool.outputs("0")) == 1


def test_on_the_meta_device_the_model_runs_as_ever() -> None:
    """Nothing there has a value, so every statistic raises.

    C51: documentation of the meta device.
    """
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(3, 3), nn.Tanh())

    with attached(model):
        y = model(torch.randn(2, 3, device="meta"))
        y.sum().backward()

    assert y.shape == (2, 3)


def test_under_a_fake_tensor_mode_the_model_runs_as_ever() -> None:
    """Copies made under the mode are fake as well.

    C51: documentation of FakeTensorMode.
    """
    with FakeTensorMode():
        model = nn.Linear(3, 2)
        with attached(model):
            y = model(torch.randn(4, 3))
            y.sum().backward()

    assert y.shape == (4, 2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_quantized_module_computes_the_same_and_shows_its_output() -> None:
    """Its weight is a method, and its packed parameters are no tensors.

    C52: an experiment; compare pytorch/pytorch#69158.
    """
    model = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(3, 3), nn.Tanh()), {nn.Linear})
    x = torch.randn(2, 3)
    expected = model(x)

    with attached(model) as tool:
        y = model(x)

        assert same_bits(y, expected)
        assert_captured(tool.outputs("0"), [model[0].forward(x)])
