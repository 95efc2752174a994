"""The models that the pictures are judged on, each with an input: the usual shapes, small enough to run at once."""

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import nn
from torch.nn.functional import gelu, interpolate, scaled_dot_product_attention

from tests.bench.models import ResidualBlock

Example = tuple[nn.Module, tuple[torch.Tensor, ...]]


class Mlp(nn.Module):
    """Three layers with names."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(784, 256)
        self.fc2 = nn.Linear(256, 128)
        self.dropout = nn.Dropout(0.2)
        self.fc3 = nn.Linear(128, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Class scores."""
        hidden = torch.relu(self.fc1(images.flatten(1)))
        hidden = self.dropout(torch.relu(self.fc2(hidden)))
        scores: torch.Tensor = self.fc3(hidden)
        return scores


class ResNet18(nn.Module):
    """As ResNet-18, with torchvision's names."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        widths = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
        for number, (inputs, outputs, stride) in enumerate(widths, start=1):
            blocks = nn.Sequential(ResidualBlock(inputs, outputs, stride), ResidualBlock(outputs, outputs, 1))
            self.add_module(f"layer{number}", blocks)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(512, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Class scores."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for name in ("layer1", "layer2", "layer3", "layer4"):
            x = self.get_submodule(name)(x)
        scores: torch.Tensor = self.fc(self.avgpool(x).flatten(1))
        return scores


class CausalAttention(nn.Module):
    """Four heads that look back."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Mix the tokens."""
        batch, length, width = x.shape
        heads = (part.view(batch, length, 4, width // 4).transpose(1, 2) for part in self.c_attn(x).chunk(3, dim=-1))
        query, key, value = heads
        mixed = scaled_dot_product_attention(query, key, value, is_causal=True)
        output: torch.Tensor = self.c_proj(mixed.transpose(1, 2).reshape(batch, length, width))
        return output


class FeedForward(nn.Module):
    """Out to four times the width and back."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Each token by itself."""
        output: torch.Tensor = self.c_proj(gelu(self.c_fc(x)))
        return output


class GptBlock(nn.Module):
    """Attention and a feed-forward part, each with its residual."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = CausalAttention(width)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = FeedForward(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """One layer."""
        x = x + self.attn(self.ln_1(x))
        output: torch.Tensor = x + self.mlp(self.ln_2(x))
        return output


class Gpt(nn.Module):
    """Twelve layers, with the names of GPT-2."""

    def __init__(self, layers: int = 12, width: int = 64) -> None:
        super().__init__()
        self.wte = nn.Embedding(1000, width)
        self.wpe = nn.Embedding(64, width)
        self.drop = nn.Dropout(0.1)
        self.h = nn.ModuleList(GptBlock(width) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, 1000, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Scores of the next token."""
        x = self.drop(self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1])))
        for block in self.h:
            x = block(x)
        scores: torch.Tensor = self.lm_head(self.ln_f(x))
        return scores


def double_conv(inputs: int, outputs: int) -> nn.Sequential:
    """The block that U-Nets are made of."""
    layers = [nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    """Four levels with skip connections."""

    def __init__(self) -> None:
        super().__init__()
        widths = [8, 16, 32, 64]
        self.stem = double_conv(1, widths[0])
        self.down = nn.ModuleList(
            nn.Sequential(nn.MaxPool2d(2), double_conv(inputs, outputs)) for inputs, outputs in pairwise(widths)
        )
        self.up = nn.ModuleList(
            double_conv(inputs + outputs, outputs)
            for inputs, outputs in zip(widths[:0:-1], widths[-2::-1], strict=True)
        )
        self.head = nn.Conv2d(widths[0], 2, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """A mask."""
        levels = [self.stem(image)]
        for down in self.down:
            levels.append(down(levels[-1]))
        x = levels.pop()
        for up in self.up:
            skip = levels.pop()
            x = up(torch.cat([interpolate(x, scale_factor=2), skip], dim=1))
        mask: torch.Tensor = self.head(x)
        return mask


class Translator(nn.Module):
    """Encoder and decoder with attention from one to the other."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.source = nn.Embedding(100, width)
        self.target = nn.Embedding(100, width)
        encoder = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True)
        decoder = nn.TransformerDecoderLayer(width, 4, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(encoder, 6)
        self.decoder = nn.TransformerDecoder(decoder, 6)
        self.head = nn.Linear(width, 100)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Scores of the next word."""
        memory = self.encoder(self.source(source))
        scores: torch.Tensor = self.head(self.decoder(self.target(target), memory))
        return scores


class Mixture(nn.Module):
    """Eight experts, of which each token is given to two."""

    def __init__(self, width: int, experts: int = 8) -> None:
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList(FeedForward(width) for _ in range(experts))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Each token by its two experts, weighted."""
        tokens = x.reshape(-1, x.shape[-1])
        weights, chosen = self.gate(tokens).softmax(-1).topk(2)
        output = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            rows, places = torch.where(chosen == number)
            output = output.index_add(0, rows, expert(tokens[rows]) * weights[rows, places, None])
        return output.view_as(x)


class MixtureBlock(nn.Module):
    """Attention, then experts."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = CausalAttention(width)
        self.ln_2 = nn.LayerNorm(width)
        self.moe = Mixture(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """One layer."""
        x = x + self.attn(self.ln_1(x))
        output: torch.Tensor = x + self.moe(self.ln_2(x))
        return output


class MixtureOfExperts(nn.Module):
    """Two layers with experts."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.embed = nn.Embedding(1000, width)
        self.blocks = nn.ModuleList(MixtureBlock(width) for _ in range(2))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 1000)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Scores of the next token."""
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        scores: torch.Tensor = self.head(self.norm(x))
        return scores


class Branch(nn.Module):
    """One of the parallel ways of a stage."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Through all layers."""
        for layer in self.layers:
            x = torch.tanh(layer(x))
        output: torch.Tensor = self.norm(x)
        return output


class Stage(nn.Module):
    """Ways of different length side by side, which are summed."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.branches = nn.ModuleList(Branch(width, depth) for depth in range(1, 19))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The sum of all ways."""
        return x + torch.stack([branch(x) for branch in self.branches]).mean(0)


def ways(stages: int) -> Example:
    """Stages of 18 branches that are all different: 227 modules each."""
    return nn.Sequential(nn.Linear(8, 8), *(Stage(8) for _ in range(stages)), nn.Linear(8, 2)), (torch.randn(4, 8),)


GALLERY: dict[str, Callable[[], Example]] = {
    "mlp": lambda: (Mlp(), (torch.randn(64, 1, 28, 28),)),
    "resnet18": lambda: (ResNet18(), (torch.randn(4, 3, 64, 64),)),
    "gpt12": lambda: (Gpt(), (torch.randint(0, 1000, (2, 32)),)),
    "unet": lambda: (UNet(), (torch.randn(2, 1, 32, 32),)),
    "translator": lambda: (Translator(), (torch.randint(0, 100, (2, 9)), torch.randint(0, 100, (2, 7)))),
    "experts": lambda: (MixtureOfExperts(), (torch.randint(0, 1000, (2, 32)),)),
    "3000": lambda: ways(14),
}
"""By a short name, which the pictures have too."""
