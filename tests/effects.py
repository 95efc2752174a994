"""What the effects of hooks tell, in few words, and a model to try them on."""

import torch
from torch import Tensor, nn

from hookviz.capture.difference import values_text
from hookviz.capture.effects import EffectEntry, HookEffect


class Double(nn.Module):
    """Twice its input."""

    def forward(self, x: Tensor) -> Tensor:
        return x * 2


def values() -> Tensor:
    return torch.tensor([1.5, 0.5], requires_grad=True)


def written(entry: EffectEntry) -> tuple[str, str]:
    before = entry.before_text if entry.before is None else values_text(entry.before)
    return before, entry.after_text if entry.after is None else values_text(entry.after)


def told(effects: list[HookEffect]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(effect.text, [written(entry) for entry in effect.entries]) for effect in effects]
