"""What the axes of a tensor stand for, as far as PyTorch's own modules fix it."""

import pytest
from torch import nn

from hookviz.widget.axis_names import axis_names
from hookviz.widget.wire import Tab


@pytest.mark.parametrize(
    ("module", "tab", "label", "shape", "names"),
    [
        (nn.Conv2d(3, 8, 5), "parameters", "weight", (8, 3, 5, 5), ["out", "in", "y", "x"]),
        (nn.Conv1d(3, 8, 5), "parameters", "weight.grad", (8, 3, 5), ["out", "in", "x"]),
        (nn.ConvTranspose2d(3, 8, 5), "parameters", "weight", (3, 8, 5, 5), ["in", "out", "y", "x"]),
        (nn.Linear(3, 8), "parameters", "weight", (8, 3), ["out", "in"]),
        (nn.Linear(3, 8), "parameters", "bias", (8,), ["out"]),
        (nn.Conv2d(3, 8, 5), "output", "output", (2, 8, 9, 9), ["sample", "channel", "y", "x"]),
        (nn.Conv2d(3, 8, 5), "output", "output", (8, 9, 9), ["channel", "y", "x"]),
        (nn.BatchNorm3d(8), "input", "input[0]", (2, 8, 3, 4, 5), ["sample", "channel", "z", "y", "x"]),
        (nn.MaxPool2d(2), "grad_output", "grad_output", (2, 8, 9, 9), ["sample", "channel", "y", "x"]),
        (nn.MultiheadAttention(8, 2), "output", "output[1]", (2, 4, 6, 6), ["sample", "head", "query", "key"]),
        (nn.Softmax(dim=-1), "output", "output", (2, 4, 6, 6), ["sample", "head", "query", "key"]),
        # A softmax over channels is no attention, and that of a convolution's flat output has no space.
        (nn.Softmax(dim=1), "output", "output", (2, 4, 6, 6), ["", "", "", ""]),
        (nn.Conv2d(3, 8, 5), "output", "output", (2, 8), ["", ""]),
        (nn.ReLU(), "output", "output", (2, 8), ["", ""]),
        (None, "output", "output", (2, 8), ["", ""]),
    ],
)
def test_axes_have_the_names_that_the_module_gives_them(
    module: nn.Module | None, tab: Tab, label: str, shape: tuple[int, ...], names: list[str]
) -> None:
    assert axis_names(module, tab, label, shape) == names
