"""What the rules do not find out: sizes and inputs that are particular to one type of model."""

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor

from tests.cases.zoo.feeds import BATCH
from tests.cases.zoo.sizes import KEPT, TEXT, VOCABULARY, Fields

_RESNET: Final[Fields] = {
    "model_type": "resnet",
    "embedding_size": 8,
    "hidden_sizes": [8, 8, 16, 16],
    "depths": [1, 1, 1, 1],
    "layer_type": "basic",
}
_ON_RESNET: Final[Fields] = {"backbone_config": {**_RESNET, "out_features": ["stage4"]}}
_CHANNELS: Final[Fields] = {
    "in_channels": KEPT,
    "out_channels": KEPT,
    "width_coefficient": 0.1,
    "depth_coefficient": 0.1,
}
_ATTENTION_LAST: Final[Fields] = {"num_hidden_layers": 2, "layer_types": ["linear_attention", "full_attention"]}

GIVEN: Final[dict[str, Fields]] = {
    "align": {f"vision_config.{name}": value for name, value in _CHANNELS.items()},
    "bamba": {"attn_layer_indices": [1]},
    "bit": {"num_groups": 4},
    "conditional_detr": _ON_RESNET,
    "dab-detr": _ON_RESNET,
    "deformable_detr": {"backbone_config": {**_RESNET, "out_features": ["stage2", "stage3", "stage4"]}},
    "detr": _ON_RESNET,
    "deepseek_v2": {"num_experts_per_tok": 2},
    "efficientnet": _CHANNELS,
    "esm": {"vocab_size": VOCABULARY, "pad_token_id": 1, "mask_token_id": 3},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
    "granite_speech5_encoder": {"context_size": 8},
    "granitemoehybrid": {"layer_types": ["mamba", "attention"]},
    "instructblipvideo": {"qformer_config.encoder_hidden_size": 32},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1, "mamba_dt_rank": 4},
    "kimi_linear": _ATTENTION_LAST,
    "layoutlmv3": {"coordinate_size": 6, "shape_size": 4},
    "levit": {"num_attention_heads": [2, 2, 2], "key_dim": [8, 8, 8], "hidden_sizes": [16, 16, 16]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "lilt": {"hidden_size": 24, "num_attention_heads": 2},
    "mamba2": {"num_heads": 8},
    "mobilebert": {"intra_bottleneck_size": 32, "true_hidden_size": 32},
    "nemotron": {"num_key_value_heads": 2},
    "perceiver": {"d_latents": 32, "num_self_attends_per_block": 2, "num_cross_attention_heads": 2},
    "qwen3_5_moe_text": _ATTENTION_LAST,
    "qwen3_5_text": _ATTENTION_LAST,
    "reformer": {"axial_pos_embds_dim": [8, 24], "axial_pos_shape": [4, 6], "num_buckets": 2},
    "sam": {"prompt_encoder_config.image_embedding_size": 4},
    "sam_hq": {"prompt_encoder_config.image_embedding_size": 4},
    "swin": {"window_size": 4},
    "table-transformer": _ON_RESNET,
    "vits": {
        "upsample_initial_channel": 32,
        "flow_size": 32,
        "duration_predictor_filter_channels": 32,
        "spectrogram_bins": 16,
        "posterior_encoder_num_wavenet_layers": 2,
        "prior_encoder_num_wavenet_layers": 2,
    },
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
    "zamba": {"layers_block_type": ["mamba", "hybrid"]},
}
"""Fields of configurations; see ``sizes.small``."""

ALSO: Final[dict[str, tuple[str, ...]]] = {
    "bros": ("bbox",),
    "granite_docling": ("pixel_attention_mask",),
    "audioflamingo3_encoder": ("input_features_mask",),
    "layoutlmv3": ("bbox",),
    "lighton_ocr": ("image_sizes",),
    "llava_next": ("image_sizes",),
    "llava_next_video": ("image_sizes",),
    "llava_onevision": ("image_sizes",),
    "mistral3": ("image_sizes",),
    "mistral_large4": ("image_sizes",),
}
"""Inputs that forward can do without, by its signature, but not here."""

SEVERAL_PICTURES: Final = frozenset(
    {
        *("idefics", "idefics2", "idefics3", "instructblipvideo", "modernvbert", "smolvlm", "timesformer"),
        *("videoprism", "videoprism_vision_model", "vivit", "vjepa2"),
    }
)
"""Those that take several pictures, or frames, in each row of a batch."""


def _series(rows: int, *columns: int) -> Tensor:
    return torch.randn(BATCH, rows, *columns, requires_grad=True)


def _text() -> Tensor:
    return torch.randint(VOCABULARY // 2, VOCABULARY, (BATCH, TEXT))


INSTEAD: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "decision_transformer": lambda: {
        "states": _series(6, 17),
        "actions": _series(6, 4),
        "rewards": _series(6, 1),
        "returns_to_go": _series(6, 1),
        "timesteps": torch.arange(6).expand(BATCH, 6),
        "attention_mask": torch.ones(BATCH, 6, dtype=torch.long),
    },
    "blip_2_qformer": lambda: {"query_embeds": _series(8, 32), "encoder_hidden_states": _series(4, 32)},
    "fuyu": lambda: {"input_ids": _text()},
    "gemma4_unified": lambda: {"input_ids": _text()},
    "kosmos-2": lambda: {"input_ids": _text()},
    "lfm2_vl": lambda: {"input_ids": _text()},
    "llama4": lambda: {"input_ids": _text()},
    "lxmert": lambda: {"input_ids": _text(), "visual_feats": _series(4, 32), "visual_pos": _series(4, 4)},
    "mllama": lambda: {"input_ids": _text()},
    "patchtsmixer": lambda: {"past_values": _series(32, 1)},
    "patchtst": lambda: {"past_values": _series(32, 1)},
    "perceiver": lambda: {"inputs": _series(TEXT, 32)},
    "timesfm": lambda: {
        "past_values": torch.randn(BATCH, 64, requires_grad=True),
        "past_values_padding": torch.zeros(BATCH, 64),
        "freq": torch.zeros(BATCH, 1, dtype=torch.long),
    },
}
"""All inputs of a type whose own cannot be told from its signature; of some, their text alone."""
