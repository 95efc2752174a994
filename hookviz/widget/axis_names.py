"""What the axes of a tensor stand for, as far as PyTorch's own modules fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd, _ConvTransposeNd
from torch.nn.modules.instancenorm import _InstanceNorm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookviz.widget.wire import Tab

SPACE: Final = ("z", "y", "x")

# The last digit of their names says of how many axes of space: Conv2d, MaxPool1d.
_OVER_SPACE: Final = (
    _ConvNd,
    _BatchNorm,
    _InstanceNorm,
    nn.modules.pooling._MaxPoolNd,
    nn.modules.pooling._AvgPoolNd,
    nn.modules.pooling._AdaptiveMaxPoolNd,
    nn.modules.pooling._AdaptiveAvgPoolNd,
    nn.Dropout2d,
    nn.Dropout3d,
)


def axis_names(module: nn.Module | None, tab: Tab, label: str, shape: Sequence[int]) -> list[str]:
    """One name per axis of a tensor that the inspector lists; empty text where it is not known.

    Args:
        module: What the tensor belongs to; None where nothing is known of it.
        tab: The tab that lists it.
        label: Its name there.
        shape: Its shape.
    """
    if module is None:
        names = []
    elif tab == "parameters":
        names = _parameter_axes(module, label.removesuffix(".grad"), len(shape))
    else:
        names = _flowing_axes(module, label, shape)
    return names or [""] * len(shape)


def _parameter_axes(module: nn.Module, name: str, dim: int) -> list[str]:
    if isinstance(module, _ConvNd) and name == "weight" and dim > 2:
        channels = ("in", "out")
        return [*(channels if isinstance(module, _ConvTransposeNd) else channels[::-1]), *SPACE[-(dim - 2) :]]
    if isinstance(module, nn.Linear) and name == "weight" and dim == 2:
        return ["out", "in"]
    if isinstance(module, nn.Embedding) and name == "weight" and dim == 2:
        return ["entry", "feature"]
    if dim == 1 and name == "bias" and isinstance(module, (_ConvNd, nn.Linear)):
        return ["out"]
    return []


def _flowing_axes(module: nn.Module, label: str, shape: Sequence[int]) -> list[str]:
    dim = len(shape)
    if isinstance(module, nn.MultiheadAttention):
        return _attention_axes(label, dim)
    if isinstance(module, _OVER_SPACE):
        space = _space(module)
        if space and dim in (space + 1, space + 2):
            return [*(["sample"] if dim == space + 2 else []), "channel", *SPACE[-space:]]
    if isinstance(module, nn.Softmax) and dim == 4 and module.dim in (-1, 3) and shape[2] == shape[3]:
        return ["sample", "head", "query", "key"]
    if isinstance(module, nn.Linear) and dim == 2:
        return ["sample", "feature"]
    return []


def _space(module: nn.Module) -> int:
    """How many axes of space the module works on; 0 where its class does not say."""
    for kind in type(module).__mro__:
        if str(kind.__module__).startswith("torch.nn.modules.") and kind.__name__[-2:] in ("1d", "2d", "3d"):
            return int(kind.__name__[-2])
    return 0


def _attention_axes(label: str, dim: int) -> list[str]:
    """The second output of an attention is its weights: averaged over the heads, or (four axes) of each head."""
    if label not in ("output[1]", "grad_output[1]"):
        return []
    if dim == 4:
        return ["sample", "head", "query", "key"]
    # Three axes are the mean over heads of each sample, or the heads of a single one: it is not known which.
    return ["", "query", "key"] if dim == 3 else ["query", "key"] if dim == 2 else []
