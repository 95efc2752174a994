"""Looking at tensors in the inspector: maps, grids, curves, tables, any slice, and the same slice in Python."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.cells import SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

CONVOLUTION = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU())
"""

ATTENTION = """
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        heads = x.unflatten(-1, (2, -1)).transpose(1, 2)
        return self.softmax(heads @ heads.transpose(-1, -2))

torch.manual_seed(0)
model = Attention()
"""

SPOILED = """
import torch
from torch import nn

class Spoil(nn.Module):
    def forward(self, x):
        x = x.clone()
        x[1, 2, 3] = torch.nan
        return x

model = nn.Sequential(Spoil())
"""


def watched(notebook: NotebookPage, source: str, run: str, node_id: str) -> WidgetView:
    """The widget of a model that ran once, with a module selected."""
    notebook.run(source)
    notebook.run(WATCH)
    notebook.run(run)
    widget = WidgetView(notebook, cell=1)
    widget.select(node_id)
    return widget


def form(widget: WidgetView, name: str) -> Locator:
    return widget.inspector.get_by_role("group", name="How the values are shown").get_by_role("button", name=name)


def grid(widget: WidgetView) -> Locator:
    return widget.inspector.get_by_role("img", name=re.compile("^Grid of"))


def heat_map(widget: WidgetView) -> Locator:
    return widget.inspector.get_by_role("img", name=re.compile("^Heat map"))


def reading(widget: WidgetView) -> Locator:
    return widget.inspector.locator(".hv-values .hv-reading:visible")


def number_in(text: str | None) -> float:
    """The value behind the name of a cell; all its digits are there."""
    return float((text or "").partition(" = ")[2].replace("−", "-"))


def test_maps_of_a_convolution_stand_side_by_side_and_a_click_enlarges_one(notebook: NotebookPage) -> None:
    widget = watched(notebook, CONVOLUTION, "images = torch.rand(4, 3, 5, 6); output = model(images)", "module:0")
    expect(grid(widget)).to_have_accessible_name(re.compile("^Grid of 8 heat maps of 5 by 6 values"))
    expect(widget.inspector.get_by_role("combobox", name="tiles")).to_have_value("1")
    widget.inspector.get_by_role("spinbutton", name="Position on axis 0 · sample").fill("2")

    grid(widget).focus()
    grid(widget).press("ArrowRight")
    expect(reading(widget)).to_contain_text("[2, 0, 0, 0] = ")
    read = number_in(reading(widget).text_content())
    grid(widget).click(position={"x": 5, "y": 20})

    expect(heat_map(widget)).to_have_accessible_name(re.compile("^Heat map of 5 by 6 values"))
    code = widget.inspector.locator(".hv-code code")
    expect(code).to_have_text('session["0"].output.tensor[2, 0]')
    python = code.text_content()
    form(widget, "Grid").click()
    expect(grid(widget)).to_be_visible()
    assert notebook.run(f"{SESSION}\ntuple(({python}).shape)") == "(5, 6)"
    exact = notebook.run("model[0].forward(images)[2, 0, 0, 0].item()")
    assert read == pytest.approx(float(exact), rel=1e-7)


def test_filters_of_three_channels_can_be_shown_in_their_colours(notebook: NotebookPage) -> None:
    widget = watched(notebook, CONVOLUTION, "output = model(torch.rand(4, 3, 5, 6))", "module:0")
    widget.tab("Params").click()
    expect(grid(widget)).to_have_accessible_name(re.compile("^Grid of 8 heat maps of 3 by 3 values"))

    widget.inspector.get_by_role("combobox", name="Red, green and blue").select_option(label="RGB: axis 1 · in")

    grid(widget).focus()
    grid(widget).press("ArrowDown")
    expect(reading(widget)).to_contain_text("[0, :, 0, 0] = ")
    colours = grid(widget).evaluate(
        """canvas => {
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size;
        }"""
    )
    # Each of the 72 cells mixes three numbers of its own.
    assert colours > 72


def test_attention_is_a_matrix_for_each_head(notebook: NotebookPage) -> None:
    widget = watched(notebook, ATTENTION, "weights = model(torch.rand(3, 7, 8))", "module:softmax")

    expect(grid(widget)).to_have_accessible_name(re.compile("^Grid of 2 heat maps of 7 by 7 values"))
    for role, axis in [("tiles", "1 · head"), ("rows", "2 · query"), ("columns", "3 · key")]:
        chosen = widget.inspector.get_by_role("combobox", name=role).locator("option:checked")
        expect(chosen).to_have_text(axis)
    # Weights are never negative: colours go one way from zero.
    expect(widget.inspector.locator(".hv-values .hv-ramp")).to_have_attribute("data-scale", "positive")


def test_vector_is_a_curve_and_its_values_are_read_by_keys(notebook: NotebookPage) -> None:
    widget = watched(notebook, CONVOLUTION, "output = model(torch.rand(4, 3, 5, 6))", "module:0")
    widget.tab("Params").click()
    widget.inspector.get_by_role("button", name="bias", exact=False).first.click()
    curve = widget.inspector.get_by_role("img", name="Curve of 8 values")
    expect(curve).to_be_visible()

    curve.focus()
    curve.press("End")

    expect(reading(widget)).to_contain_text("[7] = ")
    read = number_in(reading(widget).text_content())
    assert read == pytest.approx(float(notebook.run("model[0].bias[7].item()")), rel=1e-7)


def test_numbers_of_a_table_are_copied_exactly(notebook: NotebookPage) -> None:
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    widget = watched(notebook, CONVOLUTION, "images = torch.rand(4, 3, 5, 6); output = model(images)", "module:0")
    form(widget, "Table").click()
    expect(widget.inspector.locator(".hv-table-head")).to_contain_text("5 rows, 6 columns")

    widget.inspector.get_by_role("button", name="Copy 5 rows, 6 columns, separated by tabs").click()

    expect(widget.inspector.locator(".hv-table-head")).to_contain_text("Copied 30 of the tensor's 960 numbers.")
    text: str = notebook.page.evaluate("navigator.clipboard.readText()")
    rows = [[float(number) for number in line.split("\t")] for line in text.splitlines()]
    same = notebook.run(f"torch.equal(torch.tensor({rows}), model[0].forward(images)[0, 0])")
    assert same == "True"


def test_nan_in_another_slice_is_told_and_led_to(notebook: NotebookPage) -> None:
    widget = watched(notebook, SPOILED, "output = model(torch.rand(3, 5, 6))", "module:0")
    notice = widget.inspector.get_by_label("Values", exact=True).locator(".hv-bad")
    expect(notice).to_contain_text("NaN or Inf elsewhere")

    widget.inspector.get_by_role("button", name="Go to [1, 2, 3]").click()

    expect(notice.locator("> span")).to_have_text("1 NaN")
    expect(widget.inspector.get_by_role("spinbutton", name="Position on axis 0, as a number")).to_have_value("1")
