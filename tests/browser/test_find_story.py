"""Finding a module that is folded away, and looking at what a module gave over many runs."""

import re

from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

TRAIN = """
for step in range(12):
    model(torch.rand(16, 4) * (step + 1)).pow(2).mean().backward()
"""


def test_slash_finds_a_folded_module_and_enter_leads_to_it(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --depth 0")
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    expect(widget.card("module:features.1")).to_have_count(0)
    keyboard = notebook.page.keyboard
    hits = widget.root.get_by_role("listbox", name="Hits").get_by_role("option")

    widget.select("module:head")
    keyboard.press("/")
    keyboard.type("16x8")
    expect(hits).to_contain_text(["features", "features.0", "features.1"])
    expect(widget.card("module:features")).to_have_class(re.compile(r"\bhv-hit\b"))
    keyboard.press("Control+A")
    keyboard.type("ReLU")
    expect(hits).to_have_count(1)
    keyboard.press("Enter")

    expect(widget.card("module:features.1")).to_be_in_viewport()
    expect(widget.card("module:features.1")).to_have_class(re.compile(r"\bhv-selected\b"))
    expect(widget.statistic("shape")).to_have_text("16 × 8")
    keyboard.press("Escape")
    expect(widget.root.get_by_role("combobox", name="Find")).to_have_value("")
    expect(widget.root.locator(".hv-hit")).to_have_count(0)


def test_history_shows_the_captured_runs_and_grows_with_the_next(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --every 1")
    notebook.run(TRAIN)
    widget = WidgetView(notebook, cell=1)

    widget.select("module:head")
    widget.tab("History").click()
    history = widget.inspector.get_by_role("region", name="History")
    expect(history).to_contain_text("12 captured runs")
    expect(history).to_contain_text("norm of gradient")
    history.get_by_role("slider").press("Home")
    expect(history.locator(".hv-history-reading")).to_have_text(re.compile(r"^step 1 · .+ ± .+ · ∇ .+"))

    notebook.run("model.head.bias.data.fill_(float('nan'))\n" + RUN)

    expect(history).to_contain_text("13 captured runs")
    expect(history).to_contain_text("1 × NaN or Inf")
