"""What the browser is answered when it asks for the values of a tensor."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hookviz.session import watch
from hookviz.widget.commands import answer
from hookviz.widget.presentation import presentation_of
from tests.models import wired


def ask(model: nn.Module, node_id: str, tab: str = "output", **fields: Any) -> tuple[Any, list[bytes]]:
    """The reply, or the error's text, and the buffers."""
    message = {"id": 1, "command": "picture", "node_id": node_id, "call": 0, "tab": tab, "entry": 0, **fields}
    content, buffers = answer(presentation_of(watch(model)), message)
    return content.get("reply", content.get("error")), buffers


def convolution() -> nn.Sequential:
    """One that ran on two images of three channels."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 4, 3))
    watch(model, every=1)
    model(torch.rand(2, 3, 5, 6))
    return model


def test_maps_of_a_convolution_come_as_a_grid_with_the_names_of_its_axes() -> None:
    model = convolution()

    reply, buffers = ask(model, "module:0")

    assert (reply["form"], reply["tiles"], reply["rows"], reply["columns"]) == ("grid", 4, 3, 4)
    assert reply["axis_names"] == ["sample", "channel", "y", "x"]
    assert len(buffers[0]) == 4 * 4 * 3 * 4


def test_filters_come_as_one_tile_each() -> None:
    model = convolution()

    reply, buffers = ask(model, "module:0", "parameters", index=[0, 2, 0, 0])

    assert (reply["tile_axis"], reply["tiles"], reply["axis_names"]) == (0, 4, ["out", "in", "y", "x"])
    filters = model.get_parameter("0.weight")[:, 2].detach()
    assert np.frombuffer(buffers[0], "<f4").tolist() == filters.flatten().tolist()


def test_form_axes_and_place_are_those_that_are_asked_for() -> None:
    model = convolution()

    reply, _ = ask(model, "module:0", form="line", column_axis=1, index=[1, 0, 2, 3])

    assert (reply["form"], reply["columns"], reply["index"]) == ("line", 4, [1, 0, 2, 3])


def test_part_of_complex_numbers_is_the_one_that_is_asked_for() -> None:
    model = wired(lambda self, x: self.layer(x), layer=nn.Identity())
    watch(model, every=1)
    model(torch.tensor([3 - 4j, 1j]))

    reply, buffers = ask(model, "module:layer", part="imag")

    assert (reply["part"], np.frombuffer(buffers[0], "<f4").tolist()) == ("imag", [-4.0, 1.0])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"form": "pie"}, "'form' as one of matrix, grid, line, table, got 'pie'"),
        ({"part": "length"}, "'part' as one of magnitude, real, imag, angle, got 'length'"),
        ({"tile_axis": "1"}, "'tile_axis' as int, got '1'"),
    ],
)
def test_malformed_slice_is_told(fields: dict[str, Any], message: str) -> None:
    reply, _ = ask(convolution(), "module:0", **fields)

    assert message in reply


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_nested_tensor_says_why_it_is_not_drawn(layout: torch.layout) -> None:
    model = wired(lambda self, x: self.layer(x), layer=nn.Identity())
    watch(model, every=1)
    model(torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(4, 3)], layout=layout))

    reply, _ = ask(model, "module:layer")

    assert reply == "A nested tensor has rows of different lengths, so it has no 2-d slice."
