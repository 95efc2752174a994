"""A trace leaves the fused paths of transformers as they are."""

import pytest
import torch
from torch import nn

from tests.models import wired
from tests.modes import Dispatched
from tests.tracing_seam import edges, trace_with_output


def encoder() -> nn.TransformerEncoder:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()


def test_the_fused_path_of_a_transformer_stays_and_its_layers_are_connected() -> None:
    model = wired(lambda self, x, mask: self.head(self.encoder(x, src_key_padding_mask=mask)), encoder=encoder())
    model.head = nn.Linear(16, 2)
    model.eval()
    x = torch.randn(2, 5, 16)
    mask = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])

    with torch.no_grad():
        with Dispatched() as bare:
            expected = model(x, mask)
        with Dispatched() as traced:
            flow, output = trace_with_output(model, x, mask)

    assert "aten._transformer_encoder_layer_fwd.default" in traced.kernels
    assert traced.kernels == bare.kernels
    assert torch.equal(output, expected)
    assert edges(flow) == [
        ("x", "encoder.layers.0"),
        ("more[0]", "encoder.layers.0"),
        ("encoder.layers.0", "encoder.layers.1"),
        ("more[0]", "encoder.layers.1"),
        ("encoder.layers.1", "head"),
        ("head", "output"),
    ]


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors:UserWarning")
def test_the_nested_path_of_a_transformer_stays_and_its_layers_are_connected() -> None:
    torch.manual_seed(0)
    layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2).eval()
    model = wired(lambda self, x, mask: self.encoder(x, src_key_padding_mask=mask), encoder=layers).eval()
    x = torch.randn(2, 5, 16)
    mask = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])

    with torch.no_grad():
        expected = model(x, mask)
        flow, output = trace_with_output(model, x, mask)

    assert torch.equal(output, expected)
    assert ("x", "encoder.layers.0") in edges(flow)
    assert ("encoder.layers.0", "encoder.layers.1") in edges(flow)
    assert ("encoder.layers.1", "output") in edges(flow)


def test_subclasses_of_the_fused_classes_keep_their_path() -> None:
    class MyLayer(nn.TransformerEncoderLayer):
        pass

    class MyAttention(nn.MultiheadAttention):
        pass

    torch.manual_seed(0)
    model = wired(
        lambda self, x: self.attention(*[self.layer(x)] * 3, need_weights=False)[0],
        layer=MyLayer(16, 4, 32, batch_first=True),
        attention=MyAttention(16, 4, batch_first=True),
    ).eval()
    x = torch.randn(2, 5, 16)

    with torch.no_grad():
        with Dispatched() as bare:
            expected = model(x)
        with Dispatched() as traced:
            flow, output = trace_with_output(model, x)

    assert traced.kernels == bare.kernels
    assert torch.equal(output, expected)
    assert edges(flow) == [("x", "layer"), ("layer", "attention"), ("attention", "output")]
