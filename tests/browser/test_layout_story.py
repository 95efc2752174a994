"""Finding one's way in a picture: rows of identical blocks, the way back, the other direction, the map."""

import re

from playwright.sync_api import expect

from tests.browser.notebook_page import NotebookPage
from tests.browser.stillness import settled
from tests.browser.widget_view import WidgetView

BLOCKS = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return x + self.fc(self.norm(x))

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), *(Block() for _ in range(12)), nn.Linear(8, 3))
"""
WATCH = "%load_ext hookviz\n%hookviz model"
RUN = "output = model(torch.rand(16, 4))"


def opened(notebook: NotebookPage) -> WidgetView:
    for source in (BLOCKS, WATCH, RUN):
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    expect(widget.slot("module:2", "value")).to_have_text(re.compile("±"))
    return widget


def test_a_row_of_blocks_is_unfolded_one_by_one_under_the_pointer_and_keys_lead_back(notebook: NotebookPage) -> None:
    widget = opened(notebook)
    expect(widget.slot("module:2", "name")).to_have_text("2 … 12")
    expect(widget.slot("module:2", "calls")).to_have_text("×11 alike")
    mark, target = widget.slot("module:2", "fold"), widget.card("module:2").locator(".hv-fold-target")
    before = settled(target)

    mark.click()
    expect(widget.card("module:2.fc")).to_be_visible()
    expect(widget.slot("module:3", "name")).to_have_text("3 … 12")
    expect(mark).to_have_text("▼")
    after = settled(target)
    assert abs(after[0] - before[0]) <= 1
    assert abs(after[1] - before[1]) <= 1

    notebook.page.keyboard.press("Backspace")
    expect(widget.slot("module:2", "name")).to_have_text("2 … 12")
    expect(widget.card("module:2.fc")).to_have_count(0)


def test_the_picture_is_turned_and_what_the_pointer_is_on_stays(notebook: NotebookPage) -> None:
    widget = opened(notebook)
    card = widget.card("module:1.fc")
    card.locator(".hv-name").click()
    expect(widget.statistic("shape")).to_be_visible()
    settled(card.locator(".hv-shape"))
    # The picture made room for the inspector, below the pointer.
    card.locator(".hv-name").hover()
    before = settled(card.locator(".hv-shape"))

    notebook.page.keyboard.press("t")

    expect(widget.root.get_by_role("button", name="Data flows to the right")).to_be_visible()
    after = settled(card.locator(".hv-shape"))
    assert abs(after[0] - before[0]) <= 1
    assert abs(after[1] - before[1]) <= 1


def test_the_path_of_the_selection_leads_out_and_the_map_leads_anywhere(notebook: NotebookPage) -> None:
    widget = opened(notebook)
    widget.select("module:1.fc")
    path = widget.root.get_by_role("navigation", name="Path of the selection")
    expect(path.get_by_role("listitem")).to_have_text(["model", "1", "fc"])

    path.get_by_role("button", name="1", exact=True).click()
    expect(widget.card("module:1")).to_have_class(re.compile(r"\bhv-selected\b"))

    # So that there is much of it, and not all of it is in sight.
    widget.slot("module:2", "fold").click()
    expect(widget.card("module:2.fc")).to_be_visible()
    for _ in range(3):
        widget.root.get_by_role("button", name="Zoom in").click()
    minimap = widget.root.locator(".hv-minimap svg")
    expect(minimap).to_be_visible()
    scroller = widget.root.locator(".hv-scroller")
    settled(minimap)
    box = minimap.bounding_box()
    assert box is not None
    notebook.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)

    expect(widget.card("output")).to_be_in_viewport()
    settled(minimap)
    at_the_end = scroller.evaluate("pane => pane.scrollTop + pane.clientHeight > 0.8 * pane.scrollHeight")
    assert at_the_end
