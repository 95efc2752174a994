"""The models that the measurements are taken with, in the sizes that comparisons of such tools use."""

import torch
from torch import nn


def mlp() -> tuple[nn.Module, torch.Tensor]:
    """Four linear layers of 256, batch 64."""
    layers = [layer for _ in range(4) for layer in (nn.Linear(256, 256), nn.ReLU())]
    return nn.Sequential(*layers), torch.randn(64, 256)


class ResidualBlock(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = (
            nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
            if stride != 1 or inputs != outputs
            else nn.Identity()
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve and add the shortcut."""
        inner = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        output: torch.Tensor = self.relu(inner + self.shortcut(x))
        return output


def resnet() -> tuple[nn.Module, torch.Tensor]:
    """As ResNet-18, at 3×64×64, batch 8."""
    widths = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    stages = [
        nn.Sequential(ResidualBlock(inputs, outputs, stride), ResidualBlock(outputs, outputs, 1))
        for inputs, outputs, stride in widths
    ]
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    model = nn.Sequential(*stem, *stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))
    return model, torch.randn(8, 3, 64, 64)


class Attention(nn.Module):
    """Causal self-attention with the weights written out."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.softmax = nn.Softmax(dim=-1)
        self.proj = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Mix the tokens."""
        batch, length, width = x.shape
        shape = (batch, length, self.heads, width // self.heads)
        query, key, value = (part.view(shape).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        scores = query @ key.transpose(-2, -1) / (width // self.heads) ** 0.5
        mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        mixed = self.softmax(scores.masked_fill(mask, float("-inf"))) @ value
        output: torch.Tensor = self.proj(mixed.transpose(1, 2).reshape(batch, length, width))
        return output


class TransformerBlock(nn.Module):
    """Attention and a feed-forward part, each with its residual."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.ln1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """One layer."""
        x = x + self.attn(self.ln1(x))
        output: torch.Tensor = x + self.mlp(self.ln2(x))
        return output


def gpt(layers: int = 6, width: int = 256, length: int = 128, batch: int = 4) -> tuple[nn.Module, torch.Tensor]:
    """Token embedding, the layers, and the head; of 1,000 tokens."""
    blocks = nn.Sequential(*(TransformerBlock(width, 4) for _ in range(layers)))
    model = nn.Sequential(nn.Embedding(1000, width), blocks, nn.LayerNorm(width), nn.Linear(width, 1000))
    return model, torch.randint(0, 1000, (batch, length))


def five_thousand() -> tuple[nn.Module, torch.Tensor]:
    """5,000 modules in three levels."""
    layers = [nn.Sequential(*(nn.Linear(4, 4) for _ in range(9))) for _ in range(490)]
    stages = [nn.Sequential(*layers[start : start + 49]) for start in range(0, 490, 49)]
    return nn.Sequential(*stages, *(nn.Identity() for _ in range(89))), torch.randn(1, 4)
