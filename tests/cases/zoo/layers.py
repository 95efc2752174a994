"""Every layer of ``torch.nn`` that can be called, within a module that calls it."""

import inspect
from collections.abc import Iterator
from typing import Any, Final

import torch
from torch import Tensor, nn

from tests.cases.zoo.exhibit import Exhibit, Specimen

ROW: Final = (4, 8)
PICTURES: Final[dict[int, tuple[int, ...]]] = {1: (2, 4, 8), 2: (2, 4, 8, 8), 3: (2, 4, 8, 8, 8)}
SEQUENCE: Final = (5, 2, 8)

NOT_CALLED: Final = frozenset(
    {"Container", "Module", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "RNNBase", "RNNCellBase"}
)
"""Those of ``torch.nn`` that have no forward."""

Layer = tuple[tuple[Any, ...], tuple[Any, ...]]
"""The arguments of the constructor, and what the layer is called with: shapes of floats, or tensors."""

ELEMENTWISE: Final = (
    *("AlphaDropout", "CELU", "Dropout", "ELU", "FeatureAlphaDropout", "GELU", "GLU", "Hardshrink", "Hardsigmoid"),
    *("Hardswish", "Hardtanh", "Identity", "LeakyReLU", "LogSigmoid", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6"),
    *("SELU", "SiLU", "Sigmoid", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink"),
)

COMPARED: Final = (
    "CosineSimilarity",
    "HuberLoss",
    "L1Loss",
    "MSELoss",
    "PairwiseDistance",
    "PoissonNLLLoss",
    "SmoothL1Loss",
)


class Around(nn.Module):
    """Calls one layer."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, *inputs: Any) -> Any:
        return self.layer(*inputs)


class After(nn.Module):
    """Calls one layer on what another one returned, which it may overwrite."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.layer = layer

    def forward(self, x: Tensor) -> Any:
        return self.layer(self.linear(x))


def names() -> list[str]:
    """All modules that ``torch.nn`` exports."""
    return sorted(name for name, thing in vars(nn).items() if isinstance(thing, type) and issubclass(thing, nn.Module))


def layers() -> list[Exhibit]:
    """Each layer once, and once more in place where it can be."""
    return [*(_around(name) for name in sorted(table())), *_in_place()]


def table() -> dict[str, Layer]:
    """What each layer is made of and fed with."""
    return {**_by_dimension(), **_elementwise(), **_of_one_kind(), **_losses(), **_recurrent(), **_transformers()}


def _by_dimension() -> dict[str, Layer]:
    found: dict[str, Layer] = {}
    for dimension, shape in PICTURES.items():
        arguments: dict[str, tuple[Any, ...]] = {
            "AdaptiveAvgPool": (2,),
            "AdaptiveMaxPool": (2,),
            "AvgPool": (2,),
            "BatchNorm": (4,),
            "CircularPad": (1,),
            "ConstantPad": (1, 0.5),
            "Conv": (4, 4, 3),
            "ConvTranspose": (4, 4, 3),
            "Dropout": (0.5,),
            "InstanceNorm": (4,),
            "LPPool": (2, 2),
            "LazyBatchNorm": (),
            "LazyConv": (4, 3),
            "LazyConvTranspose": (4, 3),
            "LazyInstanceNorm": (),
            "MaxPool": (2,),
            "ReflectionPad": (1,),
            "ReplicationPad": (1,),
            "ZeroPad": (1,),
        }
        found |= {f"{kind}{dimension}d": (given, (shape,)) for kind, given in arguments.items()}
        pooled = torch.arange(0, 8**dimension, 2**dimension)[: 4**dimension].reshape((1, 1) + (4,) * dimension)
        found[f"MaxUnpool{dimension}d"] = ((2,), ((2, 4) + (4,) * dimension, pooled.expand((2, 4) + (4,) * dimension)))
        if dimension > 1:
            found[f"FractionalMaxPool{dimension}d"] = ((2, 3), (shape,))
    return found


def _elementwise() -> dict[str, Layer]:
    return {
        **dict.fromkeys(ELEMENTWISE, ((), (PICTURES[1],))),
        "LogSoftmax": ((-1,), (ROW,)),
        "Softmax": ((-1,), (ROW,)),
        "Softmax2d": ((), (PICTURES[2],)),
        "Softmin": ((-1,), (ROW,)),
        "Threshold": ((0.1, 20.0), (ROW,)),
    }


def _of_one_kind() -> dict[str, Layer]:
    picture = (PICTURES[2],)
    return {
        "AdaptiveLogSoftmaxWithLoss": ((8, 12, [4, 8]), (ROW, torch.tensor([1, 3, 6, 10]))),
        "Bilinear": ((8, 8, 3), (ROW, ROW)),
        "ChannelShuffle": ((2,), picture),
        "CrossMapLRN2d": ((2,), picture),
        "DataParallel": ((nn.Linear(8, 3),), (ROW,)),
        "Embedding": ((10, 4), (torch.tensor([[1, 2, 3], [4, 5, 1]]),)),
        "EmbeddingBag": ((10, 4), (torch.tensor([[1, 2, 3], [4, 5, 1]]),)),
        "Flatten": ((), picture),
        "Fold": (((8, 8), 2), ((2, 4 * 4, 49),)),
        "GroupNorm": ((2, 4), picture),
        "LayerNorm": ((8,), (ROW,)),
        "LazyLinear": ((3,), (ROW,)),
        "Linear": ((8, 3), (ROW,)),
        "LocalResponseNorm": ((2,), picture),
        "PixelShuffle": ((2,), picture),
        "PixelUnshuffle": ((2,), picture),
        "RMSNorm": ((8,), (ROW,)),
        "Sequential": ((nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3)), (ROW,)),
        "SyncBatchNorm": ((4,), picture),
        "Unflatten": ((1, (2, 4)), (ROW,)),
        "Unfold": ((2,), picture),
        "Upsample": ((None, 2), picture),
        "UpsamplingBilinear2d": ((None, 2), picture),
        "UpsamplingNearest2d": ((None, 2), picture),
    }


def _losses() -> dict[str, Layer]:
    classes = torch.tensor([1, 3, 0, 2])
    signs = torch.tensor([1.0, -1.0, -1.0, 1.0])
    halves = torch.full(ROW, 0.5)
    return {
        **dict.fromkeys(COMPARED, ((), (ROW, ROW))),
        "BCELoss": ((), (halves, halves)),
        "BCEWithLogitsLoss": ((), (ROW, halves)),
        "CTCLoss": (
            (),
            ((6, 2, 5), torch.tensor([[1, 2], [3, 1]]), torch.tensor([6, 6]), torch.tensor([2, 2])),
        ),
        "CosineEmbeddingLoss": ((), (ROW, ROW, signs)),
        "CrossEntropyLoss": ((), (ROW, classes)),
        "GaussianNLLLoss": ((), (ROW, ROW, torch.full(ROW, 0.7))),
        "HingeEmbeddingLoss": ((), ((4,), signs)),
        "KLDivLoss": ((None, None, "batchmean"), (ROW, halves)),
        "LinearCrossEntropyLoss": ((8, 5), (ROW, classes)),
        "MarginRankingLoss": ((), ((4,), (4,), signs)),
        "MultiLabelMarginLoss": ((), (ROW, torch.tensor([[0, 3, -1, 0, 0, 0, 0, 0]] * 4))),
        "MultiLabelSoftMarginLoss": ((), (ROW, torch.tensor([[0.0, 1.0] * 4] * 4))),
        "MultiMarginLoss": ((), (ROW, classes)),
        "NLLLoss": ((), (ROW, classes)),
        "NLLLoss2d": ((), (PICTURES[2], torch.zeros(2, 8, 8, dtype=torch.long))),
        "SoftMarginLoss": ((), ((4,), signs)),
        "TripletMarginLoss": ((), (ROW, ROW, ROW)),
        "TripletMarginWithDistanceLoss": ((), (ROW, ROW, ROW)),
    }


def _recurrent() -> dict[str, Layer]:
    return {
        "GRU": ((8, 4), (SEQUENCE,)),
        "GRUCell": ((8, 4), (ROW,)),
        "LSTM": ((8, 4, 2, True, False, 0.5), (SEQUENCE,)),
        "LSTMCell": ((8, 4), (ROW,)),
        "RNN": ((8, 4), (SEQUENCE,)),
        "RNNCell": ((8, 4), (ROW,)),
    }


def _transformers() -> dict[str, Layer]:
    return {
        "MultiheadAttention": ((8, 2), (SEQUENCE, SEQUENCE, SEQUENCE)),
        "Transformer": ((8, 2, 1, 1, 16), (SEQUENCE, SEQUENCE)),
        "TransformerDecoder": ((nn.TransformerDecoderLayer(8, 2, 16), 2), (SEQUENCE, SEQUENCE)),
        "TransformerDecoderLayer": ((8, 2, 16), (SEQUENCE, SEQUENCE)),
        "TransformerEncoder": ((nn.TransformerEncoderLayer(8, 2, 16), 2), (SEQUENCE,)),
        "TransformerEncoderLayer": ((8, 2, 16), (SEQUENCE,)),
    }


def _around(name: str) -> Exhibit:
    def make() -> Specimen:
        arguments, inputs = table()[name]
        return Specimen(Around(getattr(nn, name)(*arguments)), tuple(map(_input, inputs)))

    return Exhibit(name, make)


def _in_place() -> Iterator[Exhibit]:
    for name, (arguments, _) in sorted(table().items()):
        layer = getattr(nn, name)
        if "inplace" in inspect.signature(layer).parameters:

            def make(layer: Any = layer, arguments: tuple[Any, ...] = arguments) -> Specimen:
                return Specimen(After(layer(*arguments, inplace=True)), (torch.randn(PICTURES[1], requires_grad=True),))

            yield Exhibit(f"{name}(inplace)", make)


def _input(given: Any) -> Any:
    return torch.randn(given, requires_grad=True) if type(given) is tuple else given
