"""Models as they are in use: real forwards with caches, masks, experts and tied weights."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    MixtralConfig,
    MixtralForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

from hookviz.tracing.flow import Flow
from tests.tracing_seam import edges, trace, trace_with_output

TOKENS = torch.arange(16).reshape(2, 8)


def gpt2() -> Any:
    sizes: dict[str, Any] = {"n_layer": 2, "n_head": 2, "n_embd": 16, "vocab_size": 32}
    return GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=0, eos_token_id=0))


def t5() -> Any:
    sizes: dict[str, Any] = {
        "num_layers": 2,
        "d_model": 16,
        "num_heads": 2,
        "d_kv": 8,
        "d_ff": 32,
        "vocab_size": 32,
        "decoder_start_token_id": 0,
    }
    return T5ForConditionalGeneration(T5Config(**sizes))


def mixtral() -> Any:
    heads: dict[str, Any] = {"num_attention_heads": 2, "num_key_value_heads": 2, "num_local_experts": 4}
    sizes: dict[str, Any] = {"num_hidden_layers": 2, "hidden_size": 16, "intermediate_size": 32, "vocab_size": 32}
    return MixtralForCausalLM(MixtralConfig(**sizes, **heads))


def without_input(flow: Flow) -> list[str]:
    fed = {edge.target for edge in flow.edges}
    return [node.path for node in flow.nodes if node.kind in {"module", "op"} and node.id not in fed]


def without_use(flow: Flow) -> list[str]:
    used = {edge.source for edge in flow.edges}
    return [node.path for node in flow.nodes if node.kind not in {"container", "output"} and node.id not in used]


@pytest.mark.parametrize(
    ("make", "is_labelled", "fed_by_constants"),
    [
        (gpt2, False, ["transformer.wpe"]),
        (
            t5,
            True,
            [
                "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
                "decoder.block.0.layer.0.SelfAttention.relative_attention_bias",
            ],
        ),
        (mixtral, False, []),
    ],
)
def test_a_model_computes_the_same_bits_and_each_of_its_modules_is_connected(
    make: Callable[[], Any], is_labelled: bool, fed_by_constants: list[str]
) -> None:
    torch.manual_seed(0)
    model = make().train()
    inputs: dict[str, Any] = {"input_ids": TOKENS} | ({"labels": TOKENS} if is_labelled else {})

    torch.manual_seed(1)
    expected = model(**inputs)
    torch.manual_seed(1)
    flow, output = trace_with_output(model, **inputs)

    assert torch.equal(output.logits, expected.logits)
    assert without_input(flow) == fed_by_constants
    assert without_use(flow) == []
    assert "untraced" not in {node.label for node in flow.nodes}


def test_torchs_own_transformer_shows_the_inside_of_its_layers() -> None:
    model = nn.Transformer(8, 2, 1, 1, 16, batch_first=True).eval()
    causal = nn.Transformer.generate_square_subsequent_mask(5)

    flow = trace(model, torch.randn(2, 3, 8), torch.randn(2, 5, 8), tgt_mask=causal)

    pairs = [tuple(name.rpartition(".layers.0.")[2] for name in edge) for edge in edges(flow)]
    assert pairs[:15] == [
        ("src", "self_attn"),
        ("self_attn", "dropout1"),
        ("src", "add"),
        ("dropout1", "add"),
        ("add", "norm1"),
        ("norm1", "linear1"),
        ("linear1", "relu"),
        ("relu", "dropout"),
        ("dropout", "linear2"),
        ("linear2", "dropout2"),
        ("norm1", "add"),
        ("dropout2", "add"),
        ("add", "norm2"),
        ("norm2", "encoder.norm"),
        ("tgt", "self_attn"),
    ]
    assert {("tgt_mask", "self_attn"), ("encoder.norm", "multihead_attn"), ("norm3", "decoder.norm")} <= set(pairs)


def test_torchs_own_encoder_layers_are_cards_where_their_fused_path_may_run() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()

    with torch.no_grad():
        flow = trace(model, torch.randn(2, 3, 8))

    assert edges(flow) == [("src", "layers.0"), ("layers.0", "layers.1"), ("layers.1", "output")]
