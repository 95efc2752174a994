"""Architectures of transformers, made small: each type of model that its library knows."""

import os
import re

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from typing import Any, Final

import torch
import transformers
from torch import Tensor, nn
from transformers import PretrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

from tests.cases.zoo.exceptions import ALSO, GIVEN, INSTEAD, SEVERAL_PICTURES
from tests.cases.zoo.exhibit import Exhibit, Specimen
from tests.cases.zoo.feeds import BATCH, feed, seek, with_tokens_for_pictures
from tests.cases.zoo.sizes import small

LARGEST: Final = 5_000_000
"""Parameters; what cannot be made smaller than this is left out."""


class TooLargeError(Exception):
    """A model that its configuration does not make small."""


def architecture(kind: str) -> Exhibit:
    """The base model of a type, by its name in transformers, such as ``bert``."""
    return Exhibit(kind, lambda: specimen(kind))


def kinds() -> list[str]:
    """The names of all types, in the library's order."""
    return list(MODEL_MAPPING_NAMES)


def specimen(kind: str) -> Specimen:
    """A small one of a type with random weights, and its food.

    Raises:
        TooLargeError: if it stays large.
        Exception: whatever the library raises where it needs what is not there.
    """
    made = CONFIG_MAPPING[kind]
    config: PretrainedConfig = made(**small(made(), GIVEN.get(kind)))
    name = MODEL_MAPPING_NAMES[kind]
    model_class: Any = getattr(transformers, name if isinstance(name, str) else name[0])
    with torch.device("meta"):
        size = sum(parameter.numel() for parameter in model_class(config).parameters())
    if size > LARGEST:
        raise TooLargeError(f"{size:,} parameters")
    model = model_class(config)
    if kind in INSTEAD:
        return Specimen(model, kwargs=INSTEAD[kind]())
    inputs = feed(model, config, ALSO.get(kind, ()))
    if kind in SEVERAL_PICTURES:
        inputs = {name: _several(value) if name.startswith("pixel_values") else value for name, value in inputs.items()}
    return Specimen(model, kwargs=_enough(model, config, inputs))


def _several(pictures: Tensor) -> Tensor:
    return pictures.detach().unsqueeze(1).repeat(1, 2, 1, 1, 1).requires_grad_()


def _enough(model: nn.Module, config: PretrainedConfig, inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs, with as many tokens for pictures as the model asks for when it has too few."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            model(**inputs)
    except ValueError as error:
        asked = re.search(r"tokens: 0, features:? (\d+)", str(error))
        if asked is None or "input_ids" not in inputs:
            raise
        # It names the number of tokens or that of their elements.
        features = int(asked[1]) // BATCH
        width = seek(config, "hidden_size")
        return with_tokens_for_pictures(model, inputs, config, features // width if features >= width else features)
    finally:
        model.train(was_training)
    return inputs
