"""What a model is fed, worked out from the signature of its forward and from its configuration."""

import inspect
import re
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PretrainedConfig

from tests.cases.zoo.sizes import TEXT, VOCABULARY

BATCH = 2
GRID = 4
"""Patches in a row of a picture that is given as patches."""


def feed(model: nn.Module, config: PretrainedConfig, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keyword arguments of a call: what forward must have, its main input, and ``also``."""
    parameters = inspect.signature(model.forward).parameters
    needed = {
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    }
    needed |= {"decoder_input_ids", "pixel_values", "input_ids"}
    main = getattr(model, "main_input_name", "input_ids")
    needed |= {main} if isinstance(main, str) else set(main)
    needed |= {name for name in parameters if name.endswith("grid_thw") and "video" not in name}
    has_patches = any(name.endswith("grid_thw") for name in needed & set(parameters))
    inputs = {name: value_of(name, config, has_patches) for name in parameters if name in needed}
    inputs |= {name: value_of(name, config, has_patches) for name in also}
    return {name: value for name, value in inputs.items() if value is not None}


def value_of(  # noqa: C901, PLR0911  # one rule for each kind of input
    name: str, config: PretrainedConfig, has_patches: bool = False
) -> Any:
    """A value for an argument of that name; None where no rule is known."""
    text = (BATCH, TEXT)
    if re.fullmatch(r"(text_|decoder_|qformer_)?(input_ids|labels)", name):
        return torch.randint(VOCABULARY // 2, VOCABULARY, text)
    if re.fullmatch(r"(text_|decoder_|qformer_)?attention_mask", name):
        return torch.ones(text, dtype=torch.long)
    if has_patches and name in {"pixel_values", "hidden_states"}:
        return patches(config)
    if name in {"pixel_values", "pixel_values_videos"}:
        return pixels(config)
    if name in {"input_values", "audio_values", "waveform"}:
        channels = (1,) if re.search("encodec|mimi|dac|codec|tokenizer|pe_audio", config.model_type) else ()
        return torch.randn(BATCH, *channels, 5000)
    if name == "input_features":
        return torch.randn(BATCH, *_spectrogram(config), requires_grad=True)
    if name in {"input_features_mask", "padding_mask"}:
        return torch.ones(BATCH, 64, dtype=torch.long)
    if name.endswith("grid_thw"):
        return torch.tensor([[1, GRID, GRID]] * BATCH)
    if name == "image_sizes":
        return torch.tensor([[32, 32]] * BATCH)
    if name == "pixel_attention_mask":
        return torch.ones(BATCH, GRID * GRID, dtype=torch.long)
    if name == "bbox":
        return torch.tensor([1, 2, 3, 4]).expand(*text, 4)
    return None


def with_tokens_for_pictures(
    model: nn.Module, inputs: dict[str, Any], config: PretrainedConfig, count: int
) -> dict[str, Any]:
    """The same with a text that has so many places for what was seen in each picture."""
    token = next(found for name in ("image_token_id", "image_token_index") if (found := seek(config, name)) is not None)
    ids = torch.randint(VOCABULARY // 2, VOCABULARY, (BATCH, max(TEXT, count + 4)))
    ids[:, 1 : 1 + count] = token
    kinds = {"mm_token_type_ids": (ids == token).int()}
    takes_kinds = "mm_token_type_ids" in inspect.signature(model.forward).parameters
    return {**inputs, "input_ids": ids, **(kinds if takes_kinds else {})}


def pixels(config: PretrainedConfig) -> Tensor:
    """A batch of pictures of the size that the model is made for."""
    size = seek(config, "image_size") or 32
    height, width = (size, size) if isinstance(size, int) else size[:2]
    return torch.randn(BATCH, seek(config, "num_channels") or 3, height, width, requires_grad=True)


def patches(config: PretrainedConfig) -> Tensor:
    """The patches of a batch of pictures, one in each row."""
    vision = getattr(config, "vision_config", config)
    channels = next((found for name in ("in_channels", "num_channels") if (found := seek(vision, name))), 3)
    width = channels * (seek(vision, "temporal_patch_size") or 1) * seek(vision, "patch_size") ** 2
    return torch.randn(BATCH * GRID * GRID, width, requires_grad=True)


def seek(config: PretrainedConfig, name: str) -> Any:
    """The field of that name in the configuration, or in the first of its parts that has it."""
    found = getattr(config, name, None)
    if found is not None:
        return found
    parts = (part for part in vars(config).values() if isinstance(part, PretrainedConfig))
    return next((found for part in parts if (found := seek(part, name)) is not None), None)


def _spectrogram(config: PretrainedConfig) -> tuple[int, int]:
    bands = next(
        (found for name in ("num_mel_bins", "input_feat_per_channel", "feature_size") if (found := seek(config, name))),
        16,
    )
    # Some have time first.
    is_time_first = re.search("parakeet|canary|cohere_asr|lasr|nemotron|speech_to_text|speecht5", config.model_type)
    return (64, bands) if is_time_first else (bands, 64)
