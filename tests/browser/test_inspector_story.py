"""Looking around in a picture: the inspector's tabs, slices of tensors, pausing, zooming, the way to an error."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import VALUE, WidgetView

CONVOLUTION = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU())
"""

DEEP = """
import torch
from torch import nn

class Broken(nn.Module):
    def forward(self, x):
        raise ValueError("three heads do not divide 4")

blocks = [nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.ReLU())) for _ in range(8)]
blocks[7][1].append(Broken())
model = nn.Sequential(*blocks)
"""


def watched(notebook: NotebookPage, source: str, watch: str = WATCH) -> WidgetView:
    """The widget of a model, in the second cell, with a cell below it."""
    notebook.run(source)
    notebook.run(watch)
    notebook.run("None")
    return WidgetView(notebook, cell=1)


def test_inspector_has_no_room_until_something_is_selected(notebook: NotebookPage) -> None:
    widget = watched(notebook, NET)
    expect(widget.inspector).to_be_hidden()

    widget.select("module:head")
    expect(widget.inspector).to_be_visible()

    widget.root.get_by_role("button", name="Close the inspector").click()
    expect(widget.inspector).to_be_hidden()
    expect(widget.card("module:head")).to_have_attribute("aria-current", "false")


def test_tabs_show_what_came_in_what_went_out_and_the_gradients_of_both(notebook: NotebookPage) -> None:
    widget = watched(notebook, CONVOLUTION, WATCH + " --inputs")
    notebook.run("model(torch.rand(4, 3, 6, 6, requires_grad=True)).sum().backward()")
    widget.select("module:0")
    expect(widget.statistic("shape")).to_have_text("4 × 8 × 6 × 6")

    widget.tab("Input").click()
    expect(widget.statistic("shape")).to_have_text("4 × 3 × 6 × 6")
    widget.tab("Gradient").click()
    expect(widget.statistic("shape")).to_have_text("4 × 8 × 6 × 6")
    widget.inspector.get_by_role("button", name="of the input").click()
    expect(widget.statistic("shape")).to_have_text("4 × 3 × 6 × 6")
    widget.tab("Gradient").press("ArrowRight")
    expect(widget.tab("Params")).to_have_attribute("aria-selected", "true")
    widget.inspector.get_by_role("button", name="bias.grad").click()
    expect(widget.statistic("shape")).to_have_text("8")


def test_heat_map_shows_the_axes_and_the_slice_that_are_chosen(notebook: NotebookPage) -> None:
    widget = watched(notebook, CONVOLUTION)
    notebook.run("images = torch.rand(4, 3, 5, 6); output = model(images)")
    widget.select("module:0")
    widget.inspector.get_by_role("button", name="Map", exact=True).click()
    heat_map = widget.inspector.get_by_role("img", name=re.compile("Heat map"))
    expect(heat_map).to_have_accessible_name(re.compile("^Heat map of 5 by 6 values"))

    widget.inspector.get_by_role("combobox", name="rows").select_option(label="1 · channel")

    expect(heat_map).to_have_accessible_name(re.compile("^Heat map of 8 by 6 values"))
    expect(widget.inspector.get_by_role("spinbutton")).to_have_count(2)
    widget.inspector.get_by_role("spinbutton").last.fill("4")
    widget.inspector.get_by_role("spinbutton").last.press("Enter")
    heat_map.hover(position={"x": 3, "y": 3})
    reading = widget.inspector.locator(".hv-values .hv-heat-box .hv-reading")
    expect(reading).to_contain_text("[0, 0, 4, 0] = ")
    shown = (reading.text_content() or "").partition(" = ")[2]
    value = float(notebook.run("model[0].forward(images)[0, 0, 4, 0].item()"))
    assert float(shown.replace("−", "-")) == pytest.approx(value, rel=1e-7)


def test_paused_session_captures_nothing_until_it_is_resumed(notebook: NotebookPage) -> None:
    widget = watched(notebook, NET, WATCH + " --every 1")
    notebook.run(RUN)
    expect(widget.status).to_contain_text("captured 1 of 1 run")

    widget.root.get_by_role("button", name="Pause").click()
    expect(widget.status).to_contain_text("paused")
    notebook.run(RUN)
    expect(widget.status).to_contain_text("captured 1 of 2 runs")

    widget.root.get_by_role("button", name="Resume").click()
    expect(widget.status).to_contain_text("live")
    notebook.run(RUN)
    expect(widget.status).to_contain_text("captured 2 of 3 runs")


def test_zoom_follows_the_buttons_the_keys_and_the_wheel(notebook: NotebookPage) -> None:
    widget = watched(notebook, NET)
    level = widget.root.get_by_role("button", name="show at 100 %")
    card = widget.card("module:head").locator(".hv-shape")
    at_100 = card.bounding_box()
    expect(level).to_have_text("100 %")

    widget.root.get_by_role("button", name="Zoom in").click()
    expect(level).to_have_text("125 %")
    widget.card("module:head").focus()
    notebook.page.keyboard.press("-")
    notebook.page.keyboard.press("-")
    expect(level).to_have_text("80 %")
    card.hover()
    notebook.page.keyboard.down("Control")
    notebook.page.mouse.wheel(0, -60)
    notebook.page.keyboard.up("Control")
    expect(level).to_have_text("96 %")
    level.click()

    expect(level).to_have_text("100 %")
    at_end = card.bounding_box()
    assert at_100 is not None
    assert at_end is not None
    assert round(at_end["width"]) == round(at_100["width"])


def test_depth_is_the_one_that_was_asked_for_before_and_after_a_run(notebook: NotebookPage) -> None:
    widget = watched(notebook, NET, WATCH + " --depth 3")
    expect(widget.root.get_by_role("group", name="Depth")).to_contain_text("depth 3")

    notebook.run(RUN)

    expect(widget.slot("module:features.0", "value")).to_have_text(VALUE)
    expect(widget.root.get_by_role("group", name="Depth")).to_contain_text("depth 3")


def test_error_in_a_folded_container_is_marked_and_a_click_leads_into_it(notebook: NotebookPage) -> None:
    widget = watched(notebook, DEEP, WATCH + " --depth 0")

    error = notebook.run("model(torch.rand(2, 4))")

    assert error == "ValueError: three heads do not divide 4"
    expect(widget.card("module:7")).to_have_attribute("data-state", "failed")
    widget.status.get_by_role("button", name="raised in 7.1.1: ValueError: three heads do not divide 4").click()
    expect(widget.card("module:7.1.1")).to_have_attribute("data-state", "failed")
    expect(widget.card("module:7.1.1")).to_be_in_viewport()
    expect(widget.inspector).to_contain_text("its forward raised ValueError: three heads do not divide 4")
