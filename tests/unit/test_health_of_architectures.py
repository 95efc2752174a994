"""Of ordinary architectures, freshly made and trained for some steps, nothing is said."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    ResNetConfig,
    ResNetForImageClassification,
)

from hookviz.session import watch
from tests.training import symptoms

Batch = dict[str, torch.Tensor]


def tokens() -> Batch:
    ids = torch.randint(0, 99, (4, 16))
    return {"input_ids": ids, "labels": ids}


def images() -> Batch:
    return {"pixel_values": torch.randn(8, 3, 32, 32), "labels": torch.randint(0, 10, (8,))}


def gpt() -> nn.Module:
    sizes: Any = {"vocab_size": 99, "n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 32}
    return GPT2LMHeadModel(GPT2Config(bos_token_id=0, eos_token_id=0, **sizes))


def bert() -> nn.Module:
    sizes: Any = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
    return BertForMaskedLM(BertConfig(vocab_size=99, **sizes))


def resnet() -> nn.Module:
    sizes: Any = {"embedding_size": 16, "hidden_sizes": [16, 32], "depths": [2, 2], "num_labels": 10}
    return ResNetForImageClassification(ResNetConfig(layer_type="basic", **sizes))


@pytest.mark.parametrize(("make", "batch"), [(gpt, tokens), (bert, tokens), (resnet, images)])
def test_nothing_looks_wrong(make: Callable[[], nn.Module], batch: Callable[[], Batch]) -> None:
    torch.manual_seed(0)
    model: Any = make()
    session = watch(model, every=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for _ in range(6):
        optimizer.zero_grad()
        model(**batch()).loss.backward()
        optimizer.step()

    assert symptoms(session) == []
