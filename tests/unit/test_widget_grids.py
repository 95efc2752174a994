"""Maps, filters and colours side by side: which elements each tile has."""

import numpy as np
import torch

from hookviz.widget.block import Wanted
from hookviz.widget.picture import picture
from tests.drawn import drawn


def test_grid_of_maps_has_a_tile_for_each_channel_of_the_chosen_sample() -> None:
    maps = torch.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)

    wire, values = drawn(maps, Wanted(index=[1, 0, 0, 0]))

    assert (wire["tile_axis"], wire["tiles"], wire["rows"], wire["columns"]) == (1, 3, 4, 5)
    assert wire["index"] == [1, 0, 0, 0]
    assert values == maps[1].flatten().tolist()


def test_grid_of_filters_has_a_tile_for_each_filter_of_the_chosen_channel() -> None:
    filters = torch.arange(4 * 2 * 3 * 3.0).reshape(4, 2, 3, 3)

    wire, content = picture(filters, Wanted(index=[0, 1, 0, 0]), is_weight=True)

    assert (wire["tile_axis"], wire["tiles"]) == (0, 4)
    assert np.frombuffer(content, dtype="<f4").tolist() == filters[:, 1].flatten().tolist()


def test_grid_can_have_any_three_axes() -> None:
    tensor = torch.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)

    wire, values = drawn(tensor, Wanted("grid", row_axis=3, column_axis=0, tile_axis=2, index=[0, 1, 0, 0]))

    assert (wire["tiles"], wire["rows"], wire["columns"]) == (4, 5, 2)
    assert values == tensor[:, 1].permute(1, 2, 0).flatten().tolist()


def test_grid_of_many_tiles_is_shown_in_pages_of_64() -> None:
    maps = torch.arange(200.0).reshape(1, 200, 1, 1).expand(1, 200, 2, 2)

    wire, values = drawn(maps, Wanted(index=[0, 195, 0, 0]))

    assert (wire["tiles"], wire["index"]) == (8, [0, 192, 0, 0])
    assert values[::4] == [192.0, 193.0, 194.0, 195.0, 196.0, 197.0, 198.0, 199.0]


def test_large_tiles_are_thinned_out_alike_in_both_directions() -> None:
    wire, values = drawn(torch.rand(1, 64, 56, 112))

    assert (wire["rows"], wire["columns"], wire["row_step"], wire["column_step"]) == (19, 38, 3, 3)
    assert len(values) == 64 * 19 * 38 <= 2**16


def test_three_channels_can_be_red_green_and_blue() -> None:
    filters = torch.arange(4 * 3 * 2 * 2.0).reshape(4, 3, 2, 2)

    wire, content = picture(filters, Wanted(color_axis=1), is_weight=True)
    single, values = drawn(filters, Wanted("matrix", color_axis=1, index=[2, 0, 0, 0]))

    assert (wire["color_axis"], wire["tile_axis"], wire["tiles"]) == (1, 0, 4)
    assert np.frombuffer(content, dtype="<f4").tolist() == filters.flatten().tolist()
    assert (single["tiles"], values) == (1, filters[2].flatten().tolist())


def test_grid_without_an_axis_left_for_tiles_is_a_matrix() -> None:
    wire, values = drawn(torch.arange(12.0).reshape(3, 2, 2), Wanted("grid", color_axis=0))

    assert (wire["form"], wire["tiles"], wire["tile_axis"]) == ("matrix", 1, None)
    assert len(values) == 12
