"""Attached changes nothing, and what is shown is true: for each layer of torch.nn, and for models as they are in use.

``tests/cases/ZOO.md`` has the results of all architectures in all settings.
"""

from collections.abc import Iterator

import pytest
import torch
from torch import nn

from tests.cases.zoo.architectures import architecture
from tests.cases.zoo.effects import Setting
from tests.cases.zoo.exhibit import Exhibit
from tests.cases.zoo.layers import NOT_CALLED, layers, names, table
from tests.cases.zoo.trial import try_out

SETTINGS = (
    Setting(is_training=True, has_grad=True, dtype=torch.float32),
    Setting(is_training=True, has_grad=False, dtype=torch.bfloat16),
    Setting(is_training=False, has_grad=True, dtype=torch.bfloat16),
    Setting(is_training=False, has_grad=False, dtype=torch.float32),
)
"""Each two choices meet in one of them."""

REPRESENTATIVES = (
    *("bert", "distilbert", "deberta-v2", "modernbert", "longformer", "fnet", "funnel", "xlnet"),
    *("gpt2", "llama", "gemma2", "falcon", "bloom", "qwen3_next", "minicpm3", "deepseek_v3"),
    *("mixtral", "gpt_oss", "switch_transformers", "olmoe"),
    *("t5", "bart", "prophetnet", "bigbird_pegasus"),
    *("mamba", "mamba2", "rwkv", "jamba"),
    *("vit", "resnet", "convnext", "segformer", "swinv2", "mobilevit", "poolformer", "hiera"),
    *("wav2vec2", "wavlm", "hubert"),
    *("clip", "blip", "flava", "vilt", "llava", "qwen3_vl"),
    *("patchtst", "decision_transformer", "perceiver"),
)
"""Some of each family: texts, experts, encoders with decoders, states, pictures, sounds, several at once, series."""


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """These models are too small for more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_every_layer_of_torch_nn_is_here() -> None:
    assert sorted({*table(), *NOT_CALLED}) == names()


@pytest.mark.parametrize("name", sorted(NOT_CALLED - {"ParameterDict", "ParameterList", "Container"}))
def test_the_others_have_no_forward(name: str) -> None:
    assert getattr(nn, name).forward is nn.Module.forward


@pytest.mark.parametrize("exhibit", layers(), ids=lambda exhibit: exhibit.name)
def test_a_layer_is_the_same_when_watched_and_shown_as_it_is(exhibit: Exhibit) -> None:
    assert try_out(exhibit, SETTINGS).troubles == []


@pytest.mark.parametrize("kind", REPRESENTATIVES)
def test_an_architecture_is_the_same_when_watched_and_shown_as_it_is(kind: str) -> None:
    verdict = try_out(architecture(kind), SETTINGS)

    assert verdict.troubles == []
    assert verdict.gradients > 0
