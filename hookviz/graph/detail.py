"""The one line on a card that says what matters of a module: ``3→16 · 3×3 · 448 params``.

Only what a module's ``__dict__`` holds is read: to ask a module for its ``weight`` can run code of a
parametrization, and spectral norm in training moves its buffers with each such question.
"""

from collections.abc import Callable, Iterable
from typing import Any

from torch import nn
from torch.nn.modules import batchnorm, conv, dropout, instancenorm, pooling
from torch.nn.parameter import is_lazy

from hookviz.graph.counts import parameter_count

MAX_REPR = 36
"""A longer ``extra_repr`` is left out: the inspector is the place for all of it."""

Facts = Callable[[dict[str, Any], str], list[str]]
"""Attributes of a module and the name of its class in, facts out; a missing attribute raises KeyError."""


def module_detail(module: nn.Module) -> str:
    """What matters of this module and how many parameters it has, in one short line; may be empty."""
    return " · ".join([*_facts(module), *parameter_count([module])])


def box(sizes: Iterable[int]) -> str:
    """Sizes as they are written in the field: ``3×3``."""
    return "×".join(str(size) for size in sizes)


def _facts(module: nn.Module) -> list[str]:
    for kind, facts in _FACTS:
        if issubclass(type(module), kind):
            try:
                return facts(module.__dict__, type(module).__name__)
            except (KeyError, TypeError, ValueError):
                break
    return _short_repr(module)


def _short_repr(module: nn.Module) -> list[str]:
    kind = type(module)
    # A parametrized module answers questions about its weight by computing it.
    if kind.extra_repr is nn.Module.extra_repr or "parametrizations" in module.__dict__.get("_modules", {}):
        return []
    try:
        text = " ".join(str(module.extra_repr()).split())
    except Exception:  # noqa: BLE001  # code of the user's class: a card without this line is still a card
        return []
    return [text] if text and len(text) <= MAX_REPR else []


def _conv(module: dict[str, Any], _: str) -> list[str]:
    facts = [f"{module['in_channels']}→{module['out_channels']}", box(module["kernel_size"])]
    stride = tuple(module["stride"])
    if set(stride) != {1}:
        facts.append(f"stride {stride[0] if len(set(stride)) == 1 else box(stride)}")
    if module["groups"] != 1:
        facts.append(f"{module['groups']} groups")
    return facts


def _recurrent(module: dict[str, Any], _: str) -> list[str]:
    facts = [f"{module['input_size']}→{module['hidden_size']}"]
    if module["num_layers"] != 1:
        facts.append(f"{module['num_layers']} layers")
    return [*facts, "bidirectional"] if module["bidirectional"] else facts


def _pool(module: dict[str, Any], class_name: str) -> list[str]:
    return [_repeated(module["kernel_size"], class_name)]


def _adaptive_pool(module: dict[str, Any], class_name: str) -> list[str]:
    return [f"→{_repeated(module['output_size'], class_name)}"]


def _repeated(size: Any, class_name: str) -> str:
    """One number stands for all axes of a ``Pool2d``."""
    axes = int(class_name[-2]) if class_name[-2:] in {"1d", "2d", "3d"} else 1
    return box(size if isinstance(size, (tuple, list)) else (size,) * axes)


def _attention(module: dict[str, Any], _: str) -> list[str]:
    return [str(module["embed_dim"]), f"{module['num_heads']} heads"]


def _gelu(module: dict[str, Any], _: str) -> list[str]:
    return [str(module["approximate"])] if module["approximate"] != "none" else []


def _flatten(module: dict[str, Any], _: str) -> list[str]:
    axes = (module["start_dim"], module["end_dim"])
    return [] if axes == (1, -1) else [f"axes {axes[0]} to {axes[1]}"]


_FACTS: tuple[tuple[type[nn.Module] | tuple[type[nn.Module], ...], Facts], ...] = (
    (conv._ConvNd, _conv),
    (nn.Linear, lambda module, _: [f"{module['in_features']}→{module['out_features']}"]),
    (nn.Bilinear, lambda module, _: [f"{module['in1_features']}, {module['in2_features']}→{module['out_features']}"]),
    ((nn.Embedding, nn.EmbeddingBag), lambda module, _: [f"{module['num_embeddings']}×{module['embedding_dim']}"]),
    ((batchnorm._NormBase, instancenorm._InstanceNorm), lambda module, _: [str(module["num_features"])]),
    (nn.LayerNorm, lambda module, _: [box(module["normalized_shape"])]),
    (nn.RMSNorm, lambda module, _: [box(module["normalized_shape"])]),
    (nn.GroupNorm, lambda module, _: [str(module["num_channels"]), f"{module['num_groups']} groups"]),
    (dropout._DropoutNd, lambda module, _: [f"p={module['p']:g}"]),
    (nn.RNNBase, _recurrent),
    (nn.RNNCellBase, lambda module, _: [f"{module['input_size']}→{module['hidden_size']}"]),
    (nn.MultiheadAttention, _attention),
    ((pooling._MaxPoolNd, pooling._AvgPoolNd), _pool),
    ((pooling._AdaptiveAvgPoolNd, pooling._AdaptiveMaxPoolNd), _adaptive_pool),
    (nn.GELU, _gelu),
    (nn.Flatten, _flatten),
    # That it works in place is a mark of the node.
    ((nn.ReLU, nn.ReLU6, nn.SiLU, nn.Hardswish, nn.Hardsigmoid, nn.Mish), lambda _module, _name: []),
)
"""Torch's classes with what a reader asks first of each."""


def parameter_detail(module: nn.Module, name: str) -> str:
    """The shape of a parameter or buffer, ``64×10``."""
    held = (module._parameters.get(name), module._buffers.get(name))
    return next((box(tensor.shape) for tensor in held if tensor is not None and not is_lazy(tensor)), "")
