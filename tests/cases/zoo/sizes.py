"""Small sizes for the configuration of any architecture: one table for all, and what is particular to some."""

import itertools
import re
from collections.abc import Sequence
from typing import Any, Final

from transformers import PretrainedConfig

VOCABULARY: Final = 64
TEXT: Final = 24
"""How many tokens a text has."""

Fields = dict[str, Any]
Rules = tuple[tuple[str, int], ...]

SIZES: Final[Rules] = (
    (r"(input_|output_|text_)?vocab(ulary)?_size(_.*)?|num_embeddings|codebook_size|.*_vocab_size", VOCABULARY),
    (r"num_feat_extract_layers", 13),
    (r"qk_head_dim", 16),
    (r".*(qk_nope|qk_rope|v|swa|linear_key|linear_value|index|global)_head_dim|head_dim|d_kv|dim_head|d_head", 8),
    (r"attention_head_size|kv_channels|rotary_dim|linear_head_dim|attention_head_dim|mamba_d_head|mamba_head_dim", 8),
    (r".*num_key_value_heads|.*num_kv_heads|num_global_key_value_heads", 2),
    (r".*attention_heads|n_head|n_heads|num_heads|index_n_heads|.*linear_num_.*_heads|num_mamba_heads", 4),
    (r"mamba_n_heads|mamba_num_heads", 8),
    (r"(max_)?position_embedding_size|.*position_embeddings|n_positions|max_.*positions|context_length", 64),
    (r"max_seq_len(gth)?|max_length|max_position.*|seq_length|n_ctx", 64),
    (r".*(ffn|mlp|feed_?forward|intermediate|inner).*(dim|size)|d_ff|d_inner|n_inner", 32),
    (r".*_ffn|ffn_hidden_size", 32),
    (r".*(hidden|embed(ding)?|model|projection|proj|emb).*_?(dim|size)|d_model|n_embd|dim|width|(in|out)put_dim", 32),
    (r"attention_dim|conv_dim|output_size|hidden_channels|.*codevector_dim|entity_emb_size|latent_dim", 32),
    (r"num_hidden_groups|max_window_layers|num_hash_buckets", 2),
    (r".*num.*layers|n_layers?|.*_layers|depth|.*num_.*blocks|n_blocks|.*_depth", 2),
    (r"num_experts|n_routed_experts|num_local_experts|moe_num_experts|num_routed_experts", 4),
    (r"num_experts_per_tok(en)?|moe_top_?k|moe_k|top_k|top_k_experts|expert_top_k", 2),
    (r"n_group|topk_group|num_expert_group|moe_n_group", 1),
    (r".*lora_rank|.*_rank|.*_low_rank_dim|laurel_rank", 8),
    (r"mamba_d_state|state_size|ssm_state_size|mamba_state_dim", 8),
    (r"mamba_chunk_size|chunk_size|attention_chunk_size", 8),
    (r"window_size", 4),
    (r"upsample_groups", 32),
    (r"context_size|fusion_window_size", 32),
    (r"sliding_window(_size)?|local_attention|attention_window|index_topk", 8),
    (r"image_size|max_image_size|pretrain_image_size|input_size|img_size|resolution", 32),
    (r"patch_size", 8),
    (r"num_frames", 2),
    (r".*num_mel_bins|feature_size|n_mels|num_freq_bins", 16),
    (r"num_queries|num_query_tokens|num_latents|n_latents|resampler_n_latents|num_query", 8),
    (r"num_denoising", 4),
    (r"num_conv_pos_embedding_groups", 2),
    (r"num_conv_pos_embeddings", 8),
    (r"prompt_length", 4),
)
"""What a field is set to that has this name and is larger."""

PROPORTIONS: Final = (
    r".*(hidden_sizes|embed_dims|channels?|dims?|sizes|widths|filters|conv_dim|embed_dim|out_features)$"
)
"""Lists of widths, which become small in proportion."""

KEPT: Final = object()
"""Stands for: not to be made smaller."""


LAYER_LISTS: Final = ("layer_types", "layers_block_type", "block_types")
"""Where a configuration says of which kind each layer is."""


def small(config: PretrainedConfig, given: Fields | None = None) -> Fields:
    """The arguments that make a small configuration of the same class; ``given`` has the last word.

    The keys of ``given`` are names of fields, those of parts after a dot: ``text_config.hidden_size``.
    A field that is given as ``KEPT`` stays as it is.
    """
    given = given or {}
    fields = {name: value for name, value in vars(config).items() if not name.startswith("_")}
    found: Fields = {}
    tokens = itertools.count(4)
    for name, value in fields.items():
        if isinstance(value, PretrainedConfig):
            part = {key.removeprefix(f"{name}."): to for key, to in given.items() if key.startswith(f"{name}.")}
            found[name] = {**small(value, part), "model_type": value.model_type}
        elif name.endswith(("_token_id", "_token_index")) and isinstance(value, int) and value >= VOCABULARY:
            found[name] = next(tokens)
        else:
            found[name] = _smaller(name, value)
    if fields.get("num_key_value_heads", KEPT) == fields.get("num_attention_heads"):
        found["num_key_value_heads"] = found.get("num_attention_heads")
    found |= _one_layer_of_each_kind(fields)
    found |= {key: to for key, to in given.items() if "." not in key}
    return {name: value for name, value in found.items() if value is not KEPT and value != fields.get(name, KEPT)}


def _smaller(name: str, value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return next((min(size, value) for pattern, size in SIZES if re.fullmatch(pattern, name)), value)
    if isinstance(value, list | tuple) and value and all(type(part) is int for part in value):
        return _smaller_list(name, value)
    if isinstance(value, dict):
        return _smaller_rope(value)
    return 8 if name == "head_dim" and value is None else value


def _smaller_list(name: str, value: Sequence[int]) -> Sequence[int]:
    if name == "depths":
        return [1] * len(value)
    if name in {"image_size", "patch_size"}:
        return [_smaller(name, part) for part in value]
    if re.fullmatch(r"num_(attention_)?heads|num_attention_heads_per_stage", name):
        return [min(2, part) for part in value]
    if re.fullmatch(PROPORTIONS, name) and max(value) >= 64:
        return [max(8, 8 * round(4 * part / max(value))) for part in value]
    return value


def _smaller_rope(value: Fields) -> Fields:
    """Rotary embeddings of several axes share the half of a head among them."""
    found = {name: _smaller_rope(part) if isinstance(part, dict) else part for name, part in value.items()}
    if "mrope_section" in value:
        half = round(4 * value.get("partial_rotary_factor", 1.0))
        found["mrope_section"] = [half - 2 * (half // 3), half // 3, half // 3]
    return found


def _one_layer_of_each_kind(fields: Fields) -> Fields:
    """Those lists that have an entry for each layer, cut to as many layers as there are kinds, at least two."""
    kinds = next((fields[name] for name in LAYER_LISTS if isinstance(fields.get(name), list | tuple)), None)
    if not kinds or len(kinds) != fields.get("num_hidden_layers"):
        return {}
    firsts = sorted({kinds.index(kind) for kind in kinds})
    places = firsts if len(firsts) > 1 else [0, 1][: len(kinds)]
    lists = {name: value for name, value in fields.items() if isinstance(value, list | tuple)}
    cut = {name: [value[place] for place in places] for name, value in lists.items() if len(value) == len(kinds)}
    return cut | {"num_hidden_layers": len(places)}
